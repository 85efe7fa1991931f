import { once } from 'node:events';
import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Diagram, DiagramText } from '#domain/tag/diagram';
import type { Client } from '../../../../../src-renderer/client/client.ts';
import { DiagramsModel } from '../../../../../src-renderer/features/diagrams/model/diagrams-model.ts';

const PAGE: DiagramText = { name: 'Overview', width: 800, height: 600, parts: [] };

/** Diagrams in memory, with the rules of the real ones that affect the model. The streams send nothing. */
class FakeDiagrams {
  workspace = '/w';
  readonly stored = new Map<number, Diagram>();
  #last = 0;

  save({ id, baseVersion, ...page }: DiagramText & { id?: number; baseVersion?: number }): Diagram {
    const before = id === undefined ? undefined : this.stored.get(id);
    if (id !== undefined && !before) throw new ORPCError('NOT_FOUND', { message: 'There is no such Diagram.' });
    if (before && before.version !== baseVersion) {
      throw new ORPCError('CONFLICT', { message: 'Saved in the meantime.', data: { current: before } });
    }
    if (id === undefined) this.#last += 1;
    const saved = { ...page, id: id ?? this.#last, version: (before?.version ?? 0) + 1, savedAt: '' };
    this.stored.set(saved.id, saved);
    return saved;
  }

  client(): Pick<Client, 'app' | 'diagrams'> {
    const diagrams = {
      list: async () => [...this.stored.values()].map((one) => ({ ...one, parts: one.parts.length })),
      get: async (which: { id: number } | { name: string }) => {
        const all = [...this.stored.values()];
        const found = all.find((one) => ('id' in which ? one.id === which.id : one.name === which.name));
        if (!found) throw new ORPCError('NOT_FOUND', { message: 'There is no such Diagram.' });
        return found;
      },
      save: async (text: DiagramText & { id?: number; baseVersion?: number }) => this.save(text),
      delete: async ({ id }: { id: number }) => void this.stored.delete(id),
      changes: async (_input: undefined, { signal }: { signal: AbortSignal }) => silent(signal),
    };
    const app = { info: async () => ({ workspace: this.workspace }) };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a client that the model calls
    return { app, diagrams } as unknown as Pick<Client, 'app' | 'diagrams'>;
  }
}

/** A stream that sends nothing until it is aborted. */
// oxlint-disable-next-line eslint/require-yield -- it sends nothing
async function* silent(signal: AbortSignal): AsyncGenerator<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** The storage of a browser; if `room` is false, it stores nothing. */
class FakeStorage {
  room = true;
  readonly #kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (!this.room) throw new Error('QuotaExceededError');
    this.#kept.set(key, value);
  }
  removeItem(key: string): void {
    this.#kept.delete(key);
  }
}

describe('an open Diagram', () => {
  let library: FakeDiagrams;
  let storage: FakeStorage;
  beforeEach(() => {
    library = new FakeDiagrams();
    library.save(PAGE);
    storage = new FakeStorage();
    vi.stubGlobal('localStorage', storage);
  });
  afterEach(() => void vi.unstubAllGlobals());
  const opened = async () => {
    const model = new DiagramsModel(library.client());
    await model.open({ id: 1 });
    const { open } = model.store.get();
    if (!open) throw new Error('nothing is open');
    return { model, open };
  };

  test('unsaved work returns in the same workspace, and in no other', async () => {
    const { open } = await opened();
    open.edit({ ...PAGE, width: 900 });
    expect((await opened()).open.page.width).toBe(900);
    library.workspace = '/another';
    expect((await opened()).open.page.width).toBe(800);
    library.workspace = '/w';
    open.undo();
    expect(open.store.get().saved).toBe(true);
    expect((await opened()).open.store.get()).toMatchObject({ saved: true });
  });

  test('loading the save of another window can be undone', async () => {
    const { open } = await opened();
    open.edit({ ...PAGE, width: 900 });
    library.save({ ...PAGE, id: 1, baseVersion: 1, width: 700 });
    await expect(open.save()).rejects.toThrow('Saved in the meantime');
    expect(open.store.get()).toMatchObject({ elsewhere: 'saved', saved: false });
    await open.revert();
    expect(open.page.width).toBe(700);
    open.undo();
    expect(open.page.width).toBe(900);
    await open.save();
    expect(library.stored.get(1)).toMatchObject({ width: 900, version: 3 });
  });

  test('a deleted one is reported when it is saved, and its work is kept', async () => {
    const { open } = await opened();
    open.edit({ ...PAGE, width: 900 });
    library.stored.clear();
    await expect(open.save()).rejects.toThrow('no such Diagram');
    expect(open.store.get()).toMatchObject({ elsewhere: 'deleted', saved: false });
    expect(open.page.width).toBe(900);
  });

  test('undoing a deletion restores unsaved work', async () => {
    const { model, open } = await opened();
    open.edit({ ...PAGE, width: 900 });
    const undo = await model.delete(1);
    expect(model.store.get().open).toBeNull();
    await undo();
    expect(model.store.get().open?.page.width).toBe(900);
    expect(model.store.get().open?.store.get().saved).toBe(false);
    expect([...library.stored.values()]).toMatchObject([{ name: 'Overview', width: 800 }]);
  });

  test('copies have unique names, however long the name is', async () => {
    const { model } = await opened();
    await model.duplicate(1);
    expect(model.store.get().open?.page.name).toBe('Overview copy');
    const { id } = library.save({ ...PAGE, name: '🏭'.repeat(50) });
    await model.duplicate(id);
    const name = model.store.get().open?.page.name ?? '';
    expect(name.isWellFormed()).toBe(true);
    expect(name).toMatch(/^🏭{47} copy$/u);
  });

  test('at first it is the one with the most parts, later the last one', async () => {
    const text = { kind: 'text', label: 'Line 1', tag: '', value: null, x: 0, y: 0, width: 40, height: 20 } as const;
    library.save({ ...PAGE, name: 'Line overview', parts: [{ ...text, id: 'a' }] });
    const first = async () => {
      const end = new AbortController();
      const model = new DiagramsModel(library.client());
      await model.start(end.signal);
      end.abort();
      return model.store.get().open?.page.name;
    };
    expect(await first()).toBe('Line overview');
    await opened();
    expect(await first()).toBe('Overview');
  });

  test('a browser without storage is reported', async () => {
    const { open } = await opened();
    storage.room = false;
    open.edit({ ...PAGE, width: 900 });
    expect(open.store.get().keeps).toBe(false);
    storage.room = true;
    open.edit({ ...PAGE, width: 1_000 });
    expect(open.store.get().keeps).toBe(true);
  });
});
