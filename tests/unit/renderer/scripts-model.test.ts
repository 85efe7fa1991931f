import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Draft, Script } from '#domain/run/script';
import { isDirty } from '../../../src-renderer/features/scripts/model/script-document.ts';
import { ScriptsModel } from '../../../src-renderer/features/scripts/model/scripts-model.ts';
import type { Memory, ScriptsClient } from '../../../src-renderer/features/scripts/model/scripts-state.ts';

const NOW = new Date('2026-01-01T12:00:00Z');

/** A library in memory, with the rules of the real one that affect the model. */
class FakeLibrary {
  scripts = new Map<number, Script>();
  drafts = new Map<string, Draft>();
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

  /** Only the calls of the model. The streams send nothing; tests call `refresh`. */
  client(): ScriptsClient {
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
        put: async (draft: Draft) => void this.drafts.set(draft.key, draft),
        discard: async ({ key }: { key: string }) => void this.drafts.delete(key),
      },
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a client that the model calls
    return parts as unknown as ScriptsClient;
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

  const started = async (): Promise<ScriptsModel> => {
    const store: Memory = {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was written is what is read
      read: (key, fallback) => (memory.get(key) as typeof fallback | undefined) ?? fallback,
      write: (key, value) => {
        memory.set(key, value);
        return true;
      },
    };
    const model = new ScriptsModel(library.client(), store, () => NOW);
    void model.start(end.signal);
    await expect.poll(() => model.store.get().phase).toBe('ready');
    return model;
  };
  const draftSaved = (key: string) => expect.poll(() => library.drafts.get(key)?.body);

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

  test('closing the active tab shows its neighbour; discarding a new script is undoable', async () => {
    const model = await started();
    await model.open(2);
    const key = model.create('G');
    model.edit(key, { body: 'x' });
    const text = model.discard(key);
    expect(model.store.get().active).toBe('script-2');
    if (text) model.bringBack(key, text);
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
    const kept: Memory = {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was written is what is read
      read: (key, fallback) => (memory.get(key) as typeof fallback | undefined) ?? fallback,
      write: (key, value) => (memory.set(key, value), true),
    };
    const model = new ScriptsModel(library.client(), kept, () => NOW);
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
    memory.set('.unsent-drafts', [{ ...model.store.get().drafts.get(key), key: 'new-lost' }]);
    const again = await started();
    expect(again.doc('new-lost')?.text.body).toBe('return "early";');
    await draftSaved('new-lost').toBe('return "early";');
  });
});
