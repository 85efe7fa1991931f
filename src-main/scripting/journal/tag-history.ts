import type { JournalRun } from '#domain/run/journal';
import type { TagHistory, TagUser } from '#domain/run/tag-history';
import { isJsonObject, type Json } from '#domain/text/json';
import { Turns } from '../../platform/turns.ts';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import { inflated } from './run-journal.ts';
import type { WhyLines } from './why-lines.ts';

/** What one request reads, newest first: entries about the tag, runs, and bytes of their contents. */
const MOST_ENTRIES = 5_000;
const MOST_RUNS = 2_000;
const MOST_BYTES = 4 * 1_048_576;
/** Compressed bytes of a run that is read for its calls; a larger one would take too long to parse. */
const LARGEST = 65_536;
const PAGE = 100;
/** Listed writers, and readers. */
const LISTED = 30;

/** Finds who wrote a tag and who read it. */
export class TagHistories {
  readonly #reader: JournalReader;
  readonly #lines: WhyLines;

  constructor(reader: JournalReader, lines: WhyLines) {
    this.#reader = reader;
    this.#lines = lines;
  }

  async of(path: string): Promise<TagHistory> {
    const writers = await this.#writers(path);
    const readers = await this.#readers(path);
    return {
      writers: writers.users,
      readers: readers.users,
      entries: writers.count,
      runs: readers.count,
      isComplete: writers.isComplete && readers.isComplete,
    };
  }

  async #writers(path: string) {
    const users = new Users();
    const tagId = this.#reader.tagId(path);
    const turns = new Turns();
    let count = 0;
    for (const entry of tagId === null ? [] : this.#reader.about({ kind: 'tag', tagId })) {
      if (count === MOST_ENTRIES) return { users: users.list(), count, isComplete: false };
      count += 1;
      if (entry.kind !== 'define') {
        const { actor, at, thing, script, line } = this.#lines.lineOf(entry, 0, tagId ?? undefined);
        users.add({ actor, at, thing, script, line });
      }
      const pause = turns.due();
      if (pause) await pause;
    }
    return { users: users.list(), count, isComplete: users.size <= LISTED };
  }

  /** Readers in runs that are stored in full: what a tag or a rule reads is not recorded. */
  async #readers(path: string) {
    const users = new Users();
    const wanted = Buffer.from(JSON.stringify(path));
    const turns = new Turns();
    let [below, seen, count, bytes, isComplete] = [Number.MAX_SAFE_INTEGER, 0, 0, 0, true];
    for (;;) {
      const page = this.#reader.runs(below, PAGE);
      for (const run of page.filter(({ isFull }) => isFull)) {
        const content = this.#reader.content(run.id);
        if (!content) continue;
        if (content.length > LARGEST) isComplete = false;
        else {
          bytes += content.length;
          count += 1;
          const text = await inflated(content);
          if (text?.includes(wanted)) this.#addReads(run, path, text, users);
        }
        const pause = turns.due();
        if (pause) await pause;
      }
      seen += page.length;
      const last = page.at(-1);
      if (!last) return { users: users.list(), count, isComplete: isComplete && users.size <= LISTED };
      if (seen >= MOST_RUNS || bytes >= MOST_BYTES) return { users: users.list(), count, isComplete: false };
      below = last.id;
    }
  }

  #addReads(run: JournalRun, path: string, text: Buffer, users: Users): void {
    const report = reportIn(text);
    const at = new Date(run.at).toISOString();
    const lines = linesOf(report, path);
    for (const line of lines) {
      const actor = this.#lines.actorOf({ by: 'run', run: run.id, line });
      users.add({
        actor: run.script ? actor : `a script that is not saved${line === null ? '' : `, line ${line}`}`,
        at,
        thing: `run:${run.id}`,
        script: run.script ?? undefined,
        line: line ?? undefined,
      });
    }
    for (const nested of nestedIn(report)) {
      for (const line of linesOf(nested, path)) {
        const access = nested['access'] === 'write' ? 'write' : 'read';
        const tag = typeof nested['tag'] === 'string' ? nested['tag'] : 'a tag';
        const actor = `${access} script of ${tag}${line === null ? '' : `, line ${line}`}`;
        users.add({ actor, at, thing: `run:${run.id}`, script: undefined, line: undefined });
      }
    }
  }
}

type SeenUser = { [K in 'script' | 'line' | 'thing']: TagUser[K] | undefined } & Pick<TagUser, 'actor' | 'at'>;

/** The actors by their identity, the latest first. */
class Users {
  readonly #users = new Map<string, TagUser>();

  get size(): number {
    return this.#users.size;
  }

  /** Newest first. Each run that is not saved is another actor, so these share one. */
  add({ actor, at, thing, script, line }: SeenUser): void {
    const name = actor.replace(/^run \d+/, 'a script that is not saved');
    const known = this.#users.get(name);
    if (known) {
      known.count += 1;
      return;
    }
    const more = {
      ...(script && { script }),
      ...(line !== undefined && { line }),
      ...(thing !== undefined && { thing }),
    };
    this.#users.set(name, { actor: name, count: 1, at, ...more });
  }

  list(): TagUser[] {
    return [...this.#users.values()].slice(0, LISTED);
  }
}

function reportIn(text: Buffer): Json {
  try {
    const content: Json = JSON.parse(text.toString());
    return isJsonObject(content) ? (content['report'] ?? null) : null;
  } catch {
    return null;
  }
}

/** The lines in which a run read a tag; null for an unknown line. */
function linesOf(acts: Json, path: string): Set<number | null> {
  const reads = isJsonObject(acts) ? acts['reads'] : null;
  const lines = new Set<number | null>();
  for (const read of Array.isArray(reads) ? reads : []) {
    if (isJsonObject(read) && read['path'] === path) lines.add(typeof read['line'] === 'number' ? read['line'] : null);
  }
  return lines;
}

function* nestedIn(acts: Json): Generator<Record<string, Json>> {
  const nested = isJsonObject(acts) ? acts['nested'] : null;
  for (const run of Array.isArray(nested) ? nested : []) {
    if (!isJsonObject(run)) continue;
    yield run;
    yield* nestedIn(run);
  }
}
