import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '#domain/text/json';
import type { Mock, MockRoute, MocksChange } from '#domain/mock/mock';
import { mockRoute } from '#contract/mocks';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { MockRepository, MockRow, NewMockRow } from '../../storage/repositories/mock-repository.ts';
import type { HttpRequest } from '../http/build-request.ts';
import type { MatchedMock, MockEntry } from './match-mock.ts';
import { firstThatFits, inOrder, patternOf } from './match-mock.ts';
import { parseUrlPattern } from './url-pattern.ts';

export interface MockBookParts {
  mocks: MockRepository;
  commits: CommitQueue;
  clock: Clock;
}

/** A mock to be saved: over that of `id` where there is one, and only if that still says what `base` says. */
export type GivenMock = MockRoute & { id?: number | undefined; base?: MockRoute | undefined };

export const MAX_MOCKS = 10_000;
/** Hits are stored so long after the first of them: a call need not wait for a disk. */
const HITS_MS = 500;

/** What answers in place of far ends. */
export type MockSource = Pick<MockBook, 'find' | 'countHit'>;

/** The mocks of the workspace, in memory, in the order in which they are asked. */
export class MockBook {
  readonly #parts: MockBookParts;
  readonly #changes = new Listeners<MocksChange>();
  readonly #hit = new Set<Mock>();
  #entries: MockEntry[];
  #hitTimer: NodeJS.Timeout | null = null;

  constructor(parts: MockBookParts) {
    this.#parts = parts;
    this.#entries = inOrder(parts.mocks.all().flatMap(entryOf));
  }

  /** Called after mocks were changed, or answered; the function returned removes the listener. */
  onChange(listener: (change: MocksChange) => void): () => void {
    return this.#changes.add(listener);
  }

  /** All of them, in the order in which they are asked. */
  list(): Mock[] {
    return this.#entries.map(({ mock }) => ({ ...mock }));
  }

