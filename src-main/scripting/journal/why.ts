import type { JournalEntry, JournalRun, StoredCause } from '#domain/run/journal';
import { thingText, type Why, type WhyLine, type WhyThing, type WhyWindow } from '#domain/run/why';
import type { JournalReader, JournalSubject } from '../../storage/journal/journal-reader.ts';
import type { JournalWindows } from '../../storage/journal/journal-windows.ts';

/** Runs around a run, and runs within one, that an explanation shows. */
const MOST_DEPTH = 40;
/** Changes of the definition of a tag, since its value was changed. */
const MOST_DEFINITIONS = 3;
/** Lines of effects. */
const MOST_LINES = 200;
/** Entries that are read for one explanation. */
const MOST_READ = 20_000;

/** Explains things from the journal: what led to them, and what followed. */
export class WhyReader {
  readonly #reader: JournalReader;
  readonly #windows: JournalWindows;

  constructor(reader: JournalReader, windows: JournalWindows) {
    this.#reader = reader;
    this.#windows = windows;
  }

  /** @param at the state at that time, ms since 1970; now unless given */
  why(thing: WhyThing, at?: number): Why {
    const since = this.#reader.since();
    const why: Why = {
      thing: thingText(thing),
      since: since === null ? null : iso(since),
      problem: null,
      causes: [],
      window: null,
      effects: [],
    };
    const below = at === undefined ? undefined : this.#reader.lastIdAt(at) + 1;
    if (thing.kind === 'run') this.#ofRun(thing.run, why);
    else if (thing.kind === 'tag') this.#ofTag(thing.path, below, why);
    else this.#ofRecord(thing, below, why);
    return why;
  }

