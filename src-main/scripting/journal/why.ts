import type { JournalEntry, JournalRun, StoredCause } from '#domain/run/journal';
import { thingText, type Why, type WhyLine, type WhyThing, type WhyWindow } from '#domain/run/why';
import { inheritanceOf, isDefaultScope, type Scope, scopeName } from '#domain/tag/scope';
import type { JournalReader, JournalSubject } from '../../storage/journal/journal-reader.ts';
import type { JournalWindows } from '../../storage/journal/journal-windows.ts';
import { countedName } from '../../storage/journal/journal-blocks.ts';
import { ScopedChanges } from './scoped-changes.ts';
import { type GoneTag, inScope, nothingOf, WhyLines } from './why-lines.ts';

/** Runs around a run, and runs within one, that an explanation shows. */
const MOST_DEPTH = 40;
/** Changes of the definition of a tag, since its value was changed. */
const MOST_DEFINITIONS = 3;
/** Entries with runs that changed nothing: a few hours. */
const MOST_COUNTS = 3;
/** Tags whose values led to another value. */
const MOST_INPUTS = 20;
/** Tags that a sentence names. */
const MOST_NAMED = 4;
/** Lines of effects. */
const MOST_LINES = 200;
/** Entries that are read for one explanation. */
const MOST_READ = 20_000;
/** How long after a value was written its entry is looked for, ms: commits wait for the disk. */
const LATEST_MS = 10_000;

/** A thing that has entries in the journal, unlike those of other logs. */
type JournaledThing = Exclude<WhyThing, { kind: 'request' | 'call' | 'erp' }>;

/** Explains things from the journal: what led to them, and what followed. */
export class WhyReader {
  readonly #reader: JournalReader;
  readonly #windows: JournalWindows;
  readonly lines: WhyLines;
  readonly #inputsOf: (path: string) => readonly string[];

  /** @param inputsOf the tags from which the value of a tag is calculated */
  constructor(
    reader: JournalReader,
    windows: JournalWindows,
    inputsOf: (path: string) => readonly string[] = () => [],
  ) {
    this.#reader = reader;
    this.#windows = windows;
    this.#inputsOf = inputsOf;
    this.lines = new WhyLines(reader);
  }

  /**
   * @param at the state at that time, ms since 1970; now unless given
   * @param scope the value of a tag that this scope sees; the last one that was written in any scope unless given
   * @param gone what `goneTag` found about a tag that does not exist
   */
  why(thing: JournaledThing, at?: number, scope?: Scope, gone: GoneTag | null = null): Why {
    const why = this.empty(thing);
    if (thing.kind === 'tag' && this.#reader.tagId(thing.path) === null) {
      this.#ofMissingTag(thing.path, this.#below(at), why, gone);
      return why;
    }
    const below = this.#below(at);
    if (thing.kind === 'rule') this.#ofRule(thing.id, below, why);
    else if (thing.kind === 'run') this.#ofRun(thing.run, why);
    else if (thing.kind === 'tag' && scope) this.#ofScopedTag(thing.path, scope, at, why);
    else if (thing.kind === 'tag') this.#ofTag(thing.path, at, why);
    else this.#ofRecord(thing, below, why);
    return why;
  }

