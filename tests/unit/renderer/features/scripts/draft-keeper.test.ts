import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Draft } from '#domain/run/script';
import { DraftKeeper } from '../../../../../src-renderer/features/scripts/model/draft-keeper.ts';
import type { DraftMirror, DraftStore } from '../../../../../src-renderer/features/scripts/model/draft-keeper.ts';

const draft = (key: string, body: string, changedAt = '2026-01-01T00:00:00Z'): Draft => ({
  key,
  scriptId: 1,
  baseVersion: 1,
  group: 'G',
  name: 'N',
  description: '',
  body,
  changedAt,
});

/** A workspace that can be offline, and that records the order of its calls. */
class FakeStore implements DraftStore {
  readonly requests: string[] = [];
  away = false;
  answer: Promise<void> = Promise.resolve();

  async put({ key, body }: Draft): Promise<void> {
    await this.#send(`put ${key} ${body}`);
  }

  async discard(key: string): Promise<void> {
    await this.#send(`discard ${key}`);
  }

  async #send(what: string): Promise<void> {
    if (this.away) throw new Error('away');
    this.requests.push(what);
    await this.answer;
  }
}

class FakeMirror implements DraftMirror {
  drafts: Draft[] = [];
  full = false;
  read = () => this.drafts;
  write = (drafts: Draft[]) => {
    if (!this.full) this.drafts = drafts;
    return !this.full;
  };
}

describe('DraftKeeper', () => {
  let store: FakeStore;
  let mirror: FakeMirror;
  let keeper: DraftKeeper;
  beforeEach(() => {
    vi.useFakeTimers();
    store = new FakeStore();
    mirror = new FakeMirror();
    keeper = new DraftKeeper({ store, mirror });
  });
  afterEach(() => {
    keeper.dispose();
    vi.useRealTimers();
  });

  test('sends the newest text, once', async () => {
    keeper.keep(draft('a', '1'));
    keeper.keep(draft('a', '2'));
    keeper.keep(draft('b', 'x'));
    expect(store.requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(store.requests).toEqual(['put a 2', 'put b x']);
  });

  test('a discard never overtakes an earlier put', async () => {
    const { promise, resolve: response } = Promise.withResolvers<void>();
    store.answer = promise;
    keeper.keep(draft('a', '1'));
    await vi.advanceTimersByTimeAsync(500);
    keeper.discard('a');
    await vi.advanceTimersByTimeAsync(500);
    expect(store.requests).toEqual(['put a 1']);
    response();
    await vi.advanceTimersByTimeAsync(100);
    expect(store.requests).toEqual(['put a 1', 'discard a']);
  });

  test('unsent changes wait in the mirror until sent; then the mirror is empty', async () => {
    store.away = true;
    keeper.keep(draft('a', '1'));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(mirror.drafts.map(({ body }) => body)).toEqual(['1']);
    keeper.keep(draft('a', '2'));
    store.away = false;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(store.requests).toEqual(['put a 2']);
    expect(mirror.drafts).toEqual([]);
  });

  test('a page that ends keeps pending changes; if it cannot, it reports that', async () => {
    store.answer = new Promise(() => {});
    keeper.keep(draft('sent', '1'));
    await vi.advanceTimersByTimeAsync(500);
    keeper.keep(draft('waits', '2'));
    expect(keeper.rescue()).toBe(true);
    expect(mirror.drafts.map(({ key }) => key)).toEqual(['sent', 'waits']);
    mirror.full = true;
    expect(keeper.rescue()).toBe(false);
  });

  test('the next page sends unsent drafts, unless the workspace is newer', async () => {
    mirror.drafts = [draft('old', '1', '2026-01-01T00:00:00Z'), draft('new', '2', '2026-01-03T00:00:00Z')];
    const kept = new Map(['old', 'new'].map((key) => [key, draft(key, 'kept', '2026-01-02T00:00:00Z')]));
    expect(keeper.recover(kept).map(({ key }) => key)).toEqual(['new']);
    await vi.advanceTimersByTimeAsync(10);
    expect(store.requests).toEqual(['put new 2']);
  });
});
