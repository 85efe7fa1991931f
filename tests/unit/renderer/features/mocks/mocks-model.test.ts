import { ORPCError } from '@orpc/client';
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Mock, MockRoute, MockUpdate, MocksChange } from '#domain/mock/mock';
import { mergeMockChanges, routeOf } from '#domain/mock/mock';
import type { Client } from '../../../../../src-renderer/client/client.ts';
import type { DraftStorage } from '../../../../../src-renderer/drafted/draft-memory.ts';
import { SavedElsewhereError } from '../../../../../src-renderer/drafted/drafted-list.ts';
import { newForm, readForm } from '../../../../../src-renderer/features/mocks/model/mock-form.ts';
import { MocksModel } from '../../../../../src-renderer/features/mocks/model/mocks-model.ts';

const FORM = { ...newForm(), name: 'Order', url: 'https://orders.example/api' };

type GivenMock = MockRoute & { id?: number; base?: MockRoute };

/** A library of mocks that stores everything it gets. */
class FakeMocks {
  mocks: Mock[] = [];
  listed = 0;
  /** Its notifications to followers. */
  readonly changes: MocksChange[] = [];
  #notified = Promise.withResolvers<void>();

  emit(change: MocksChange): void {
    this.changes.push(change);
    this.#notified.resolve();
  }

  save({ id = this.mocks.length + 1, base, ...route }: GivenMock): Mock {
    const there = this.mocks.find((one) => one.id === id);
    if (base && !there) throw new ORPCError('NOT_FOUND', { message: 'There is no such mock.' });
    if (base && there && !isDeepStrictEqual(routeOf(there), base))
      throw new ORPCError('CONFLICT', { message: 'The mock was saved in the meantime.' });
    const mock = { ...route, id, hits: 0, lastHitAt: null, position: 0 };
    this.mocks = [...this.mocks.filter((one) => one.id !== id), mock];
    return mock;
  }

  update(changes: readonly MockUpdate[]): { count: number } {
    for (const { id, folder, enabled } of changes) {
      const there = this.mocks.find((one) => one.id === id);
      if (!there) throw new ORPCError('NOT_FOUND', { message: 'There is no such mock.' });
      const { folder: before, ...rest } = { ...there, enabled: enabled ?? there.enabled };
      const after = folder === undefined ? before : (folder ?? undefined);
      this.mocks = this.mocks.map((one) => (one.id === id ? { ...rest, ...(after && { folder: after }) } : one));
    }
    return { count: changes.length };
  }

  client(): Pick<Client, 'app' | 'mocks' | 'settings'> {
    const mocks = {
      list: async () => {
        this.listed += 1;
        return { mocks: this.mocks, mode: 'mockFirst', record: false };
      },
      changes: async (_: undefined, { signal }: { signal: AbortSignal }) => this.#stream(signal),
      save: async (given: GivenMock) => this.save(given),
      update: async ({ changes }: { changes: MockUpdate[] }) => this.update(changes),
    };
    return { mocks } as unknown as Pick<Client, 'app' | 'mocks' | 'settings'>;
  }

  async *#stream(signal: AbortSignal): AsyncGenerator<MocksChange> {
    signal.addEventListener('abort', () => this.#notified.resolve());
    while (!signal.aborted) {
      const change = this.changes.shift();
      if (change) yield change;
      else {
        this.#notified = Promise.withResolvers();
        // oxlint-disable-next-line no-await-in-loop -- a stream waits
        await this.#notified.promise;
      }
    }
  }
}

const NO_STORAGE: DraftStorage = {
  length: 0,
  key: () => null,
  getItem: () => null,
  setItem: () => {},
  removeItem: () => {},
};

