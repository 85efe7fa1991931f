import { fc } from '../../../support/random.ts';
import { describe, expect, test } from 'vitest';
import { Admission } from '../../../../src-main/scripting/sandbox/supervisor/admission.ts';

/** A run that causes nested runs in sequential calls. The runs of one call wait together. */
interface Run {
  name: number;
  depth: number;
  calls: Run[][];
}

const MAX_DEPTH = 8;

/** Trees of runs, up to 8 levels of nesting. */
function treeOf(shape: readonly number[], counter: { next: number }, depth = 0): Run {
  const name = counter.next++;
  const width = depth < MAX_DEPTH ? (shape[name % shape.length] ?? 0) : 0;
  const calls: Run[][] = [];
  for (let call = width > 2 ? 2 : Math.min(1, width); call > 0 && counter.next < 400; call -= 1) {
    calls.push(Array.from({ length: width }, () => treeOf(shape, counter, depth + 1)));
  }
  return { name, depth, calls };
}

/** Runs all trees with the available hosts. Returns the order in which runs ended, and the number of hosts needed. */
function simulate(roots: readonly Run[], count: number, choose: (from: number) => number) {
  const admission = new Admission<Run>(count);
  const atWork: Run[] = [];
  const left = new Map<Run, number>();
  const callers = new Map<Run, Run>();
  const ended: Run[] = [];
  let most = 0;
  for (const run of roots) admission.wait(run, 0);
  const admit = (): void => {
    for (let run = admission.take(); run; run = admission.take()) {
      atWork.push(run);
      left.set(run, 0);
    }
    expect(admission.ready()).toBe(0);
    most = Math.max(most, left.size);
  };
  admit();
  while (atWork.length > 0) {
    const [run] = atWork.splice(choose(atWork.length), 1);
    if (!run) break;
    const call = run.calls.shift();
    if (call) {
      left.set(run, call.length);
      for (const inner of call) {
        callers.set(inner, run);
        admission.wait(inner, inner.depth);
      }
    } else {
      ended.push(run);
      left.delete(run);
      admission.leave(run.depth);
      const caller = callers.get(run);
      if (caller) {
        const waiting = (left.get(caller) ?? 0) - 1;
        left.set(caller, waiting);
        if (waiting === 0) atWork.push(caller);
      }
    }
    admit();
  }
  return { ended, most, waiting: admission.size };
}

describe('admission', () => {
  test('lets every run of every tree end, with a limited number of hosts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat()),
        (shape, trees, count, choices) => {
          const counter = { next: 0 };
          const roots = Array.from({ length: trees }, () => treeOf(shape, counter));
          const choose = (from: number) => (choices.next().value ?? 0) % from;
          const { ended, most, waiting } = simulate(roots, count, choose);
          expect(waiting).toBe(0);
          expect(ended).toHaveLength(counter.next);
          expect(most).toBeLessThanOrEqual(count + MAX_DEPTH + count);
        },
      ),
    );
  });

  test('starts runs of one level in order of request, and deeper ones first', () => {
    const admission = new Admission<string>(1);
    admission.wait('first', 0);
    admission.wait('second', 0);
    admission.wait('inner', 1);
    admission.wait('inner 2', 1);
    admission.wait('inner 3', 1);
    expect(admission.ready()).toBe(3);
    expect([admission.take(), admission.take(), admission.take(), admission.take()]).toEqual([
      'inner',
      'inner 2',
      'first',
      null,
    ]);
    admission.leave(1);
    expect(admission.take()).toBe('inner 3');
    expect(admission.size).toBe(1);
  });

  test('returns a run to the front, and drops waiting ones', () => {
    const admission = new Admission<string>(1);
    for (const run of ['a', 'b', 'c']) admission.wait(run, 0);
    expect(admission.take()).toBe('a');
    admission.waitAgain('a', 0);
    expect(admission.drop('b')).toBe(true);
    expect(admission.drop('b')).toBe(false);
    admission.wait('nested', 2);
    expect(admission.dropAll(1)).toEqual(['nested']);
    expect(admission.take()).toBe('a');
    expect(admission.dropAll()).toEqual(['c']);
  });
});
