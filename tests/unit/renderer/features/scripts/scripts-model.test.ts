import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Draft, DraftSummary, Script } from '#domain/run/script';
import { draftKey, partsOfDraftKey } from '#domain/run/script';
import { isDirty } from '../../../../../src-renderer/features/scripts/model/script-document.ts';
import type { LibraryClient } from '../../../../../src-renderer/features/scripts/model/library.ts';
import { Library } from '../../../../../src-renderer/features/scripts/model/library.ts';
import { ScriptsModel } from '../../../../../src-renderer/features/scripts/model/scripts-model.ts';
import type { ScriptsClient, ScriptsMemory } from '../../../../../src-renderer/features/scripts/model/scripts-state.ts';

const NOW = new Date('2026-01-01T12:00:00Z');

/** A library in memory, with the rules of the real one that affect the model. */
class FakeLibrary {
  scripts = new Map<number, Script>();
  drafts = new Map<string, Draft>();
  /** The open windows. */
  windows = new Set<string>();
  #followers = new Set<() => void>();
  /** Main rejects this many listings, and this many reads, before it responds. */
  refusals = { list: 0, info: 0 };

  #refuse(what: 'list' | 'info'): void {
    if (this.refusals[what] === 0) return;
    this.refusals[what] -= 1;
    throw new Error('the disk is full');
  }

  put(id: number, body: string, name = `Script ${id}`): void {
    const version = (this.scripts.get(id)?.version ?? 0) + 1;
    this.scripts.set(id, { id, group: 'G', name, description: '', body, version, savedAt: NOW.toISOString() });
  }

  notify(): void {
    for (const wake of this.#followers) wake();
  }

  async *#follow(window: string, signal: AbortSignal): AsyncGenerator<DraftSummary[]> {
    this.windows.add(window);
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#followers.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      yield [...this.drafts.values()].map((draft) => ({
        ...draft,
        isOpen: this.windows.has(partsOfDraftKey(draft.key).window),
      }));
      await promise;
    }
    this.windows.delete(window);
  }

  /** Only the calls of the model. The streams send nothing; tests call `refresh`. */
  client(): ScriptsClient & LibraryClient {
    const one = (id: number): Script => {
      const script = this.scripts.get(id);
      if (!script) throw Object.assign(new Error(`no script ${id}`), { code: 'NOT_FOUND' });
      return script;
    };
    const parts = {
      app: { info: async () => (this.#refuse('info'), { workspace: '/w' }) },
      scripts: {
        list: async () => (this.#refuse('list'), { groups: ['G'], scripts: [...this.scripts.values()] }),
        get: async ({ id }: { id: number }) => one(id),
        save: async (text: { id?: number; baseVersion?: number; name: string; body: string }) => {
          if (text.id !== undefined && one(text.id).version !== text.baseVersion) throw conflict();
          const id = text.id ?? this.scripts.size + 1;
          this.put(id, text.body, text.name);
          return one(id);
        },
        changes: (_input: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
          }),
      },
      drafts: {
        list: async () => [...this.drafts.values()],
        get: async ({ key }: { key: string }) => this.drafts.get(key),
        put: async (draft: Draft) => {
          this.drafts.set(draft.key, draft);
          this.notify();
        },
        discard: async ({ key }: { key: string }) => {
          this.drafts.delete(key);
          this.notify();
        },
        take: async ({ key, window }: { key: string; window: string }) => {
          const draft = this.drafts.get(key);
          if (!draft) throw new Error('there is no such draft');
          const taken = { ...draft, key: draftKey(partsOfDraftKey(key).script, window) };
          this.drafts.delete(key);
          this.drafts.set(taken.key, taken);
          this.notify();
          return taken;
        },
        follow: async ({ window }: { window: string }, { signal }: { signal: AbortSignal }) =>
          this.#follow(window, signal),
      },
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a client that the model calls
    return parts as unknown as ScriptsClient & LibraryClient;
  }
}

function conflict(): Error {
  return new Error('another window saved first');
}

describe('ScriptsModel', () => {
  let library: FakeLibrary;
  let end: AbortController;
  let memory: Map<string, unknown>;
  beforeEach(() => {
    library = new FakeLibrary();
    library.put(1, 'return 1;', 'Zebra');
    library.put(2, 'return 2;', 'Ant');
    end = new AbortController();
    memory = new Map();
  });
  afterEach(() => end.abort());

  /** The storage of a browser, and in it that of a window. */
  const memoryOf = (window: string): ScriptsMemory => {
    const part = (prefix: string) => ({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this test wrote it
      read: <T>(key: string, fallback: T) => (memory.get(prefix + key) as T | null | undefined) ?? fallback,
      write: (key: string, value: unknown) => (memory.set(prefix + key, value), true),
    });
    const keys = (prefix: string) => [...memory.keys()].filter((key) => key.startsWith(prefix));
    return { ...part(''), ofWindow: part(`${window}:`), keys, window };
  };
  const started = async (window = 'w', signal = end.signal): Promise<ScriptsModel> => {
    const model = new ScriptsModel(library.client(), memoryOf(window), () => NOW);
    void model.start(signal);
    await expect.poll(() => model.store.get().phase).toBe('ready');
    return model;
  };
  const draftSaved = (key: string, window = 'w') => expect.poll(() => library.drafts.get(draftKey(key, window))?.body);

  test('the first start opens the oldest script; later starts open the same tabs', async () => {
    const model = await started();
    expect(model.store.get().active).toBe('script-1');
    await model.open(2);
    const again = await started();
    expect(again.store.get()).toMatchObject({ active: 'script-2', tabs: ['script-1', 'script-2'] });
  });

  test('typed text becomes a draft, returns, and is discarded once it is saved', async () => {
    const model = await started();
    model.edit('script-1', { body: 'return 10;' });
    await draftSaved('script-1').toBe('return 10;');
    const again = await started();
    const doc = again.doc('script-1');
    expect(doc).toMatchObject({ text: { body: 'return 10;' }, restoredFrom: NOW.toISOString(), baseVersion: 1 });
    expect(await again.save('script-1')).toMatchObject({ kind: 'saved', script: { version: 2 } });
    await draftSaved('script-1').toBeUndefined();
    expect(again.doc('script-1')).toMatchObject({ baseVersion: 2, restoredFrom: null });
  });

  test('a save that is requested during a save follows it with what was typed since', async () => {
    const model = await started();
    model.edit('script-1', { body: 'return 10;' });
    const first = model.save('script-1');
    model.edit('script-1', { body: 'return 20;' });
    const second = model.save('script-1');
    expect(await first).toMatchObject({ kind: 'saved', script: { version: 2, body: 'return 10;' } });
    expect(await second).toMatchObject({ kind: 'saved', script: { version: 3, body: 'return 20;' } });
    expect(await Promise.all([model.save('script-1'), model.save('script-1')])).toMatchObject([
      { kind: 'saved', script: { version: 4 } },
      { kind: 'saved', script: { version: 4 } },
    ]);
    await draftSaved('script-1').toBeUndefined();
  });

  test('a saved, renamed or new script is listed before main lists again', async () => {
    const model = await started();
    library.refusals.list = Infinity;
    const names = () =>
      model.store
        .get()
        .scripts.map(({ name }) => name)
        .toSorted();
    await new Library(library.client(), model).rename(1, { name: 'Bee' });
    expect(names()).toEqual(['Ant', 'Bee']);
    const key = model.create('H');
    model.edit(key, { name: 'Cat', body: 'return 3;' });
    await model.save(key);
    expect(names()).toEqual(['Ant', 'Bee', 'Cat']);
  });

  test('typing back to the saved text leaves no draft', async () => {
    const model = await started();
    model.edit('script-1', { body: 'x' });
    await draftSaved('script-1').toBe('x');
    model.edit('script-1', { body: 'return 1;' });
    await draftSaved('script-1').toBeUndefined();
    expect(model.store.get().drafts.size).toBe(0);
  });

  test('a new script needs names, and keeps its text and tab when it is saved', async () => {
    const model = await started();
    const key = model.create('G');
    model.edit(key, { body: 'return 3;' });
    expect(await model.save(key)).toEqual({ kind: 'unnamed' });
    model.edit(key, { name: 'Third' });
    const editor = model.doc(key)?.editor;
    expect(await model.save(key)).toMatchObject({ kind: 'saved' });
    expect(model.doc('script-3')?.editor).toBe(editor);
    expect(model.store.get()).toMatchObject({ active: 'script-3', tabs: ['script-1', 'script-3'] });
  });

  test('a draft that was never saved is open after a restart', async () => {
    const model = await started();
    const key = model.create('G');
    model.edit(key, { body: 'return "new";' });
    await draftSaved(key).toBe('return "new";');
    memory.clear();
    const again = await started();
    expect(again.store.get().tabs).toContain(key);
    expect(again.doc(key)?.text.body).toBe('return "new";');
  });

  test('an unmodified script shows the save of another window; otherwise both are kept', async () => {
    const model = await started();
    library.put(1, 'return "theirs";', 'Zebra');
    await model.refresh();
    expect(model.doc('script-1')).toMatchObject({ text: { body: 'return "theirs";' }, theirs: null, replaced: 1 });
    model.edit('script-1', { body: 'return "mine";' });
    library.put(1, 'return "theirs again";', 'Zebra');
    await model.refresh();
    expect(model.doc('script-1')).toMatchObject({ text: { body: 'return "mine";' }, theirs: { version: 3 } });
    expect(model.takeTheirs('script-1')?.body).toBe('return "mine";');
    expect(model.doc('script-1')?.text.body).toBe('return "theirs again";');
  });

  test('keeping my text saves a version after theirs', async () => {
    const model = await started();
    model.edit('script-1', { body: 'return "mine";' });
    library.put(1, 'return "theirs";', 'Zebra');
    await model.refresh();
    model.keepMine('script-1');
    expect(await model.save('script-1')).toMatchObject({
      kind: 'saved',
      script: { version: 3, body: 'return "mine";' },
    });
  });

  test('a script that was deleted elsewhere is saved as a new one', async () => {
    const model = await started();
    model.edit('script-1', { body: 'return "mine";' });
    library.scripts.delete(1);
    await model.refresh();
    expect(model.doc('script-1')?.deleted).toBe(true);
    library.put(3, '', 'Filler');
    expect(await model.save('script-1')).toMatchObject({ kind: 'saved', script: { body: 'return "mine";' } });
  });

  test('closing the active tab shows its neighbor; discarding a new script is undoable', async () => {
    const model = await started();
    await model.open(2);
    const key = model.create('G');
    model.edit(key, { body: 'x' });
    const text = model.discard(key);
    expect(model.store.get().active).toBe('script-2');
    if (text) model.restoreDiscarded(key, text);
    const doc = model.doc(key);
    expect(doc?.text.body).toBe('x');
    expect(doc && isDirty(doc)).toBe(true);
    model.close('script-1');
    expect(model.store.get()).toMatchObject({ active: key, tabs: ['script-2', key] });
  });

  test('a list that cannot be reloaded is reported, and retried', async () => {
    const model = await started();
    library.refusals.list = 2;
    library.put(3, 'return 3;', 'Third');
    await model.refresh();
    expect(model.store.get()).toMatchObject({ outdated: { message: 'the disk is full' } });
    expect(model.store.get().scripts).toHaveLength(2);
    await expect.poll(() => model.store.get().scripts.length).toBe(3);
    await expect.poll(() => model.store.get().outdated).toBeNull();
  });

  test('a script started before the library was read stays, and becomes a draft', async () => {
    library.refusals.info = 1;
    const model = new ScriptsModel(library.client(), memoryOf('w'), () => NOW);
    const key = model.create('G');
    model.edit(key, { body: 'return "early";' });
    await model.start(end.signal);
    expect(model.store.get().phase).toBe('failed');
    expect(model.rescue()).toBe(true);
    void model.start(end.signal);
    await expect.poll(() => model.store.get().phase).toBe('ready');
    expect(model.store.get()).toMatchObject({ active: key, tabs: ['script-1', key] });
    expect(model.doc(key)?.text.body).toBe('return "early";');
    await draftSaved(key).toBe('return "early";');
    // If the page ends before that, the next one finds it.
    library.drafts.clear();
    memory.set('.unsent-drafts', [{ ...model.store.get().drafts.get(key), key: 'new-lost@w' }]);
    const again = await started();
    expect(again.doc('new-lost')?.text.body).toBe('return "early";');
    await draftSaved('new-lost').toBe('return "early";');
  });

  test('each window keeps its own draft, and sees that of the other', async () => {
    const [mine, other] = [await started('mine'), await started('other')];
    mine.edit('script-1', { body: 'return "mine";' });
    other.edit('script-1', { body: 'return "other";' });
    await draftSaved('script-1', 'mine').toBe('return "mine";');
    await draftSaved('script-1', 'other').toBe('return "other";');
    await expect.poll(() => mine.store.get().others).toMatchObject([{ key: 'script-1@other', isOpen: true }]);
    const again = await started('mine');
    expect(again.doc('script-1')?.text.body).toBe('return "mine";');
    const before = again.adoptDraft('script-1', await again.otherDraft('script-1@other'));
    expect([before?.body, again.doc('script-1')?.text.body]).toEqual(['return "mine";', 'return "other";']);
    await again.save('script-1');
    expect(library.drafts.has('script-1@other')).toBe(true);
  });

  test('a window takes the drafts of closed windows and of earlier versions', async () => {
    const closing = new AbortController();
    const closed = await started('closed', closing.signal);
    closed.edit('script-1', { body: 'return "left";' });
    await draftSaved('script-1', 'closed').toBe('return "left";');
    const old = { ...closed.store.get().drafts.get('script-1'), key: 'script-2', scriptId: 2, body: 'return "old";' };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a draft like the other
    library.drafts.set('script-2', old as Draft);
    closing.abort();
    await expect.poll(() => library.windows.size).toBe(0);
    const model = await started('next');
    expect(model.doc('script-1')).toMatchObject({ text: { body: 'return "left";' }, restoredFrom: NOW.toISOString() });
    await model.open(2);
    expect(model.doc('script-2')?.text.body).toBe('return "old";');
    expect([...library.drafts.keys()].toSorted()).toEqual(['script-1@next', 'script-2@next']);
  });

  test('a new script of another window opens as a copy; its draft stays', async () => {
    const [mine, other] = [await started('mine'), await started('other')];
    const key = other.create('G');
    other.edit(key, { body: 'return "new";' });
    await expect.poll(() => mine.store.get().others.length).toBe(1);
    expect([mine.isOnlyElsewhere(key), mine.store.get().tabs]).toEqual([true, ['script-1']]);
    await mine.openDraft(key);
    expect(mine.doc(key)?.text.body).toBe('return "new";');
    await draftSaved(key, 'mine').toBe('return "new";');
    expect(library.drafts.has(draftKey(key, 'other'))).toBe(true);
  });

  test('a draft that another window took returns while its text is still open', async () => {
    const model = await started('mine');
    model.edit('script-1', { body: 'return "mine";' });
    await draftSaved('script-1', 'mine').toBe('return "mine";');
    library.drafts.delete('script-1@mine');
    library.notify();
    await draftSaved('script-1', 'mine').toBe('return "mine";');
    expect(model.doc('script-1')?.text.body).toBe('return "mine";');
  });

  test('unsent drafts of a closed window are sent, and open', async () => {
    const changedAt = NOW.toISOString();
    const text = { group: 'G', name: 'Zebra', description: '', body: 'return "unsent";' };
    memory.set('/w.unsent-drafts.closed', [
      { ...text, key: 'script-1@closed', scriptId: 1, baseVersion: 1, changedAt },
    ]);
    const model = await started('next');
    expect(model.doc('script-1')?.text.body).toBe('return "unsent";');
    await draftSaved('script-1', 'next').toBe('return "unsent";');
    expect(memory.get('/w.unsent-drafts.closed')).toBeNull();
  });

  test('the draft of a deleted script opens as deleted, and can be saved', async () => {
    const model = await started();
    model.edit('script-1', { body: 'return "mine";' });
    await draftSaved('script-1').toBe('return "mine";');
    library.scripts.delete(1);
    const again = await started();
    expect(again.doc('script-1')).toMatchObject({ deleted: true, scriptId: 1, text: { body: 'return "mine";' } });
    library.put(3, '', 'Filler');
    expect(await again.save('script-1')).toMatchObject({ kind: 'saved', script: { body: 'return "mine";' } });
  });
});