  /** The ids of entries at a time are below this one; undefined for now. */
  #below(at: number | undefined): number | undefined {
    return at === undefined ? undefined : this.#reader.lastIdAt(at) + 1;
  }

  /**
   * Says that a stored value has changed since, while nothing was recorded; null if it has not.
   * @param found the entries that explain it
   */
  #unrecorded(
    tagId: number,
    stored: ReturnType<JournalReader['storedScopes']>,
    found: readonly JournalEntry[],
    until = Infinity,
  ): string | null {
    let last = Math.max(...found.map(({ at }) => at));
    let problem: string | null = null;
    for (const { writtenAt, ...scope } of stored) {
      if (writtenAt <= last || writtenAt > until || this.#isRecorded(tagId, scope, writtenAt)) continue;
      last = writtenAt;
      const when = new Date(writtenAt).toISOString();
      problem = `The value was changed at ${when}${inScope(scope)}, and the journal has no entry about that: it was off, the disk had been full, or the entry is damaged.`;
    }
    return problem;
  }

  #isRecorded(tagId: number, scope: Scope, writtenAt: number): boolean {
    const below = this.#reader.lastIdAt(writtenAt + LATEST_MS) + 1;
    for (const entry of this.#some(this.#reader.about({ kind: 'tag', tagId }, below))) {
      if (entry.kind === 'write' && isSame(entry, scope)) return entry.at >= writtenAt;
    }
    return false;
  }

  /** An explanation without causes and effects. */
  empty(thing: WhyThing): Why {
    const since = this.#reader.since();
    return {
      thing: thingText(thing),
      since: since === null ? null : new Date(since).toISOString(),
      problem: null,
      causes: [],
      window: null,
      effects: [],
    };
  }

  #ofTag(path: string, at: number | undefined, why: Why): void {
    const below = this.#below(at);
    const tagId = this.#reader.tagId(path);
    if (tagId === null) return;
    const counts = this.#counts({ tagId, rule: null }, below);
    const found = this.#lastOf(tagId, below);
    const inputs = this.#inputs(path, below, new Set([path]));
    why.causes.push(...latestFirst([...counts, ...found.map((entry) => this.causes(entry, 0, tagId)), ...inputs]));
    const changed = found.find(({ kind }) => kind !== 'define');
    const stored = this.#reader.storedScopes(tagId);
    const written = found.find(({ kind }) => kind !== 'define' && kind !== 'restore') ?? null;
    const origin = this.#originOf(tagId, path, written, counts.length + stored.length > 0);
    if (why.causes.length === 0) why.problem = joined(nothingOf(`a change of "${path}"`, why.since), origin);
    else why.problem = this.#unrecorded(tagId, stored, found, at) ?? origin;
    if (!changed) return;
    for (const firing of this.#firingsAfter(path, changed)) this.#effect(firing, 0, why.effects);
  }

  /** A tag that was deleted, or that has another name. */
  #ofMissingTag(path: string, below: number | undefined, why: Why, gone: GoneTag | null): void {
    why.problem = `The tag "${path}" does not exist.`;
    if (!gone) return;
    const { entry, tagId, isRenamed } = gone;
    if (isRenamed && this.#reader.kindOf(tagId) !== null) {
      why.problem += ` It is called "${this.#reader.pathOf(tagId)}" now.`;
    }
    const found = isRenamed ? [entry] : this.#lastOf(tagId, below ?? entry.id + 1);
    const named = (line: WhyLine) => ({ ...line, action: line.action.replaceAll(`(deleted tag ${tagId})`, path) });
    why.causes.push(...latestFirst(found.map((one) => this.causes(one, 0, tagId))).map(named));
  }

  /** Only storage and script tags have scopes. */
  #ofScopedTag(path: string, scope: Scope, at: number | undefined, why: Why): void {
    const below = this.#below(at);
    const tagId = this.#reader.tagId(path);
    const kind = tagId === null ? null : this.#reader.kindOf(tagId);
    if (tagId === null || (kind !== 'storage' && kind !== 'script')) {
      this.#ofTag(path, at, why);
      return;
    }
    const counts = this.#counts({ tagId, rule: null }, below);
    const { found, used } =
      kind === 'storage'
        ? this.#lastSeenBy(scope, { tagId, at, below })
        : { found: this.#lastOf(tagId, below, (entry) => isWrittenFor(scope, entry)), used: scope };
    why.causes.push(...latestFirst([...counts, ...found.map((entry) => this.causes(entry, 0, tagId))]));
    const changed = found.find(({ kind: one }) => one !== 'define');
    if (!changed && counts.length === 0) {
      why.problem = used
        ? nothingOf(`the value of "${path}" that is stored for ${scopeName(used)}`, why.since)
        : `"${path}" has its initial value in the ${isDefaultScope(scope) ? 'default scope' : `scope ${scopeName(scope)}`}: nothing is stored for it.`;
    } else if (kind === 'storage' && used && changed) {
      const stored = this.#reader.storedScopes(tagId).filter((one) => isSame(one, used));
      why.problem = this.#unrecorded(tagId, stored, found, at);
    }
    // Rules read the default scope.
    if (!changed || (used && used.diagram + used.location !== '')) return;
    for (const firing of this.#firingsAfter(path, changed)) this.#effect(firing, 0, why.effects);
  }

  /** The changes that made the value of a storage tag that a scope sees, and those of its definition since. */
  #lastSeenBy(
    scope: Scope,
    { tagId, at, below }: { tagId: number; at: number | undefined; below: number | undefined },
  ): { found: JournalEntry[]; used: Scope | null } {
    const stored = this.#reader.storedScopes(tagId);
    const seen = new ScopedChanges(scope, stored, at);
    const found = this.#lastOf(tagId, below, (entry) => seen.take(entry));
    const { used } = seen;
    const others = found.filter(({ kind }) => kind !== 'write' && kind !== 'clear');
    if (used && !seen.entries.some(({ kind }) => kind === 'write')) {
      // Among very many entries of other scopes: the time of the stored value says where it is.
      const value = stored.find((one) => isSame(one, used));
      const near = value && Math.min(below ?? Infinity, this.#reader.lastIdAt(value.writtenAt + LATEST_MS) + 1);
      if (near !== undefined) this.#lastOf(tagId, near, (entry) => seen.take(entry));
    }
    return { found: [...others, ...seen.entries].toSorted((a, b) => b.id - a.id), used };
  }

  /**
   * The last change of the value of a tag, and the changes of its definition since. The latest first.
   * @param isLast whether a changed value is the one in question
   */
  #lastOf(
    tagId: number,
    below: number | undefined,
    isLast: (entry: JournalEntry) => boolean = () => true,
  ): JournalEntry[] {
    const entries: JournalEntry[] = [];
    const restored = first(this.#reader.about({ kind: 'restore' }, below));
    let definitions = 0;
    for (const entry of this.#some(this.#reader.about({ kind: 'tag', tagId }, below))) {
      // The backup had the journal of its time: who wrote the restored value.
      if (restored && entry.id < restored.id && !entries.includes(restored)) entries.push(restored);
      // Then the last value that is certain follows.
      const isUncertain = entry.kind === 'write' && entry.isUncertain === true;
      if (entry.kind !== 'define' && !isUncertain) {
        if (isForAllScopes(entry) || isLast(entry)) return [...entries, entry];
        continue;
      }
      if ((definitions += 1) <= MOST_DEFINITIONS) entries.push(entry);
      else if (!restored) break;
    }
    return restored && !entries.includes(restored) ? [...entries, restored] : entries;
  }

  /** The newest runs of the script of a tag, or of a condition, that changed nothing. */
  #counts(
    { tagId, rule }: { tagId: number | null; rule: { id: number } | null },
    below: number | undefined,
    depth = 0,
  ): WhyLine[][] {
    const found: WhyLine[][] = [];
    for (const entry of this.#some(this.#reader.about({ kind: 'count', of: countedName({ tagId, rule }) }, below))) {
      found.push([this.lines.lineOf(entry, depth, tagId ?? undefined)]);
      if (found.length === (depth === 0 ? MOST_COUNTS : 1)) break;
    }
    return found;
  }

  /** The last changes of the tags from which a value is calculated, directly or not. */
  #inputs(path: string, below: number | undefined, seen: Set<string>): WhyLine[][] {
    return this.#inputsOf(path).flatMap((input) => {
      if (seen.has(input) || seen.size > MOST_INPUTS) return [];
      seen.add(input);
      return this.#valueOf(input, below, seen);
    });
  }

  /** The last change of a value, or of the values from which it is calculated. */
  #valueOf(path: string, below: number | undefined, seen: Set<string>): WhyLine[][] {
    const tagId = this.#reader.tagId(path);
    const found = tagId === null ? [] : this.#lastOf(tagId, below).filter(({ kind }) => kind !== 'define');
    const own = found.map((entry) => this.causes(entry, 1, tagId ?? undefined));
    return [...own, ...this.#inputs(path, below, seen)];
  }

  /** Where a value comes from that is not the last written one; null if it is. */
  #originOf(tagId: number, path: string, changed: JournalEntry | null, isKnown: boolean): string | null {
    switch (this.#reader.kindOf(tagId)) {
      case 'machine': {
        const isHeld = changed?.kind === 'write' || (changed?.kind === 'force' && changed.what !== '');
        return isHeld ? null : 'Its value follows the signal of the machine tag, which the journal does not record.';
      }
      case 'db':
        return 'Its value is read from plant.db each time. What other programs write there is not recorded.';
      case 'calculation': {
        const inputs = this.#inputsOf(path);
        const some = inputs.slice(0, MOST_NAMED).join(', ');
        const more = inputs.length > MOST_NAMED ? ` and ${inputs.length - MOST_NAMED} more` : '';
        return inputs.length === 0 ? null : `Its value is calculated from ${some}${more}.`;
      }
      case 'script':
        return changed || isKnown ? null : 'Its value is what its read script returns each time.';
      case 'storage':
        return changed || isKnown ? null : 'It has its initial value: nothing is stored for it.';
      default:
        return null;
    }
  }

  /** Its last firing, its condition that was not true, and who saved it. */
  #ofRule(id: number, below: number | undefined, why: Why): void {
    const blocks = this.#counts({ tagId: null, rule: { id } }, below);
    for (const kind of ['firing', 'rule'] as const) {
      const found = first(this.#reader.about({ kind, ruleId: id }, below));
      if (found) blocks.push([this.lines.lineOf(found, 0)]);
    }
    why.causes.push(...latestFirst(blocks));
    if (why.causes.length === 0) why.problem = nothingOf(`rule ${id}`, why.since);
  }

  #ofRecord(
    thing: Exclude<JournaledThing, { kind: 'tag' | 'run' | 'rule' }>,
    below: number | undefined,
    why: Why,
  ): void {
    const ruleId = thing.kind === 'row' ? this.#windows.ruleOf(thing.table) : 0;
    if (ruleId === null && thing.kind === 'row') {
      why.problem = `There is no result table "${thing.table}".`;
      return;
    }
    const subject: JournalSubject =
      thing.kind === 'event' ? { kind: 'event', id: thing.id } : { kind: 'row', ruleId: ruleId ?? 0, row: thing.row };
    for (const entry of this.#some(this.#reader.about(subject, below))) {
      why.causes.push(...this.causes(entry, 0));
      if (entry.kind !== 'firing') continue;
      const { firstEvent, firstRow, lastRow } = entry.firing;
      const row = thing.kind === 'row' ? thing.row : firstRow + thing.id - (firstEvent ?? 0);
      why.window = this.#windows.of(entry.firing, row);
      if (!why.window) why.problem = 'Its data row no longer exists, so its window is not known.';
      if (thing.kind === 'row' && firstEvent !== null && row <= lastRow) {
        const event = firstEvent + row - firstRow;
        for (const one of this.#some(this.#reader.about({ kind: 'event', id: event })))
          if (one.kind === 'event') this.#effect(one, 0, why.effects);
      }
      const { ruleId: id } = entry.firing;
      const saved = first(this.#reader.about({ kind: 'rule', ruleId: id }, entry.id));
      why.causes.push(
        ...latestFirst([
          ...(saved ? [[this.lines.lineOf(saved, 1)]] : []),
          ...(why.window ? this.#sources(why.window, entry, this.#windows.whileTag(id)) : []),
          ...this.#counts({ tagId: null, rule: { id } }, entry.id, 1),
        ]),
      );
      break;
    }
    why.effects.reverse();
    if (!why.causes.some(({ kind }) => kind === 'firing')) {
      why.problem = nothingOf(`the firing of ${thingText(thing)}`, why.since);
    }
  }

  #ofRun(id: number, why: Why): void {
    const run = this.#reader.run(id);
    if (!run) {
      why.problem = this.#reader.entry(id) ? `Entry ${id} is not a run.` : nothingOf(`run ${id}`, why.since);
      return;
    }
    why.causes.push(...this.runs(run, 0, null));
    this.#within(run, 0, why.effects, new Set());
  }

  /** The line of an entry, and those of what led to it. @param tagId the tag whose write is shown */
  causes(entry: JournalEntry, depth: number, tagId?: number): WhyLine[] {
    const own = this.lines.lineOf(entry, depth, tagId);
    if (entry.cause.by !== 'run') return [own];
    const run = this.#reader.run(entry.cause.run);
    return run ? [own, ...this.runs(run, depth + 1, entry.cause.line)] : [own];
  }

  /** A run and the runs around it, innermost first. */
  runs(run: JournalRun, depth: number, line: number | null): WhyLine[] {
    const lines: WhyLine[] = [];
    const seen = new Set<number>();
    for (let [at, atLine]: [JournalRun | null, number | null] = [run, line]; at && !seen.has(at.id);) {
      seen.add(at.id);
      lines.push(this.lines.lineOfRun(at, depth + lines.length, atLine));
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
      lines.push(this.lines.lineOfRun(nested, depth, null));
      this.#within(nested, depth + 1, lines, seen);
    }
  }

  /** Adds the lines of an entry: one for each value. */
  #effect(entry: JournalEntry, depth: number, lines: WhyLine[]): void {
    if (entry.kind !== 'write') {
      lines.push(this.lines.lineOf(entry, depth));
      return;
    }
    for (const { tagId } of entry.writes.slice(0, MOST_LINES)) lines.push(this.lines.lineOf(entry, depth, tagId));
  }

  /** The first firing of each rule over a tag after an entry. */
  #firingsAfter(path: string, { id, at }: JournalEntry): JournalEntry[] {
    return this.#windows.rulesOver(path).flatMap((ruleId) => {
      const row = this.#windows.firstRowAfter(ruleId, at);
      if (row === null) return [];
      const found = first(this.#reader.about({ kind: 'row', ruleId, row }));
      if (found && found.id > id) return [found];
      // The clock was set back: windows of earlier rows ended later.
      const next = this.#firstFiringAfter(ruleId, id);
      return next ? [next] : [];
    });
  }

  #firstFiringAfter(ruleId: number, id: number): JournalEntry | null {
    let next: JournalEntry | null = null;
    for (const firing of this.#some(this.#reader.about({ kind: 'firing', ruleId }))) {
      if (firing.id <= id) break;
      next = firing;
    }
    return next;
  }

  /** The last changes of the source tags before a window ended, and of the tag that opened and closed it. */
  #sources({ list, end }: WhyWindow, { id }: JournalEntry, whileTag: string | null): WhyLine[][] {
    const sampled = [...new Set(list.map(({ tag }) => tag))].slice(0, MOST_INPUTS);
    const below = Math.min(id, this.#reader.lastIdAt(Date.parse(end)) + 1);
    const paths = new Set([...(whileTag === null ? [] : [whileTag]), ...sampled]);
    const seen = new Set(paths);
    return [...paths].flatMap((path) => this.#valueOf(path, below, seen));
  }

  *#some(entries: Iterable<JournalEntry>): Generator<JournalEntry> {
    let read = 0;
    for (const entry of entries) {
      if ((read += 1) > MOST_READ) return;
      yield entry;
    }
  }
}

/** Each line with what led to it stays together. A restored backup, which changes all values, is one line. */
const latestFirst = (blocks: readonly WhyLine[][]): WhyLine[] =>
  blocks
    .toSorted(([a], [b]) => (b?.at ?? '').localeCompare(a?.at ?? ''))
    .flat()
    .filter(({ kind, entry: id }, at, all) => kind !== 'restore' || all.findIndex(({ entry }) => entry === id) === at);

const joined = (...texts: readonly (string | null)[]): string => texts.filter((text) => text !== null).join(' ');

const isSame = (a: Scope, b: Scope): boolean => a.diagram === b.diagram && a.location === b.location;

/** A forced quality, and the release of one, are not those of a scope. */
const isForAllScopes = ({ kind }: JournalEntry): boolean => kind === 'force' || kind === 'release';

function isWrittenFor(scope: Scope, entry: JournalEntry): boolean {
  if (entry.kind !== 'write') return true;
  return inheritanceOf(scope).some(({ diagram, location }) => diagram === entry.diagram && location === entry.location);
}

const first = <T>(items: Iterable<T>): T | null => {
  for (const item of items) return item;
  return null;
};