  #ofTag(path: string, below: number | undefined, why: Why): void {
    const tagId = this.#reader.tagId(path);
    if (tagId === null) {
      why.problem = `The tag "${path}" does not exist.`;
      return;
    }
    const found = this.#lastOf(tagId, below);
    if (found.length === 0) {
      why.problem = nothingOf(`a change of "${path}"`, why.since);
      return;
    }
    for (const entry of found) why.causes.push(...this.#causes(entry, 0, tagId));
    const changed = found.find(({ kind }) => kind !== 'define');
    if (!changed) return;
    for (const firing of this.#firingsAfter(path, changed)) this.#effect(firing, 0, why.effects);
  }

  /** The last change of the value of a tag, and the changes of its definition since. The latest first. */
  #lastOf(tagId: number, below: number | undefined): JournalEntry[] {
    const entries: JournalEntry[] = [];
    const restored = first(this.#reader.about({ kind: 'restore' }, below));
    for (const entry of this.#reader.about({ kind: 'tag', tagId }, below)) {
      if (restored && entry.id < restored.id) break;
      if (entry.kind !== 'define') return [...entries, entry];
      if (entries.length < MOST_DEFINITIONS) entries.push(entry);
      else if (!restored) break;
    }
    return restored ? [...entries, restored] : entries;
  }

  #ofRecord(thing: Exclude<WhyThing, { kind: 'tag' | 'run' }>, below: number | undefined, why: Why): void {
    const ruleId = thing.kind === 'row' ? this.#windows.ruleOf(thing.table) : 0;
    if (ruleId === null && thing.kind === 'row') {
      why.problem = `There is no result table "${thing.table}".`;
      return;
    }
    const subject: JournalSubject =
      thing.kind === 'event' ? { kind: 'event', id: thing.id } : { kind: 'row', ruleId: ruleId ?? 0, row: thing.row };
    for (const entry of this.#some(this.#reader.about(subject, below))) {
      why.causes.push(...this.#causes(entry, 0));
      if (entry.kind !== 'firing') continue;
      const { firstEvent, firstRow, lastRow } = entry.firing;
      const row = thing.kind === 'row' ? thing.row : firstRow + thing.id - (firstEvent ?? 0);
      why.window = this.#windows.of(entry.firing, row);
      if (thing.kind === 'row' && firstEvent !== null && row <= lastRow) {
        const event = firstEvent + row - firstRow;
        for (const one of this.#some(this.#reader.about({ kind: 'event', id: event })))
          if (one.kind === 'event') this.#effect(one, 0, why.effects);
      }
      const { ruleId: id } = entry.firing;
      const saved = first(this.#reader.about({ kind: 'rule', ruleId: id }, entry.id));
      if (saved) why.causes.push(this.lineOf(saved, 1));
      if (why.window) why.causes.push(...this.#sources(why.window, entry));
      break;
    }
    why.effects.reverse();
    if (!why.causes.some(({ action }) => action.startsWith('fired'))) {
      why.problem = nothingOf(`the firing of ${thingText(thing)}`, why.since);
    }
  }

  #ofRun(id: number, why: Why): void {
    const run = this.#reader.run(id);
    if (!run) {
      why.problem = nothingOf(`run ${id}`, why.since);
      return;
    }
    why.causes.push(...this.#runs(run, 0, null));
    this.#within(run, 0, why.effects, new Set());
  }

  /** The line of an entry, and those of what led to it. @param tagId the tag whose write is shown */
  #causes(entry: JournalEntry, depth: number, tagId?: number): WhyLine[] {
    const own = this.lineOf(entry, depth, tagId);
    if (entry.cause.by !== 'run') return [own];
    const run = this.#reader.run(entry.cause.run);
    return run ? [own, ...this.#runs(run, depth + 1, entry.cause.line)] : [own];
  }

  /** A run and the runs around it, innermost first. */
  #runs(run: JournalRun, depth: number, line: number | null): WhyLine[] {
    const lines: WhyLine[] = [];
    const seen = new Set<number>();
    for (let [at, atLine]: [JournalRun | null, number | null] = [run, line]; at && !seen.has(at.id);) {
      seen.add(at.id);
      lines.push(this.lineOfRun(at, depth + lines.length, atLine));
      const { cause }: { cause: StoredCause } = at;
      if (cause.by !== 'run' || lines.length >= MOST_DEPTH) break;
      [at, atLine] = [this.#reader.run(cause.run), cause.line];
    }
    return lines;
  }

  /** What a run did, and what the runs in it did. */
  #within(run: JournalRun, depth: number, lines: WhyLine[], seen: Set<number>): void {
    if (seen.has(run.id) || depth > MOST_DEPTH) return;
    seen.add(run.id);
    const own: JournalEntry[] = [];
    const subject = { kind: 'run', run: run.id } as const;
    for (const entry of this.#some(this.#reader.about(subject))) {
      if (entry.id < run.id || own.length >= MOST_LINES) break;
      own.push(entry);
    }
    for (const entry of own.toReversed()) if (lines.length < MOST_LINES) this.#effect(entry, depth, lines);
    for (const nested of this.#reader.nested(run.id, MOST_LINES)) {
      if (lines.length >= MOST_LINES) return;
      lines.push(this.lineOfRun(nested, depth, null));
      this.#within(nested, depth + 1, lines, seen);
    }
  }

  /** Adds the lines of an entry: one for each value. */
  #effect(entry: JournalEntry, depth: number, lines: WhyLine[]): void {
    if (entry.kind !== 'write') {
      lines.push(this.lineOf(entry, depth));
      return;
    }
    for (const { tagId } of entry.writes.slice(0, MOST_LINES)) lines.push(this.lineOf(entry, depth, tagId));
  }

  /** The first firing of each rule over a tag after an entry. */
  #firingsAfter(path: string, { id }: JournalEntry): JournalEntry[] {
    return this.#windows.rulesOver(path).flatMap((ruleId) => {
      const row = this.#windows.firstRowAfter(ruleId, this.#atOf(id));
      const found = row === null ? null : first(this.#reader.about({ kind: 'row', ruleId, row }));
      return found && found.id > id ? [found] : [];
    });
  }