  /** The first that fits, null where none does. The placeholders of secrets in the request are as the script wrote them. */
  find(request: HttpRequest): MatchedMock | null {
    return firstThatFits(this.#entries, request);
  }

  /** Counts an answer; how many there were with it. */
  countHit(mock: Mock): number {
    mock.hits += 1;
    mock.lastHitAt = this.#parts.clock.iso();
    this.#hit.add(mock);
    this.#hitTimer ??= setTimeout(() => void this.#storeHits(), HITS_MS).unref();
    return mock.hits;
  }

  /**
   * Adds a mock, or replaces the one of that id; returns it as stored. BAD_REQUEST, NOT_FOUND, or CONFLICT where it says
   * something else than `base`, with what it says in `data.current`.
   */
  async save({ id, base, ...route }: GivenMock): Promise<Mock> {
    const pattern = patternOf(route);
    const before = id === undefined ? null : this.#entryOf(id).mock;
    if (before === null) this.#checkRoom(1);
    const { mocks, commits } = this.#parts;
    const row = rowOf(route);
    const stored = await commits.run(() => {
      if (before === null) return mocks.add(row);
      // What is in memory does not know of jobs before this one in the same transaction.
      const there = mocks.get(before.id);
      if (!there) throw missing(before.id);
      if (base) checkBase(there, base);
      mocks.replace(before.id, row);
      return before.id;
    });
    const mock = { ...route, id: stored, hits: before?.hits ?? 0, lastHitAt: before?.lastHitAt ?? null };
    this.#set([...this.#without(new Set([stored])), { mock, pattern }]);
    return { ...mock };
  }

  /** Adds all of them, or replaces everything with them. BAD_REQUEST names the first that does not fit. */
  async addAll(
    routes: readonly MockRoute[],
    replace: boolean,
  ): Promise<{ added: number; removed: number; ids: number[] }> {
    const patterns = routes.map(patternOf);
    const before = new Set(replace ? this.#ids() : []);
    this.#checkRoom(routes.length - before.size);
    const { mocks, commits } = this.#parts;
    const ids = await commits.run(() => {
      for (const id of before) mocks.delete(id);
      return routes.map((route) => mocks.add(rowOf(route)));
    });
    const added = routes.map((route, index): MockEntry => {
      const mock = { ...route, id: ids[index] ?? 0, hits: 0, lastHitAt: null };
      return { mock, pattern: patterns[index] ?? patternOf(route) };
    });
    this.#set([...this.#without(before), ...added]);
    return { added: added.length, removed: before.size, ids };
  }

  /** Puts mocks back with their ids and hits, but for those that are there, and deletes `remove`; all or nothing. */
  async restore(back: readonly Mock[], remove: readonly number[]): Promise<{ restored: number; removed: number }> {
    const there = new Set(this.#ids());
    const wanted = back
      .filter(({ id }) => !there.has(id))
      .map((mock): MockEntry => ({ mock: { ...mock }, pattern: patternOf(mock) }));
    const gone = new Set(remove.filter((id) => there.has(id)));
    this.#checkRoom(wanted.length - gone.size);
    const { mocks, commits } = this.#parts;
    const added = await commits.run(() => {
      for (const id of gone) mocks.delete(id);
      const missed = wanted.filter(({ mock }) => !mocks.get(mock.id));
      for (const { mock } of missed) mocks.putBack({ ...rowOf(routeOf(mock)), ...countOf(mock) });
      return missed;
    });
    this.#set([...this.#without(gone), ...added]);
    return { restored: added.length, removed: gone.size };
  }

  /** Deletes those of these ids, all where none is named; returns how many. NOT_FOUND, then nothing was deleted. */
  async delete(ids: readonly number[] | null): Promise<number> {
    const gone = new Set(ids === null ? this.#ids() : ids.map((id) => this.#entryOf(id).mock.id));
    const { mocks, commits } = this.#parts;
    await commits.run(() => {
      for (const id of gone) mocks.delete(id);
    });
    this.#set(this.#without(gone));
    return gone.size;
  }

  /** Sets the counters of all back to 0. */
  async resetHits(): Promise<void> {
    for (const { mock } of this.#entries) {
      mock.hits = 0;
      mock.lastHitAt = null;
      this.#hit.add(mock);
    }
    await this.#storeHits();
  }

  /** Stores what is counted. */
  async close(): Promise<void> {
    await this.#storeHits();
    this.#changes.clear();
  }

  async #storeHits(): Promise<void> {
    if (this.#hitTimer !== null) clearTimeout(this.#hitTimer);
    this.#hitTimer = null;
    const hit = [...this.#hit].map(({ id, hits, lastHitAt }) => ({ id, hits, lastHitAt }));
    this.#hit.clear();
    if (hit.length === 0) return;
    try {
      const { mocks, commits } = this.#parts;
      await commits.run(() => {
        for (const { id, hits, lastHitAt } of hit) mocks.setHits(id, hits, lastHitAt);
      });
    } catch {
      // A count that is not stored (the disk is full) harms nobody: it goes on in memory.
    }
    this.#changes.emit({ total: this.#entries.length, hits: hit });
  }

  #set(entries: MockEntry[]): void {
    this.#entries = inOrder(entries);
    this.#changes.emit({ total: this.#entries.length, hits: null });
  }

  #ids(): number[] {
    return this.#entries.map(({ mock }) => mock.id);
  }

  /** By their ids: a save that was asked for before made an entry of its own. */
  #without(ids: ReadonlySet<number>): MockEntry[] {
    return this.#entries.filter(({ mock }) => !ids.has(mock.id));
  }

  #entryOf(id: number): MockEntry {
    const entry = this.#entries.find(({ mock }) => mock.id === id);
    if (entry) return entry;
    throw missing(id);
  }

  #checkRoom(more: number): void {
    if (this.#entries.length + more <= MAX_MOCKS) return;
    throw new TagwrightError('BAD_REQUEST', `A workspace has at most ${MAX_MOCKS} mocks. Delete some first.`);
  }
}

const missing = (id: number): TagwrightError =>
  new TagwrightError('NOT_FOUND', `There is no mock ${id}. "tagwright mocks list" shows all.`);

/** Throws CONFLICT where a stored mock says something else. */
function checkBase(row: MockRow, base: MockRoute): void {
  const [entry] = entryOf(row);
  if (entry && isDeepStrictEqual(routeOf(entry.mock), base)) return;
  throw new TagwrightError(
    'CONFLICT',
    `The mock "${row.name}" was saved meanwhile; nothing was saved. Read it again, and save your change over that.`,
    { data: { current: entry ? parseJson(JSON.stringify(entry.mock)) : null } },
  );
}

function rowOf({ name, enabled, priority, ...route }: MockRoute): NewMockRow {
  return { name, enabled: enabled ? 1 : 0, priority, route: JSON.stringify(route) };
}

const routeOf = ({ name, enabled, priority, request, answer }: Mock): MockRoute => ({
  name,
  enabled,
  priority,
  request,
  answer,
});
const countOf = ({ id, hits, lastHitAt }: Mock) => ({ id, hits, lastHitAt });

/** What this version cannot read is left out: it stays in the file. */
function entryOf({ route, enabled, ...row }: MockRow): MockEntry[] {
  const stored: unknown = JSON.parse(route);
  const checked = mockRoute.safeParse({
    ...Object(stored),
    name: row.name,
    priority: row.priority,
    enabled: enabled === 1,
  });
  if (!checked.success) return [];
  const mock: Mock = { ...checked.data, id: row.id, hits: row.hits, lastHitAt: row.lastHitAt };
  try {
    return [{ mock, pattern: parseUrlPattern(mock.request.url) }];
  } catch {
    return [];
  }
}
