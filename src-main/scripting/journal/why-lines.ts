import type { JournalEntry, JournalRun, ReadSort, RunCount, StoredCause } from '#domain/run/journal';
import type { ShownCount, WhyLine } from '#domain/run/why';
import { isDefaultScope, type Scope, scopeName } from '#domain/tag/scope';
import { grouped } from '#domain/text/grouped';
import { Turns } from '../../platform/turns.ts';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import { clearedScope } from './scoped-changes.ts';

/** Describes entries of the journal: what happened, who did it, and where to look further. */
export class WhyLines {
  readonly #reader: JournalReader;

  constructor(reader: JournalReader) {
    this.#reader = reader;
  }

  /** @param tagId the tag whose write is shown; the first unless given */
  lineOf(entry: JournalEntry, depth: number, tagId?: number): WhyLine {
    const line: WhyLine = {
      depth,
      at: iso(timeOf(entry)),
      kind: entry.kind,
      action: this.#actionOf(entry, tagId),
      actor: this.actorOf(entry.cause),
      ...this.#by(entry.cause),
      ...this.#about(entry, tagId),
      entry: entry.id,
    };
    if (entry.kind === 'write') {
      const write = entry.writes.findLast((one) => one.tagId === tagId) ?? entry.writes[0];
      if (write && 'before' in write) line.before = write.before ?? null;
      if (write && entry.isAgain !== true) line.after = write.after;
    }
    if (entry.kind === 'firing') {
      line.thing = `row:${entry.firing.table}/${entry.firing.firstRow}`;
    }
    if (entry.kind === 'count') {
      const count = this.#countOf(entry.count);
      line.count = count;
      if (entry.count.script) line.script = entry.count.script;
      if (count.sample !== null) line.thing = `run:${count.sample}`;
    }
    if (entry.cause.by === 'run') {
      const run = this.#reader.run(entry.cause.run);
      if (run?.script) line.script = run.script;
      if (entry.cause.line !== null) line.line = entry.cause.line;
      line.thing = `run:${entry.cause.run}`;
    }
    return line;
  }

  #countOf({ runs, failed, from, to, totalMs, longestMs, sample }: RunCount): ShownCount {
    const meanMs = runs === 0 ? 0 : rounded(totalMs / runs);
    const isKept = sample !== null && this.#reader.run(sample) !== null;
    const shown = { from: iso(from), to: iso(to), meanMs, longestMs: rounded(longestMs) };
    return { runs, failed, ...shown, sample: isKept ? sample : null };
  }

  #countText(count: RunCount, namesTag: boolean): string {
    const { script, tagId, rule } = count;
    const { runs, failed, from, to, meanMs, longestMs, sample } = this.#countOf(count);
    const role = namesTag && tagId !== null ? ` as the read script of ${this.#reader.pathOf(tagId)}` : '';
    const name = script ? `${script.name} (version ${script.version})${role}` : `the condition of ${rule?.name ?? ''}`;
    const [first, last] = [from, to].map(withoutMs);
    const took = runs === 1 ? `${longestMs} ms` : `mean ${meanMs} ms, longest ${longestMs} ms`;
    const others = failed === 0 ? '' : `; ${grouped(failed)} more failed`;
    const example = sample === null ? '' : `; sample: run ${sample}`;
    return `${counted(runs)} of ${name} from ${first} to ${last} changed nothing (${took})${others}${example}`;
  }

  /** @param line the line of its call that is explained */
  lineOfRun(run: JournalRun, depth: number, line: number | null): WhyLine {
    const { script, cause } = run;
    const isCondition = run.access === 'condition';
    const what = script
      ? `${script.name} (version ${script.version})`
      : isCondition
        ? run.tag
        : 'a script that is not saved';
    const role = run.access === 'run' || isCondition ? '' : ` as the ${run.access} script of ${run.tag}`;
    const place = isDefaultScope(run) ? '' : `, scope ${scopeName(run)}`;
    return {
      depth,
      at: iso(run.at),
      kind: 'run',
      action: `ran ${what}${role}${place}${endText(run)}`,
      actor: this.actorOf(cause),
      ...(script && { script }),
      ...(line !== null && { line }),
      ...this.#by(cause),
      ...(run.access !== 'run' && !isCondition && { tag: run.tag }),
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
      case 'count': {
        const { rule, tagId: countedTag } = entry.count;
        return rule ? { rule } : this.#tag(countedTag ?? 0);
      }
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
        const what = `${this.#reader.pathOf(id)}${others}${inScope(entry)}`;
        if (entry.isAgain) {
          const where = entry.cause.by === 'run' ? ', in this run or a later one' : '';
          return `may have written ${what} again${where}: Tagwright ended before that was recorded`;
        }
        return entry.isUncertain
          ? `may have written ${what}: Tagwright ended before the outcome was known`
          : `wrote ${what}`;
      }
      case 'force':
      case 'release':
      case 'clear': {
        const path = this.#reader.pathOf(tagId ?? entry.tagIds[0] ?? 0);
        const others = tagId === undefined && entry.tagIds.length > 1 ? ` and ${entry.tagIds.length - 1} more` : '';
        if (entry.kind === 'release') return `released ${path}${others}`;
        if (entry.kind === 'clear') return `cleared the value of ${path}${others}${inScope(clearedScope(entry.what))}`;
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
        const own = tagId === undefined ? undefined : entry.paths?.[entry.tagIds.indexOf(tagId)];
        if (entry.what.startsWith('deleted')) return own === undefined ? `${entry.what}${others}` : `deleted ${own}`;
        return entry.what === 'created' ? `created ${path}${others}` : `changed the definition of ${path}${others}`;
      }
      case 'rule':
        return `${entry.what} the rule ${entry.rule}`;
      case 'count':
        return this.#countText(entry.count, tagId === undefined);
      default:
        return `restored the backup ${entry.backup}`;
    }
  }

  /** Who did it. */
  actorOf(cause: StoredCause): string {
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
        return `${cause.method} from ${cause.userAgent === undefined ? cause.address : `${cause.userAgent} (${cause.address})`}`;
      case 'read':
        return cause.of === undefined ? 'a read of the tag' : READERS[cause.of];
      case 'rule':
        return 'its window closed';
      case 'retention':
        return 'the retention settings';
      default:
        return 'a cause that this version does not know';
    }
  }
}

