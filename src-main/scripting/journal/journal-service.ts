import { bodyOf, type Capsule, MAX_RECORDED_TEXT } from '#domain/run/capsule';
import type { JournalEntry, JournalKind, JournalRun } from '#domain/run/journal';
import type { TagHistory } from '#domain/run/tag-history';
import type { Why, WhyLine, WhyThing } from '#domain/run/why';
import type { Scope } from '#domain/tag/scope';
import { grouped } from '#domain/text/grouped';
import type { Settings } from '#domain/workspace/settings';
import type { Clock } from '../../platform/clock.ts';
import { type Done, done } from '../../platform/done.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Turns } from '../../platform/turns.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import { AgeLimit } from '../../storage/journal/age-limit.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import { capsuleFileOf } from '../capsules/large-capsules.ts';
import type { RunCounts } from './run-counts.ts';
import { contentOf, isLonger } from './run-journal.ts';
import type { TagHistories } from './tag-history.ts';
import type { WhyReader } from './why.ts';
import { goneTag, timeOf } from './why-lines.ts';
import type { WhyRecords } from './why-records.ts';

export interface JournalServiceParts {
  journal: Journal;
  /** Runs that ended but are not stored yet. */
  runs: Pick<RunCounts, 'flush' | 'forget'>;
  reader: JournalReader;
  explained: WhyReader;
  records: WhyRecords;
  histories: TagHistories;
  /** The paths of existing tags that are most similar to one that does not exist. */
  nearestTo: (path: string) => readonly string[];
  commits: CommitQueue;
  clock: Clock;
  /** ms that have passed; that of this process unless given. */
  elapsed?: () => number;
  /** Stores the samples of rules that are still in memory. */
  storeSamples: () => Promise<void>;
  settings: { get(): Settings };
  log: (where: string, fault: unknown) => void;
}

interface JournalFilter {
  kind?: JournalKind | 'run' | undefined;
  tag?: string | undefined;
  text?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The content of a run, and its bytes as text. */
interface StoredContent {
  content: Omit<Capsule, 'hash'>;
  bytes: number;
}

interface Found {
  id: number;
  kind: JournalKind | 'run';
  /** ms since 1970 */
  at: number;
  /** Describes it, which takes most of the time. */
  line: () => WhyLine;
}

interface Listed {
  kind: Found['kind'];
  line: WhyLine;
}

const PAGE = 100;
/** Entries that one page reads, and that an export has. */
const MOST_READ = 20_000;
const MOST_EXPORTED = 100_000;
const EXPIRE_EVERY_MS = 30_000;
const DAY_MS = 86_400_000;
const MB = 1_048_576;

/** The journal for the workbench. Methods are named after the procedures of the contract. */
export class JournalService {
  readonly #parts: JournalServiceParts;
  readonly #age: AgeLimit;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(parts: JournalServiceParts) {
    this.#parts = parts;
    this.#age = new AgeLimit(parts.clock, parts.elapsed);
  }

