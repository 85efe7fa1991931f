import { beforeEach, expect, test, vi } from 'vitest';
import type { ContextSave, SavedContext, ScriptContexts } from '#domain/run/saved-context';
import { EMPTY_CONTEXT, NO_CONTEXTS, withoutSaved, withSaved, withUsed } from '#domain/run/saved-context';
import { TagwrightError } from '../../../../../src-main/platform/errors.ts';
import type { Client } from '../../../../../src-renderer/client/client.ts';
import { OpenContexts } from '../../../../../src-renderer/features/scripts/model/open-contexts.ts';

const of = (tagName: string): SavedContext => ({ ...EMPTY_CONTEXT, tagName });
const NEW = { key: 'new-1', editor: 'new-1', scriptId: null };
const SAVED = { key: 'script-5', editor: 'new-1', scriptId: 5 };

interface Keep {
  id: number;
  context: SavedContext;
  used: boolean;
  chosen: string | null;
}

const contextsWith = (contexts: Partial<ScriptContexts>): ScriptContexts => ({ ...NO_CONTEXTS, ...contexts });
const shown = (tagName: string) => ({ context: of(tagName), chosen: null });

/** A workspace that may be offline, and the storage of a browser. */
function setUp(memory = new Map<string, string>(), stored = new Map<number, ScriptContexts>()) {
  const state = { gone: false };
  const contextsOf = async (id: number) => {
    await Promise.resolve();
    if (state.gone) throw new TagwrightError('UNAVAILABLE', 'no response');
    return stored.get(id) ?? NO_CONTEXTS;
  };
  const put = (id: number, contexts: ScriptContexts) => {
    stored.set(id, contexts);
    return contexts;
  };
  const runContexts = {
    get: async ({ id }: { id: number }) => contextsOf(id),
    keep: async ({ id, context, used, chosen }: Keep) => {
      const before = await contextsOf(id);
      const recent = used ? withUsed(before.used, context, before.named) : before.used;
      return put(id, { ...before, current: context, chosen, used: recent });
    },
    replace: async ({ id, ...lists }: { id: number } & Pick<ScriptContexts, 'named' | 'used'>) =>
      put(id, { ...(await contextsOf(id)), ...lists }),
    save: async ({ id, ...save }: ContextSave & { id: number }) =>
      put(id, withSaved(await contextsOf(id), save) ?? NO_CONTEXTS),
    delete: async ({ id, name }: { id: number; name: string }) => put(id, withoutSaved(await contextsOf(id), name)),
  };
  const window = () =>
    new OpenContexts(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the client as is used
      { runContexts } as unknown as Pick<Client, 'runContexts'>,
      {
        read: (key, fallback) => JSON.parse(memory.get(key) ?? JSON.stringify(fallback)),
        write: (key, value) => (memory.set(key, JSON.stringify(value)), true),
      },
      () => '/w',
    );
  return { window, state, stored, memory };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test('contexts typed and used in one browser appear in another', async () => {
  const { window, stored } = setUp();
  const first = window();
  await first.load(SAVED);
  first.type(SAVED, of('A'), null);
  await first.use(SAVED, shown('A'));
  first.type(SAVED, of('B'), null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.get(5)).toEqual(contextsWith({ current: of('B'), used: [of('A')] }));
  const elsewhere = setUp(new Map(), stored).window();
  await elsewhere.load(SAVED);
  expect(elsewhere.store.get().get('new-1')).toEqual(contextsWith({ current: of('B'), used: [of('A')] }));
});

test('the browser stores the context of an unsaved script until its first save', async () => {
  const { window, stored } = setUp();
  const contexts = window();
  await contexts.load(NEW);
  contexts.type(NEW, of('A'), null);
  await contexts.use(NEW, shown('A'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.size).toBe(0);
  const again = window();
  await again.load(NEW);
  expect(again.store.get().get('new-1')).toEqual(contextsWith({ current: of('A'), used: [of('A')] }));
  await again.load(SAVED);
  expect(stored.get(5)).toEqual(contextsWith({ current: of('A'), used: [of('A')] }));
});

test('unsent drafts stay in the browser and are sent when the workspace is back', async () => {
  const { window, state, stored } = setUp();
  stored.set(5, contextsWith({ current: of('old'), used: [of('old')] }));
  const first = window();
  await first.load(SAVED);
  state.gone = true;
  first.type(SAVED, of('typed'), null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.get(5)?.current).toEqual(of('old'));
  state.gone = false;
  const later = window();
  await later.load(SAVED);
  expect(later.store.get().get('new-1')?.current).toEqual(of('typed'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.get(5)).toEqual(contextsWith({ current: of('typed'), used: [of('old')] }));
});

test('a closed tab sends its latest text', async () => {
  const { window, stored } = setUp();
  const contexts = window();
  await contexts.load(SAVED);
  contexts.type(SAVED, of('A'), null);
  contexts.forget(SAVED);
  await vi.advanceTimersByTimeAsync(0);
  expect(stored.get(5)?.current).toEqual(of('A'));
  expect(contexts.store.get().size).toBe(0);
});

test('saved contexts of an unsaved script move to the workspace with its first save', async () => {
  const { window, stored } = setUp();
  const contexts = window();
  await contexts.load(NEW);
  await contexts.save(NEW, { context: { ...of('A'), name: 'One' } });
  await expect(contexts.save(NEW, { context: { ...of('B'), name: 'ONE' } })).rejects.toThrow('already has a context');
  await contexts.load(SAVED);
  expect(stored.get(5)?.named).toEqual([{ ...of('A'), name: 'One' }]);
  await contexts.save(SAVED, { context: { ...of('B'), name: 'Two' } });
  contexts.type(SAVED, of('unsent'), 'Two');
  await contexts.delete(SAVED, 'one');
  expect(contexts.store.get().get('new-1')).toEqual({
    current: of('unsent'),
    chosen: 'Two',
    named: [{ ...of('B'), name: 'Two' }],
    used: [],
  });
});

test('what a former version remembered in the browser is still read', async () => {
  const { window, memory } = setUp();
  memory.set('/w.run-contexts.new-1', JSON.stringify({ current: of('A'), used: [of('A')], unsent: false }));
  const contexts = window();
  await contexts.load(NEW);
  expect(contexts.store.get().get('new-1')).toEqual(contextsWith({ current: of('A'), used: [of('A')] }));
});