/** An entry that deleted the tag of a path, or gave it another name. */
export interface GoneTag {
  entry: JournalEntry;
  tagId: number;
  isRenamed: boolean;
}

/** The newest entry about a tag that no longer exists, of the whole journal, in turns with other work; null if the tag exists, or there is none. */
export async function goneTag(reader: JournalReader, path: string): Promise<GoneTag | null> {
  if (reader.tagId(path) !== null) return null;
  const turns = new Turns();
  for (const entry of reader.naming(path)) {
    const found = entry && goneTagIn(entry, path);
    if (found) return found;
    const pause = turns.due();
    if (pause) await pause;
  }
  return null;
}

/** What an entry says about a tag of this path that no longer exists; null if it says nothing. */
function goneTagIn(entry: JournalEntry, path: string): GoneTag | null {
  if (entry.kind !== 'define') return null;
  const isRenamed = entry.what === `renamed from ${path}`;
  const place = isRenamed || entry.what === `deleted ${path}` ? 0 : (entry.paths?.indexOf(path) ?? -1);
  const tagId = entry.tagIds[place];
  return tagId === undefined ? null : { entry, tagId, isRenamed };
}

/** Says since when there is data. */
export function nothingOf(what: string, since: string | null): string {
  return since === null
    ? `The journal has no entry about ${what}: it is empty.`
    : `The journal has no entry about ${what}. It has data since ${since}.`;
}

/** When it happened, ms since 1970: the row of a count is written again while runs continue, with the time of the first one. */
export const timeOf = (entry: JournalEntry): number => (entry.kind === 'count' ? entry.count.to : entry.at);

function personText({ user, from }: Extract<StoredCause, { by: 'person' | 'import' }>): string {
  const who = user === null ? 'a user' : `user ${user}`;
  if (from === undefined) return who;
  return `${who} ${from === 'window' ? 'in the window' : 'on the command line'}`;
}

export const inScope = (scope: Scope | null): string =>
  !scope || isDefaultScope(scope) ? '' : ` in scope ${scopeName(scope)}`;

const READERS: Readonly<Record<ReadSort, string>> = { watch: 'a watch of the tag', rule: 'a rule over the tag' };

const counted = (runs: number): string => (runs === 1 ? '1 run' : `${grouped(runs)} runs`);
const rounded = (ms: number): number => Math.round(ms * 100) / 100;
const withoutMs = (at: string): string => at.replace(/\.\d+/, '');

const iso = (ms: number): string => new Date(ms).toISOString();

function endText({ end }: JournalRun): string {
  if (!end) return ', which has no end in the journal';
  return `${end.status === 'ok' ? '' : `, which ended with ${end.status}`}${end.dryRun ? ' (dry run)' : ''}`;
}