  #atOf(id: number): number {
    return this.#reader.entry(id)?.at ?? 0;
  }

  /** The last writes of the source tags before a window ended. */
  #sources({ list, end }: WhyWindow, { id }: JournalEntry): WhyLine[] {
    const paths = [...new Set(list.map(({ tag }) => tag))].slice(0, 20);
    const below = Math.min(id, this.#reader.lastIdAt(Date.parse(end)) + 1);
    return paths.flatMap((path) => {
      const tagId = this.#reader.tagId(path);
      const found = tagId === null ? undefined : this.#lastOf(tagId, below).find(({ kind }) => kind !== 'define');
      return found && tagId !== null ? this.#causes(found, 1, tagId) : [];
    });
  }

  *#some(entries: Iterable<JournalEntry>): Generator<JournalEntry> {
    let read = 0;
    for (const entry of entries) {
      if ((read += 1) > MOST_READ) return;
      yield entry;
    }
  }

  /** @param tagId the tag whose write is shown; the first unless given */
  lineOf(entry: JournalEntry, depth: number, tagId?: number): WhyLine {
    const line: WhyLine = {
      depth,
      at: iso(entry.at),
      action: this.#actionOf(entry, tagId),
      actor: this.#actorOf(entry.cause),
      ...this.#by(entry.cause),
      ...this.#about(entry, tagId),
      entry: entry.id,
    };
    if (entry.kind === 'write') {
      const write = entry.writes.findLast((one) => one.tagId === tagId) ?? entry.writes[0];
      if (write && 'before' in write) line.before = write.before ?? null;
      if (write) line.after = write.after;
    }
    if (entry.kind === 'firing') {
      line.thing = `row:${entry.firing.table}/${entry.firing.firstRow}`;
    }
    if (entry.cause.by === 'run') {
      const run = this.#reader.run(entry.cause.run);
      if (run?.script) line.script = run.script;
      if (entry.cause.line !== null) line.line = entry.cause.line;
      line.thing = `run:${entry.cause.run}`;
    }
    return line;
  }

  /** @param line the line of its call that is explained */
  lineOfRun(run: JournalRun, depth: number, line: number | null): WhyLine {
    const { script, cause } = run;
    const what = script ? `${script.name} (version ${script.version})` : 'a script that is not saved';
    const role = run.access === 'run' ? '' : ` as the ${run.access} script of ${run.tag}`;
    const place = run.diagram === '' && run.location === '' ? '' : `, scope ${run.diagram}/${run.location}`;
    return {
      depth,
      at: iso(run.at),
      action: `ran ${what}${role}${place}${endText(run)}`,
      actor: this.#actorOf(cause),
      ...(script && { script }),
      ...(line !== null && { line }),
      ...this.#by(cause),
      ...(run.access !== 'run' && { tag: run.tag }),
      entry: run.id,
      thing: `run:${run.id}`,
    };
  }

  /** The request that did it; or the saved script of the run that did, and the line of the call. */
  #by(cause: StoredCause): Pick<WhyLine, 'by' | 'request'> {
    if (cause.by === 'client') return { request: { method: cause.method, address: cause.address } };
    const script = cause.by === 'run' ? this.#reader.run(cause.run)?.script : null;
    if (cause.by !== 'run' || !script) return {};
    return { by: { script, ...(cause.line !== null && { line: cause.line }) } };
  }

  /** The thing that the action names. */
  #about(entry: JournalEntry, tagId?: number): Pick<WhyLine, 'tag' | 'rule' | 'event'> {
    switch (entry.kind) {
      case 'write':
        return this.#tag(tagId ?? entry.writes[0]?.tagId ?? 0);
      case 'force':
      case 'release':
      case 'clear':
      case 'define':
        return this.#tag(tagId ?? entry.tagIds[0] ?? 0);
      case 'firing': {
        const { ruleId, rule, firstEvent } = entry.firing;
        return { rule: { id: ruleId, name: rule }, ...(firstEvent !== null && { event: firstEvent }) };
      }
      case 'event': {
        const [first] = entry.events[0] ?? [];
        return first === undefined ? {} : { event: first };
      }
      case 'rule':
        return { rule: { id: entry.ruleId, name: entry.rule } };
      default:
        return {};
    }
  }

  /** The path of a tag that is not deleted. */
  #tag(tagId: number): Pick<WhyLine, 'tag'> {
    const path = this.#reader.pathOf(tagId);
    return this.#reader.tagId(path) === null ? {} : { tag: path };
  }

  /** What an entry says, in a few words. */
  #actionOf(entry: JournalEntry, tagId?: number): string {
    switch (entry.kind) {
      case 'write': {
        const id = tagId ?? entry.writes[0]?.tagId ?? 0;
        const others = tagId === undefined && entry.writes.length > 1 ? ` and ${entry.writes.length - 1} more` : '';
        const scope =
          entry.diagram === '' && entry.location === '' ? '' : ` in scope ${entry.diagram}/${entry.location}`;
        return `wrote ${this.#reader.pathOf(id)}${others}${scope}`;
      }
      case 'force':
      case 'release':
      case 'clear': {
        const path = this.#reader.pathOf(tagId ?? entry.tagIds[0] ?? 0);
        const others = tagId === undefined && entry.tagIds.length > 1 ? ` and ${entry.tagIds.length - 1} more` : '';
        if (entry.kind === 'release') return `released ${path}${others}`;
        if (entry.kind === 'clear') return `cleared the value of ${path}${others}`;
        return entry.what === ''
          ? `cleared the forced quality of ${path}${others}`
          : `forced ${path}${others} to ${entry.what}`;
      }
      case 'firing': {
        const { rule, savedAt, firstRow, lastRow, firstEvent, table } = entry.firing;
        const rows = firstRow === lastRow ? `row ${firstRow}` : `rows ${firstRow} to ${lastRow}`;
        const event =
          firstEvent === null
            ? ''
            : `, event ${firstEvent}${lastRow > firstRow ? ` to ${firstEvent + lastRow - firstRow}` : ''}`;
        return `fired ${rule} (version of ${savedAt}): ${rows} of ${table}${event}`;
      }
      case 'event': {
        const ids = entry.events.slice(0, 3).map(([low, high]) => (low === high ? `${low}` : `${low} to ${high}`));
        const more = entry.events.length > 3 ? ' …' : '';
        return `${entry.change} event ${ids.join(', ')}${more}`;
      }
      case 'define': {
        const path = this.#reader.pathOf(tagId ?? entry.tagIds[0] ?? 0);
        const others = tagId === undefined && entry.tagIds.length > 1 ? ` and ${entry.tagIds.length - 1} more` : '';
        if (entry.what.startsWith('renamed')) return `${path} ${entry.what}`;
        if (entry.what.startsWith('deleted')) return `${entry.what}${others}`;
        return entry.what === 'created' ? `created ${path}${others}` : `changed the definition of ${path}${others}`;
      }
      case 'rule':
        return `${entry.what} the rule ${entry.rule}`;
      default:
        return `restored the backup ${entry.backup}`;
    }
  }

  #actorOf(cause: StoredCause): string {
    switch (cause.by) {
      case 'person':
        return personText(cause);
      case 'import':
        return `${cause.what === '' ? 'an import' : `the import of ${cause.what}`} by ${personText(cause)}`;
      case 'run': {
        const script = this.#reader.run(cause.run)?.script;
        const name = script ? `script ${script.name} (version ${script.version})` : `run ${cause.run}`;
        return cause.line === null ? name : `${name}, line ${cause.line}`;
      }
      case 'client':
        return `${cause.method} from ${cause.address}`;
      case 'read':
        return 'a read of the tag';
      case 'rule':
        return 'its window closed';
      default:
        return 'the retention settings';
    }
  }
}

function personText({ user, from }: Extract<StoredCause, { by: 'person' | 'import' }>): string {
  const who = user === null ? 'a user' : `user ${user}`;
  if (from === undefined) return who;
  return `${who} ${from === 'window' ? 'in the window' : 'on the command line'}`;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const first = <T>(items: Iterable<T>): T | null => {
  for (const item of items) return item;
  return null;
};

function endText({ end }: JournalRun): string {
  if (!end) return ', which has no end in the journal';
  return `${end.status === 'ok' ? '' : `, which ended with ${end.status}`}${end.dryRun ? ' (dry run)' : ''}`;
}

function nothingOf(what: string, since: string | null): string {
  return since === null
    ? `The journal has no entry about ${what}: it is empty.`
    : `The journal has no entry about ${what}. It has data since ${since}.`;
}
