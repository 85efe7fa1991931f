import { beforeEach, expect, test, vi } from 'vitest';
import type { SavedContext, ScriptContexts } from '#domain/run/saved-context';
import { EMPTY_CONTEXT, NO_CONTEXTS, withUsed } from '#domain/run/saved-context';
import { TagwrightError } from '../../../src-main/platform/errors.ts';
import type { Client } from '../../../src-renderer/client/client.ts';
import { OpenContexts } from '../../../src-renderer/features/scripts/model/open-contexts.ts';

const of = (tagName: string): SavedContext => ({ ...EMPTY_CONTEXT, tagName });
const NEW = { key: 'new-1', editor: 'new-1', scriptId: null };
const SAVED = { key: 'script-5', editor: 'new-1', scriptId: 5 };

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
    keep: async ({ id, context, used }: { id: number; context: SavedContext; used: boolean }) => {
      const before = await contextsOf(id);
      return put(id, { current: context, used: used ? withUsed(before.used, context) : before.used });
    },
    replace: async ({ id, used }: { id: number; used: SavedContext[] }) => put(id, { ...(await contextsOf(id)), used }),
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
  first.type(SAVED, of('A'));
  await first.use(SAVED);
  first.type(SAVED, of('B'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.get(5)).toEqual({ current: of('B'), used: [of('A')] });
  const elsewhere = setUp(new Map(), stored).window();
  await elsewhere.load(SAVED);
  expect(elsewhere.store.get().get('new-1')).toEqual({ current: of('B'), used: [of('A')] });
});

test('the browser stores the context of an unsaved script until its first save', async () => {
  const { window, stored } = setUp();
  const contexts = window();
  await contexts.load(NEW);
  contexts.type(NEW, of('A'));
  await contexts.use(NEW);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.size).toBe(0);
  const again = window();
  await again.load(NEW);
  expect(again.store.get().get('new-1')).toEqual({ current: of('A'), used: [of('A')] });
  await again.load(SAVED);
  expect(stored.get(5)).toEqual({ current: of('A'), used: [of('A')] });
});

test('unsent drafts stay in the browser and are sent when the workspace is back', async () => {
  const { window, state, stored } = setUp();
  stored.set(5, { current: of('old'), used: [of('old')] });
  const first = window();
  await first.load(SAVED);
  state.gone = true;
  first.type(SAVED, of('typed'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.get(5)?.current).toEqual(of('old'));
  state.gone = false;
  const later = window();
  await later.load(SAVED);
  expect(later.store.get().get('new-1')?.current).toEqual(of('typed'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.get(5)).toEqual({ current: of('typed'), used: [of('old')] });
});

test('a closed tab sends its latest text', async () => {
  const { window, stored } = setUp();
  const contexts = window();
  await contexts.load(SAVED);
  contexts.type(SAVED, of('A'));
  contexts.forget(SAVED);
  await vi.advanceTimersByTimeAsync(0);
  expect(stored.get(5)?.current).toEqual(of('A'));
  expect(contexts.store.get().size).toBe(0);
});