  /** Keeps the journal within its limits from now on. */
  start(): void {
    this.#timer = setInterval(() => {
      this.expire().catch((thrown: unknown) => this.#parts.log('the limits of the journal', thrown));
    }, EXPIRE_EVERY_MS).unref();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Deletes the oldest blocks that exceed the limits, each in its own transaction. */
  async expire(): Promise<void> {
    const { journal, commits, clock, settings } = this.#parts;
    const age = this.#age;
    const { 'journal.megabytes': megabytes, 'journal.days': days } = settings.get();
    const before = days === 0 ? Number.NEGATIVE_INFINITY : clock.now() - days * DAY_MS;
    age.look(days === 0 ? Infinity : days);
    const step = () => !this.#closed && journal.expire({ bytes: megabytes * MB, before, age });
    while (!this.#closed && (await commits.run(step)));
  }

  status(): { since: string | null; bytes: number; recording: boolean } {
    const { journal, reader } = this.#parts;
    const since = reader.since();
    return { since: since === null ? null : iso(since), bytes: journal.blocks.bytes, recording: journal.enabled };
  }

  async list({
    limit = PAGE,
    below,
    ...filter
  }: JournalFilter & { limit?: number | undefined; below?: number | undefined }) {
    await this.#parts.runs.flush();
    const entries: Listed[] = [];
    const turns = new Turns();
    let read = 0;
    for (const found of this.#newest(filter, below)) {
      read += 1;
      const listed = listedIf(found, filter);
      if (listed) entries.push(listed);
      if (entries.length === limit || read === MOST_READ) return { entries, next: found.id };
      const pause = turns.due();
      if (pause) await pause;
    }
    return { entries, next: null };
  }

  async export(filter: JournalFilter): Promise<{ text: string; count: number }> {
    await this.#parts.runs.flush();
    const lines: string[] = [];
    const turns = new Turns();
    for (const found of this.#newest(filter, undefined)) {
      const listed = listedIf(found, filter);
      if (listed) lines.push(JSON.stringify(listed.line));
      if (lines.length === MOST_EXPORTED) break;
      const pause = turns.due();
      if (pause) await pause;
    }
    return { text: lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`, count: lines.length };
  }

  async get({ id }: { id: number }) {
    await this.#parts.runs.flush();
    const { reader, explained } = this.#parts;
    const run = reader.run(id);
    if (run) {
      const content = (await this.#content(run))?.content;
      const [report, body] = content ? [content.report, bodyOf(content)] : [null, null];
      const state = { pinned: run.pinned, full: run.isFull, report, body };
      return { line: explained.lines.lineOfRun(run, 0, null), values: [], run: state };
    }
    const entry = reader.entry(id) ?? missing(id, this.status().since);
    const values =
      entry.kind === 'write' ? entry.writes.map(({ tagId }) => explained.lines.lineOf(entry, 0, tagId)) : [];
    return { line: explained.lines.lineOf(entry, 0), values, run: null };
  }

  async why({
    thing,
    at,
    scope,
  }: {
    thing: WhyThing;
    at?: string | undefined;
    scope?: Scope | undefined;
  }): Promise<Why> {
    await this.#parts.runs.flush();
    if (thing.kind === 'request' || thing.kind === 'call' || thing.kind === 'erp')
      return this.#parts.records.why(thing.kind, thing.id);
    // Otherwise the window of an event that was just fired has none.
    if (thing.kind === 'event' || thing.kind === 'row') await this.#parts.storeSamples();
    const until = at === undefined ? undefined : Date.parse(at);
    const { explained, reader } = this.#parts;
    const gone = thing.kind === 'tag' ? await goneTag(reader, thing.path) : null;
    const why = explained.why(thing, until, scope, gone);
    if (thing.kind === 'tag' && gone === null && reader.tagId(thing.path) === null) {
      const near = this.#parts.nearestTo(thing.path).map((path) => `"${path}"`);
      if (near.length > 0) why.problem = `${why.problem ?? ''} Did you mean ${near.join(' or ')}?`;
    }
    if (thing.kind === 'event') {
      await this.#parts.records.addReads(why, thing.id, until ?? this.#parts.clock.now(), until === undefined);
    }
    return why;
  }

  /** Who wrote a tag, and who read it. */
  async tag({ path }: { path: string }): Promise<TagHistory> {
    await this.#parts.runs.flush();
    return this.#parts.histories.of(path);
  }

  async pin({ id, pinned }: { id: number; pinned: boolean }): Promise<Done> {
    await this.#parts.runs.flush();
    const { commits, journal } = this.#parts;
    if (!(await commits.run(() => journal.blocks.pin(id, pinned)))) this.#noRun(id);
    return done;
  }

  async clear(): Promise<Done> {
    await this.#parts.runs.flush();
    const { commits, journal } = this.#parts;
    await commits.run(() => journal.clear());
    this.#parts.runs.forget();
    return done;
  }

  async capsule({ id, gzip = false }: { id: number; gzip?: boolean | undefined }) {
    await this.#parts.runs.flush();
    if (!this.#parts.reader.run(id)) this.#noRun(id);
    const bytes = this.#parts.reader.content(id);
    const capsule = bytes && (await capsuleFileOf(bytes, gzip));
    return { capsule, problem: capsule === null ? (await this.content(id)).problem : null };
  }

  /**
   * What a run saw and did, with its size as text, or why that is not known. NOT_FOUND.
   * @param most bytes of its text
   */
  async content(id: number, most?: number): Promise<{ read: StoredContent | null; problem: string | null }> {
    await this.#parts.runs.flush();
    const run = this.#parts.reader.run(id) ?? this.#noRun(id);
    const read = await this.#content(run, most);
    if (read) return { read, problem: null };
    const bytes = this.#parts.reader.content(id);
    if (most !== undefined && bytes && (await isLonger(bytes, most))) {
      const limit = `${grouped(most)} bytes (${most / 1_048_576} MB), the most that a window opens`;
      return {
        read: null,
        problem: `what it saw has more than ${limit}. "tagwright journal capsule ${id} FILE" saves it for "tagwright replay FILE"`,
      };
    }
    const problem = run.isFull
      ? 'what the journal has of this run is damaged'
      : 'this run is not stored in full: only sample runs and runs started by a person without a debugger are, if their ' +
        `calls returned at most ${grouped(MAX_RECORDED_TEXT)} characters`;
    return { read: null, problem };
  }

  #noRun(id: number): never {
    if (!this.#parts.reader.entry(id)) missing(id, this.status().since);
    throw new TagwrightError('NOT_FOUND', `Entry ${id} is not a run. "tagwright journal list --kind run" lists runs.`);
  }

  async #content({ id }: JournalRun, most?: number): Promise<StoredContent | null> {
    const bytes = this.#parts.reader.content(id);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `RunJournal` only
    return bytes && ((await contentOf(bytes, most)) as unknown as StoredContent | null);
  }

  /** Entries and runs by their ids, newest first, without most that another time, kind or tag than that of the filter has. */
  *#newest({ kind, tag, from, to }: JournalFilter, below = Number.MAX_SAFE_INTEGER): Generator<Found> {
    const { reader, explained } = this.#parts;
    const tagId = tag === undefined ? undefined : (reader.tagId(tag) ?? 0);
    const during = {
      ...(from !== undefined && { from: Date.parse(from) }),
      ...(to !== undefined && { to: Date.parse(to) }),
    };
    const entries: Iterator<JournalEntry> =
      kind === 'run'
        ? [].values()
        : tagId === undefined
          ? reader.newest(below, during)
          : reader.about({ kind: 'tag', tagId, counts: true }, below);
    const runs = kind === undefined || kind === 'run' ? this.#runs(below) : [].values();
    let [entry, run] = [entries.next(), runs.next()];
    while (!entry.done || !run.done) {
      if (!entry.done && (run.done || entry.value.id > run.value.id)) {
        const { value } = entry;
        yield {
          id: value.id,
          kind: value.kind,
          at: timeOf(value),
          line: () => explained.lines.lineOf(value, 0, tagId),
        };
        entry = entries.next();
      } else if (!run.done) {
        const { value } = run;
        if (tag === undefined || value.tag === tag)
          yield { id: value.id, kind: 'run', at: value.at, line: () => explained.lines.lineOfRun(value, 0, null) };
        run = runs.next();
      }
    }
  }

  *#runs(below: number): Generator<JournalRun, void> {
    for (let end = below; ;) {
      const runs = this.#parts.reader.runs(end, PAGE);
      yield* runs;
      const last = runs.at(-1);
      if (!last) return;
      end = last.id;
    }
  }
}

/** The entry with its line, if the filter wants it. */
function listedIf({ kind, at, line: describe }: Found, filter: JournalFilter): Listed | null {
  if (filter.kind !== undefined && filter.kind !== kind) return null;
  if (filter.from !== undefined && at < Date.parse(filter.from)) return null;
  if (filter.to !== undefined && at > Date.parse(filter.to)) return null;
  const line = describe();
  const text = filter.text?.toLowerCase() ?? '';
  return text === '' || `${line.action} ${line.actor}`.toLowerCase().includes(text) ? { kind, line } : null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function missing(id: number, since: string | null): never {
  const known = since === null ? 'it is empty' : `it has data since ${since}`;
  throw new TagwrightError(
    'NOT_FOUND',
    `The journal has no entry ${id}: ${known}. "tagwright journal list" shows its entries.`,
  );
}
