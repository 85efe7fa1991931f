import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '#domain/text/json';
import type { Mock, MockAnswer, MockRoute, MockUpdate, MocksChange } from '#domain/mock/mock';
import { answersOf, hitsOf, MAX_MOCKS, nextAnswer, routeOf } from '#domain/mock/mock';
import { mockRoute } from '#contract/texts/mock-route';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError, messageOf } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { MockRepository, MockRow, NewMockRow } from '../../storage/repositories/mock-repository.ts';
import type { MatchedMock, MatchedRequest, MockEntry } from './match-mock.ts';
import { checkedRoute } from './check-route.ts';
import { firstThatFits, inOrder, patternOf } from './match-mock.ts';
import { parseUrlPattern } from './url-pattern.ts';

export interface MockBookParts {
  mocks: MockRepository;
  commits: CommitQueue;
  clock: Clock;
  /** Whether mocks are loaded when one is first asked for: a short command may need none. */
  loadsLate?: boolean;
}

/** A mock to save: replaces the one with this `id`, and only if that is still equal to `base`. */
export type GivenMock = MockRoute & { id?: number | undefined; base?: MockRoute | undefined };

/** Delay before hits are stored, so that a call need not wait for a disk. */
const HITS_MS = 500;

/** Mocks with counted responses. */
export type CountedMocks = Pick<MockBook, 'find' | 'countHit'>;
/** The mocks that respond to calls. */
export type MockSource = Pick<MockBook, 'find' | 'take'>;

export interface TakenAnswer {
  answer: MockAnswer;
  /** The number of responses of the mock, including this one. */
  hits: number;
}

/** The mocks of the workspace, in memory, in matching order. */
export class MockBook {
  readonly #parts: MockBookParts;
  readonly #changes = new Listeners<MocksChange>();
  readonly #hit = new Set<Mock>();
  /** null until they are loaded. */
  #loaded: MockEntry[] | null;
  #hitTimer: NodeJS.Timeout | null = null;

  constructor(parts: MockBookParts) {
    this.#parts = parts;
    this.#loaded = parts.loadsLate ? null : this.#load();
  }

  get #entries(): readonly MockEntry[] {
    return (this.#loaded ??= this.#load());
  }

  #load(): MockEntry[] {
    return inOrder(this.#parts.mocks.all().flatMap(entryOf));
  }

  /** Called after mocks were changed or used; the returned function removes the listener. */
  onChange(listener: (change: MocksChange) => void): () => void {
    return this.#changes.add(listener);
  }

  /** All of them, in matching order. */
  list(): Mock[] {
    return this.#entries.map(({ mock }) => ({ ...mock }));
  }