describe('mocks and their drafts', () => {
  let library: FakeMocks;
  let here: MocksModel;
  let there: MocksModel;
  let mock: Mock;

  beforeEach(async () => {
    library = new FakeMocks();
    mock = library.save(readForm(FORM).route);
    here = new MocksModel(library.client(), NO_STORAGE);
    there = new MocksModel(library.client(), NO_STORAGE);
    await Promise.all([here.list(), there.list()]);
  });

  test('a switch in an outdated list keeps what another window saved', async () => {
    const key = there.keyOf(mock.id);
    there.edit(key, { ...FORM, name: 'Saved elsewhere' });
    await there.save(key);
    await here.change(mock, { enabled: false });
    expect(library.mocks).toMatchObject([{ name: 'Saved elsewhere', enabled: false }]);
  });

  test('a switch does not make a draft of the same mock conflict', async () => {
    const key = here.keyOf(mock.id);
    here.edit(key, { ...FORM, name: 'Typed' });
    await here.change(mock, { enabled: false });
    expect(here.isStale(key)).toBe(false);
    await here.save(key);
    expect(library.mocks).toMatchObject([{ name: 'Typed', enabled: false }]);
  });

  test('a mock moves to a folder with its draft, and back', async () => {
    const key = here.keyOf(mock.id);
    here.edit(key, { ...FORM, name: 'Draft' });
    const back = await here.update([{ id: mock.id, folder: 'ERP', enabled: false }]);
    expect(here.form(key)).toMatchObject({ name: 'Draft', folder: 'ERP', enabled: false });
    expect(here.isStale(key)).toBe(false);
    expect(await here.save(key)).toMatchObject({ name: 'Draft', folder: 'ERP', enabled: false });
    await here.update(back);
    expect(library.mocks).toMatchObject([{ name: 'Draft', enabled: true }]);
    expect(library.mocks[0]).not.toHaveProperty('folder');
  });

  test('the later save of two windows is rejected, and its text is kept', async () => {
    const key = here.keyOf(mock.id);
    here.edit(key, { ...FORM, name: 'Mine' });
    there.edit(key, { ...FORM, name: 'Theirs' });
    await there.save(key);
    await expect(here.save(key)).rejects.toThrow(SavedElsewhereError);
    expect(library.mocks).toMatchObject([{ name: 'Theirs' }]);
    expect(here.isStale(key)).toBe(true);
    expect(here.form(key)?.name).toBe('Mine');
    here.keepMine(key);
    await here.save(key);
    expect(library.mocks).toMatchObject([{ name: 'Mine' }]);
  });

  test('a switch of a deleted mock does not recreate it', async () => {
    library.mocks = [];
    await expect(here.change(mock, { enabled: false })).rejects.toThrow('deleted');
    expect(library.mocks).toEqual([]);
  });

  test('a new mock keeps its editor on its first save', async () => {
    const key = here.create(FORM);
    const saved = await here.save(key);
    expect(here.identity(here.keyOf(saved.id))).toBe(here.identity(key));
    expect(here.store.get().selected).toBe(here.keyOf(saved.id));
  });

  test('hits are updated without listing all mocks; a change of mocks lists them', async () => {
    const end = new AbortController();
    onTestFinished(() => end.abort());
    const other = library.save(readForm({ ...FORM, name: 'Other' }).route);
    await here.follow(end.signal);
    const before = here.store.get().mocks;
    const { listed } = library;
    library.emit({ total: 2, hits: [{ id: mock.id, hits: 7, lastHitAt: '2026-01-01T00:00:00.000Z', position: 0 }] });
    await expect.poll(() => here.store.get().mocks.find(({ id }) => id === mock.id)?.hits).toBe(7);
    expect(library.listed).toBe(listed);
    // The others are the same objects, so their rows are not redrawn.
    const same = ({ id }: Mock) => id === other.id;
    expect(here.store.get().mocks.find(same)).toBe(before.find(same));
    library.mocks = library.mocks.filter(same);
    library.emit({ total: 1, hits: null });
    await expect.poll(() => here.store.get().mocks.map(({ id }) => id)).toEqual([other.id]);
  });
});

test('unread changes of mocks are merged into counters or one listing', () => {
  const hits = (id: number, count: number) => ({ id, hits: count, lastHitAt: null, position: 0 });
  const first = { total: 2, hits: [hits(1, 1), hits(2, 5)] };
  const second = { total: 2, hits: [hits(1, 2)] };
  expect(mergeMockChanges(first, second)).toEqual({ total: 2, hits: [hits(1, 2), hits(2, 5)] });
  expect(mergeMockChanges(first, { total: 1, hits: null })).toEqual({ total: 1, hits: null });
  expect(mergeMockChanges({ total: 1, hits: null }, second)).toEqual({ total: 2, hits: null });
});
