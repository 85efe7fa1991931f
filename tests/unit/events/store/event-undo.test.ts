import { afterEach, describe, expect, test } from 'vitest';
import { UndoTable } from '../../../../src-main/events/store/event-undo.ts';
import { openStore } from '../../../support/services/open-store.ts';

const MILLION = 1_000_000;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

function open() {
  const store = openStore();
  const table = new UndoTable(store.commits);
  cleanups.push(() => {
    table.close();
    store.close();
  });
  const change = (ids: number[], name?: string) =>
    store.commits.run(() => table.changed(ids, name === undefined ? null : table.get(name)));
  return { store, table, change };
}

const idsFrom = (first: number, count: number, step = 1) => Array.from({ length: count }, (_, n) => first + n * step);

describe('what an action changed', () => {
  test('is remembered for a million events in a bit each', async () => {
    const { table, change } = open();
    const action = table.begin('a', 'disable');
    await change(idsFrom(1, MILLION), 'a');
    expect(action).toMatchObject({ made: MILLION, left: MILLION, blocks: 977 });
    await change([1, 31, 32, 33, 1_024, MILLION]);
    expect(action).toMatchObject({ made: MILLION, left: MILLION - 6 });
    expect(table.some(action, 32)).toEqual(idsFrom(2, 35).filter((id) => id !== 31 && id !== 32 && id !== 33));
    await change(idsFrom(1, MILLION));
    expect(action).toMatchObject({ made: MILLION, left: 0, blocks: 0 });
  });

  test('is forgotten, oldest first, when it would take too much memory', async () => {
    const { table, change } = open();
    table.begin('a', 'disable');
    await change([5], 'a');
    const far = table.begin('b', 'activate');
    await change(idsFrom(6, 16_383, 1_024), 'b');
    expect(table.get('a')?.left).toBe(1);
    await change([1_024 * 16_383], 'b');
    expect(table.get('a')).toBeNull();
    expect(table.get('b')).toBe(far);
    await change([1_024 * 16_384], 'b');
    expect(table.get('b')).toBeNull();
  });

  test('does not change with a job that failed; changes before a commit count', async () => {
    const { store, table, change } = open();
    const action = table.begin('a', 'disable');
    await change([1, 2, 3], 'a');
    const failed = store.commits.run(() => {
      table.changed([1]);
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    expect(action.left).toBe(3);
    // Until the next commit, it is as if it had changed.
    await store.commits.run(() => {});
    const seen: number[][] = [];
    const look = () => store.commits.run(() => seen.push(table.some(action, 9)));
    await Promise.all([look(), change([2]), look()]);
    await look();
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 3],
      [1, 3],
    ]);
  });
});