  /**
   * The first match, null if there is none. The placeholders of secrets in the request are as the script wrote them.
   */
  find(request: MatchedRequest): MatchedMock | null {
    return firstThatFits(this.#entries, request);
  }

  /** Counts a response; returns the new count. */
  countHit(mock: Mock): number {
    mock.hits += 1;
    mock.lastHitAt = this.#parts.clock.iso();
    this.#storeSoon(mock);
    return mock.hits;
  }

  /** The response to a call: the next one of its sequence. */
  take(mock: Mock): TakenAnswer {
    const answer = nextAnswerOf(mock, mock.position);
    mock.position += 1;
    return { answer, hits: this.countHit(mock) };
  }

  /**
   * Adds a mock, or replaces the one with this id; returns the stored mock. BAD_REQUEST, NOT_FOUND, or CONFLICT if it
   * differs from `base`, with the current one in `data.current`.
   */
  async save({ id, base, ...route }: GivenMock): Promise<Mock> {
    const pattern = patternOf(route);
    const before = id === undefined ? null : this.#entryOf(id).mock;
    if (before === null) this.#checkRoom(1);
    const { mocks, commits } = this.#parts;
    const row = rowOf(route);
    const stored = await commits.run(() => {
      if (before === null) return mocks.add(row);
      // The memory does not reflect earlier jobs of the same transaction.
      const there = mocks.get(before.id);
      if (!there) throw missing(before.id);
      if (base) checkBase(there, base);
      mocks.replace(before.id, row);
      return before.id;
    });
    const mock: Mock = { ...route, id: stored, hits: 0, lastHitAt: null, position: 0 };
    if (before !== null) {
      Object.assign(mock, hitsOf(before));
      // The position in other responses means nothing.
      if (!isDeepStrictEqual(answersOf(before), answersOf(mock))) mock.position = 0;
      this.#hit.delete(before);
      this.#storeSoon(mock);
    }
    this.#set([...this.#without(new Set([stored])), { mock, pattern }]);
    return { ...mock };
  }

  /**
   * Saves the mocks that `change` changes, inside a job of the commit queue. Returns these mocks; listeners are notified
   * after the commit. Throws BAD_REQUEST for an invalid URL.
   */
  rewrite(change: (mock: Mock) => Mock): Mock[] {
    const { mocks, commits } = this.#parts;
    const changed = mocks.all().flatMap((row): MockEntry[] => {
      const [entry] = entryOf(row);
      const rewritten = entry && change(entry.mock);
      if (!rewritten || isDeepStrictEqual(rewritten, entry.mock)) return [];
      mocks.replace(row.id, rowOf(checkedAgain(rewritten)));
      return [{ mock: rewritten, pattern: patternOf(rewritten) }];
    });
    commits.afterCommit(() => {
      if (changed.length === 0) return;
      const counts = new Map(this.#entries.map(({ mock }) => [mock.id, hitsOf(mock)]));
      const counted = changed.map(({ mock, pattern }) => ({
        mock: { ...mock, ...counts.get(mock.id) },
        pattern,
      }));
      this.#set([...this.#without(new Set(changed.map(({ mock }) => mock.id))), ...counted]);
    });
    return changed.map(({ mock }) => mock);
  }

  /** Enables, disables or moves mocks, all or none; returns how many. NOT_FOUND if one is missing. */
  async update(changes: readonly MockUpdate[]): Promise<number> {
    const wanted = new Map(changes.map((change) => [change.id, change]));
    for (const id of wanted.keys()) this.#entryOf(id);
    const { mocks, commits } = this.#parts;
    await commits.run(() => {
      for (const [id, change] of wanted) {
        // The memory does not reflect earlier jobs of the same transaction.
        const row = mocks.get(id);
        const [entry] = row ? entryOf(row) : [];
        if (!entry) throw missing(id);
        mocks.replace(id, rowOf(updated(routeOf(entry.mock), change)));
      }
    });
    // In place: their counters, and earlier saves of the same transaction, stay.
    for (const { mock } of this.#entries) {
      const change = wanted.get(mock.id);
      if (!change) continue;
      const { enabled, folder } = updated(mock, change);
      mock.enabled = enabled;
      if (folder === undefined) delete mock.folder;
      else mock.folder = folder;
    }
    this.#set(this.#entries);
    return wanted.size;
  }

  /** Adds all of them, or replaces everything with them. BAD_REQUEST names the first invalid one. */
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
      const mock = { ...route, id: ids[index] ?? 0, hits: 0, lastHitAt: null, position: 0 };
      return { mock, pattern: patterns[index] ?? patternOf(route) };
    });
    this.#set([...this.#without(before), ...added]);
    return { added: added.length, removed: before.size, ids };
  }

  /** Restores mocks with their ids and hits, except existing ones, and deletes `remove`; all or nothing. */
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
      for (const { mock } of missed) mocks.restore({ ...rowOf(routeOf(mock)), ...hitsOf(mock) });
      return missed;
    });
    this.#set([...this.#without(gone), ...added]);
    return { restored: added.length, removed: gone.size };
  }

  /**
   * Deletes the mocks with these ids, or all if none is given; returns how many. NOT_FOUND means that nothing was
   * deleted.
   */
  async delete(ids: readonly number[] | null): Promise<number> {
    const gone = new Set(ids === null ? this.#ids() : ids.map((id) => this.#entryOf(id).mock.id));
    const { mocks, commits } = this.#parts;
    await commits.run(() => {
      for (const id of gone) mocks.delete(id);
    });
    this.#set(this.#without(gone));
    return gone.size;
  }

  /** Resets all counters to 0. */
  async resetHits(): Promise<void> {
    for (const { mock } of this.#entries) {
      mock.hits = 0;
      mock.lastHitAt = null;
      this.#hit.add(mock);
    }
    await this.#storeHits();
  }

  /** The next calls get the first response again: of the mocks with these ids, or of all. Returns how many. */
  async restartSequences(ids: readonly number[] | null): Promise<number> {
    const mocks = (ids ?? this.#ids()).map((id) => this.#entryOf(id).mock);
    const restarted = mocks.filter(({ sequence }) => sequence !== undefined);
    for (const mock of restarted) {
      mock.position = 0;
      this.#hit.add(mock);
    }
    await this.#storeHits();
    return restarted.length;
  }

  /** Stores the counts. */
  async close(): Promise<void> {
    await this.#storeHits();
    this.#changes.clear();
  }

  #storeSoon(mock: Mock): void {
    this.#hit.add(mock);
    this.#hitTimer ??= setTimeout(() => void this.#storeHits(), HITS_MS).unref();
  }

  async #storeHits(): Promise<void> {
    if (this.#hitTimer !== null) clearTimeout(this.#hitTimer);
    this.#hitTimer = null;
    const hit = [...this.#hit].map(hitsOf);
    this.#hit.clear();
    if (hit.length === 0) return;
    try {
      const { mocks, commits } = this.#parts;
      await commits.run(() => {
        for (const one of hit) mocks.setHits(one);
      });
    } catch {
      // A count that is not stored (the disk is full) is harmless: it continues in memory.
    }
    this.#changes.emit({ total: this.#entries.length, hits: hit });
  }

  #set(entries: readonly MockEntry[]): void {
    this.#loaded = inOrder(entries);
    this.#changes.emit({ total: this.#entries.length, hits: null });
  }

  #ids(): number[] {
    return this.#entries.map(({ mock }) => mock.id);
  }

  /** By id: an earlier save has replaced the entry. */
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
  new TagwrightError('NOT_FOUND', `Mock ${id} does not exist. Run "tagwright mocks list" to see all mocks.`);

