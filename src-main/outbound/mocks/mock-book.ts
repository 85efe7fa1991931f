import type { Mock, MockRoute } from '#domain/mock';
import { mockRoute } from '#contract/mocks';
import type { Clock } from '../../platform/clock.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { MockRepository, MockRow, NewMockRow } from '../../storage/mock-repository.ts';
import type { HttpRequest } from '../build-request.ts';
import { matchesGlob } from './glob.ts';
import { matchesBody } from './match-body.ts';
import type { UrlPattern } from './url-pattern.ts';
import { matchUrl, parseUrlPattern } from './url-pattern.ts';

export interface MockBookParts {
  mocks: MockRepository;
  commits: CommitQueue;
  clock: Clock;
}

interface Entry {
  mock: Mock;
  pattern: UrlPattern;
}

export interface MatchedMock {
  mock: Mock;
  /** The named parts of the path. */
  path: Record<string, string>;
}

export const MAX_MOCKS = 10_000;
/** Hits are stored so long after the first of them: a call need not wait for a disk. */
const HITS_MS = 500;

/** What answers in place of far ends. */
export type MockSource = Pick<MockBook, 'find' | 'countHit'>;

/** The mocks of the workspace, in memory, in the order in which they are asked. */
export class MockBook {
  readonly #parts: MockBookParts;
  readonly #changes = new Listeners<{ total: number }>();
  readonly #hit = new Set<Mock>();
  #entries: Entry[];
  #hitTimer: NodeJS.Timeout | null = null;

  constructor(parts: MockBookParts) {
    this.#parts = parts;
    this.#entries = inOrder(parts.mocks.all().flatMap(entryOf));
  }

  /** Called after mocks were changed, or answered; the function returned removes the listener. */
  onChange(listener: (change: { total: number }) => void): () => void {
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

  /** Adds a mock, or replaces the one of that id; returns it as stored. BAD_REQUEST, NOT_FOUND. */
  async save({ id, ...route }: MockRoute & { id?: number | undefined }): Promise<Mock> {
    const pattern = patternOf(route);
    const before = id === undefined ? null : this.#entryOf(id).mock;
    if (before === null) this.#checkRoom(1);
    const { mocks, commits } = this.#parts;
    const row = rowOf(route);
    const stored = await commits.run(() => {
      if (before === null) return mocks.add(row);
      mocks.replace(before.id, row);
      return before.id;
    });
    const mock = { ...route, id: stored, hits: before?.hits ?? 0, lastHitAt: before?.lastHitAt ?? null };
    this.#set([...this.#entries.filter((entry) => entry.mock.id !== stored), { mock, pattern }]);
    return { ...mock };
  }

  /** Adds all of them, or replaces everything with them. BAD_REQUEST names the first that does not fit. */
  async addAll(routes: readonly MockRoute[], replace: boolean): Promise<{ added: number; removed: number }> {
    const patterns = routes.map(patternOf);
    const before = replace ? this.#entries : [];
    this.#checkRoom(routes.length - before.length);
    const { mocks, commits } = this.#parts;
    const ids = await commits.run(() => {
      for (const { mock } of before) mocks.delete(mock.id);
      return routes.map((route) => mocks.add(rowOf(route)));
    });
    const added = routes.map((route, index): Entry => {
      const mock = { ...route, id: ids[index] ?? 0, hits: 0, lastHitAt: null };
      return { mock, pattern: patterns[index] ?? patternOf(route) };
    });
    const removed = new Set(before);
    this.#set([...this.#entries.filter((entry) => !removed.has(entry)), ...added]);
    return { added: added.length, removed: before.length };
  }

  /** Deletes those of these ids, all where none is named; returns how many. NOT_FOUND, then nothing was deleted. */
  async delete(ids: readonly number[] | null): Promise<number> {
    const gone = new Set(ids === null ? this.#entries : ids.map((id) => this.#entryOf(id)));
    const { mocks, commits } = this.#parts;
    await commits.run(() => {
      for (const { mock } of gone) mocks.delete(mock.id);
    });
    this.#set(this.#entries.filter((entry) => !gone.has(entry)));
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
    const hit = [...this.#hit];
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
    this.#changes.emit({ total: this.#entries.length });
  }

  #set(entries: Entry[]): void {
    this.#entries = inOrder(entries);
    this.#changes.emit({ total: this.#entries.length });
  }

  #entryOf(id: number): Entry {
    const entry = this.#entries.find(({ mock }) => mock.id === id);
    if (entry) return entry;
    throw new TagwrightError('NOT_FOUND', `There is no mock ${id}. "tagwright mocks list" shows all.`);
  }

  #checkRoom(more: number): void {
    if (this.#entries.length + more <= MAX_MOCKS) return;
    throw new TagwrightError('BAD_REQUEST', `A workspace has at most ${MAX_MOCKS} mocks. Delete some first.`);
  }
}

/** Mocks that are not of the workspace, asked before those; their answers are counted for as long as they are there. */
export class MocksBefore implements MockSource {
  readonly #entries: Entry[];
  readonly #after: MockSource;

  /** Throws BAD_REQUEST for a URL that is no pattern. */
  constructor(routes: readonly MockRoute[], after: MockSource) {
    const entries = routes.map((route, index): Entry => {
      // Ids below 1 are those of no mock of the workspace.
      return { mock: { ...route, id: index - routes.length, hits: 0, lastHitAt: null }, pattern: patternOf(route) };
    });
    this.#entries = inOrder(entries);
    this.#after = after;
  }

  find(request: HttpRequest): MatchedMock | null {
    return firstThatFits(this.#entries, request) ?? this.#after.find(request);
  }

  countHit(mock: Mock): number {
    if (mock.id > 0) return this.#after.countHit(mock);
    mock.hits += 1;
    return mock.hits;
  }
}

function firstThatFits(entries: readonly Entry[], request: HttpRequest): MatchedMock | null {
  for (const { mock, pattern } of entries) {
    if (!mock.enabled) continue;
    const { method, headers, body } = mock.request;
    if (method !== 'ANY' && method !== request.method) continue;
    const path = matchUrl(pattern, request.url);
    if (path === null) continue;
    const fits = headers.every(([name, value]) =>
      request.headers.some(([other, text]) => other.toLowerCase() === name.toLowerCase() && matchesGlob(value, text)),
    );
    if (fits && matchesBody(body, request.body)) return { mock, path };
  }
  return null;
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => b.mock.priority - a.mock.priority || a.mock.id - b.mock.id);
}

function patternOf({ name, request }: MockRoute): UrlPattern {
  try {
    return parseUrlPattern(request.url);
  } catch (thrown) {
    const message = `The URL of the mock "${name}" is no pattern: ${messageOf(thrown)}.`;
    throw new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: ['request', 'url'], message }] } });
  }
}

function rowOf({ name, enabled, priority, ...route }: MockRoute): NewMockRow {
  return { name, enabled: enabled ? 1 : 0, priority, route: JSON.stringify(route) };
}

/** What this version cannot read is left out: it stays in the file. */
function entryOf({ route, enabled, ...row }: MockRow): Entry[] {
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
