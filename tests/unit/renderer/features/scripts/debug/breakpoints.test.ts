import { describe, expect, test } from 'vitest';
import {
  Breakpoints,
  kindOf,
  optionsText,
  PLAIN,
  sentBreakpoint,
} from '../../../../../../src-renderer/features/scripts/debug/model/breakpoints.ts';
import { stateText } from '../../../../../../src-renderer/features/scripts/debug/model/breakpoint-text.ts';
import type { Memory } from '../../../../../../src-renderer/features/scripts/model/scripts-state.ts';

function memoryOf(stored = new Map<string, unknown>()): Memory & { stored: Map<string, unknown> } {
  return {
    stored,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the storage of a browser
    read: <T>(key: string, fallback: T): T => (stored.has(key) ? (structuredClone(stored.get(key)) as T) : fallback),
    write: (key, value) => (value === null ? stored.delete(key) : stored.set(key, structuredClone(value)), true),
  };
}

const linesOf = (breakpoints: Breakpoints, key: string) => breakpoints.of(key).map(({ line }) => line);

describe('breakpoints', () => {
  test('are added, removed and sorted by line', () => {
    const breakpoints = new Breakpoints(memoryOf());
    breakpoints.toggle('script-1', 9);
    breakpoints.toggle('script-1', 2);
    breakpoints.toggle('script-2', 5);
    expect(linesOf(breakpoints, 'script-1')).toEqual([2, 9]);
    breakpoints.toggle('script-1', 2);
    expect(linesOf(breakpoints, 'script-1')).toEqual([9]);
    breakpoints.removeAll();
    expect(breakpoints.store.get().size).toBe(0);
  });

  test('survive a reload with their options, in the workspace that they belong to', () => {
    const memory = memoryOf();
    const before = new Breakpoints(memory);
    before.load('/plant');
    before.put('script-1', 4, { condition: 'speed > 10', hits: '3', log: '' });
    before.toggle('script-1', 7);
    before.change('script-1', before.at('script-1', 7)?.id ?? 0, { enabled: false });
    const after = new Breakpoints(memory);
    after.load('/plant');
    expect(after.of('script-1')).toMatchObject([
      { line: 4, condition: 'speed > 10', hits: '3', enabled: true },
      { line: 7, ...PLAIN, enabled: false },
    ]);
    const elsewhere = new Breakpoints(memory);
    elsewhere.load('/other');
    expect(elsewhere.store.get().size).toBe(0);
  });

  test('those that are set before the workspace is known are kept', () => {
    const memory = memoryOf(new Map([['/plant.breakpoints', { 'script-2': [{ line: 3 }] }]]));
    const breakpoints = new Breakpoints(memory);
    breakpoints.toggle('script-1', 1);
    breakpoints.load('/plant');
    expect(linesOf(breakpoints, 'script-1')).toEqual([1]);
    expect(linesOf(breakpoints, 'script-2')).toEqual([3]);
  });

  test('invalid breakpoints in the storage of the browser are ignored', () => {
    const stored = { 'script-1': [null, 5, { line: 'x' }, { line: 0 }, { line: 2, condition: 7 }], 'script-2': 'x' };
    const breakpoints = new Breakpoints(memoryOf(new Map([['/plant.breakpoints', stored]])));
    breakpoints.load('/plant');
    expect([...breakpoints.store.get().keys()]).toEqual(['script-1']);
    expect(breakpoints.of('script-1')).toMatchObject([{ line: 2, condition: '' }]);
  });

  test('move with edits; two on one line become one, and one without a line is gone', () => {
    const breakpoints = new Breakpoints(memoryOf());
    for (const line of [1, 3, 5, 8]) breakpoints.toggle('k', line);
    const [a, b, c, d] = breakpoints.of('k').map(({ id }) => id);
    breakpoints.move(
      'k',
      new Map([
        [a ?? 0, 2],
        [b ?? 0, 4],
        [c ?? 0, 4],
        [d ?? 0, null],
      ]),
    );
    expect(linesOf(breakpoints, 'k')).toEqual([2, 4]);
  });

  test('an edit that moves nothing notifies nobody', () => {
    const breakpoints = new Breakpoints(memoryOf());
    breakpoints.toggle('k', 3);
    let changes = 0;
    breakpoints.store.subscribe(() => (changes += 1));
    breakpoints.move('k', new Map([[breakpoints.at('k', 3)?.id ?? 0, 3]]));
    expect(changes).toBe(0);
  });

  test('follow a new script to the key of its first save', () => {
    const memory = memoryOf();
    const breakpoints = new Breakpoints(memory);
    breakpoints.load('/plant');
    breakpoints.toggle('new-1', 3);
    breakpoints.rename('new-1', 'script-7');
    expect(linesOf(breakpoints, 'script-7')).toEqual([3]);
    expect(Object.keys(memory.stored.get('/plant.breakpoints') ?? {})).toEqual(['script-7']);
  });

  test('are all turned on and off', () => {
    const breakpoints = new Breakpoints(memoryOf());
    breakpoints.toggle('a', 1);
    breakpoints.toggle('b', 1);
    breakpoints.enableAll(false);
    expect([...breakpoints.store.get().values()].flat().map(({ enabled }) => enabled)).toEqual([false, false]);
  });

  test('show where the run put them, until it ends', () => {
    const breakpoints = new Breakpoints(memoryOf());
    breakpoints.toggle('k', 3);
    breakpoints.toggle('k', 9);
    const sent = breakpoints.of('k');
    const [first, second] = sent;
    breakpoints.placed(sent, [
      { verified: true, line: 4 },
      { verified: false, line: 9, message: 'No statement follows.' },
    ]);
    const placements = breakpoints.placements.get();
    if (!first || !second) throw new Error('no breakpoints');
    expect(stateText(first, placements.get(first.id))).toBe('Pauses at line 4: this line has no statement');
    expect(stateText(second, placements.get(second.id))).toBe('No statement follows.');
    breakpoints.forgetPlacements();
    expect(stateText(first, breakpoints.placements.get().get(first.id))).toBe('');
  });

  test('have a kind and a text for people, and a form for the protocol', () => {
    const log = { condition: 'a', hits: '2', log: 'a is {a}' };
    expect([kindOf(PLAIN), kindOf({ ...PLAIN, hits: '2' }), kindOf(log)]).toEqual(['plain', 'conditional', 'log']);
    expect(optionsText(log)).toBe('log "a is {a}", if a, from hit 2');
    expect(sentBreakpoint({ ...PLAIN, id: 1, line: 3, enabled: true })).toEqual({ line: 3 });
    expect(sentBreakpoint({ ...log, id: 1, line: 3, enabled: true })).toEqual({
      line: 3,
      condition: 'a',
      hitCondition: '2',
      logMessage: 'a is {a}',
    });
  });
});