function updated(route: MockRoute, { enabled = route.enabled, folder = route.folder }: MockUpdate): MockRoute {
  const { folder: _before, ...rest } = route;
  return { ...rest, enabled, ...(folder !== undefined && folder !== null && { folder }) };
}

/** A changed mock: a longer path may not fit into its URL. */
function checkedAgain(mock: Mock): MockRoute {
  try {
    return checkedRoute(routeOf(mock));
  } catch (thrown) {
    throw new TagwrightError('BAD_REQUEST', messageOf(thrown));
  }
}

/** Throws CONFLICT if a stored mock has changed. */
function checkBase(row: MockRow, base: MockRoute): void {
  const [entry] = entryOf(row);
  if (entry && isDeepStrictEqual(routeOf(entry.mock), base)) return;
  throw new TagwrightError(
    'CONFLICT',
    `The mock "${row.name}" was saved in the meantime; nothing was saved. Reload it, and save your change again.`,
    { data: { current: entry ? parseJson(JSON.stringify(entry.mock)) : null } },
  );
}

function rowOf({ name, enabled, priority, ...route }: MockRoute): NewMockRow {
  return { name, enabled: enabled ? 1 : 0, priority, route: JSON.stringify(route) };
}

/** The response to the next call, after `position` calls. */
export function nextAnswerOf(mock: MockRoute, position: number): MockAnswer {
  return answersOf(mock)[nextAnswer(mock, position)] ?? mock.answer;
}

/** Mocks that this version cannot read are ignored: they stay in the file. */
function entryOf({ route, enabled, ...row }: MockRow): MockEntry[] {
  const stored: unknown = JSON.parse(route);
  const checked = mockRoute().safeParse({
    ...Object(stored),
    name: row.name,
    priority: row.priority,
    enabled: enabled === 1,
  });
  if (!checked.success) return [];
  const mock: Mock = { ...checked.data, ...hitsOf(row) };
  try {
    return [{ mock, pattern: parseUrlPattern(mock.request.url) }];
  } catch {
    return [];
  }
}
