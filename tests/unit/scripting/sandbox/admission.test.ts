import { fc } from '../../../support/random.ts';
import { describe, expect, test } from 'vitest';
import { Admission } from '../../../../src-main/scripting/sandbox/supervisor/admission.ts';

/** A run that causes nested runs in sequential calls. The runs of one call wait together. */
interface Run {
  name: number;
  script: { inProgress: number };
  depth: number;
  calls: Run[][];
}

const MAX_DEPTH = 8;

/** Trees of runs, up to 8 levels of nesting. */
function treeOf(
  shape: readonly number[],
  counter: { next: number },
  scripts: readonly Run['script'][],
  depth = 0,
): Run {
  const name = counter.next++;
  const width = depth < MAX_DEPTH ? (shape[name % shape.length] ?? 0) : 0;
  const calls: Run[][] = [];
  for (let call = width > 2 ? 2 : Math.min(1, width); call > 0 && counter.next < 400; call -= 1) {
    calls.push(Array.from({ length: width }, () => treeOf(shape, counter, scripts, depth + 1)));
  }
  return { name, script: scripts[name % scripts.length] ?? { inProgress: 0 }, depth, calls };
}

/** Runs all trees with the available hosts. Returns the order in which runs ended, and the number of hosts needed. */
function simulate(roots: readonly Run[], count: number, choose: (from: number) => number) {
  const admission = new Admission<Run>(count);
  const atWork: Run[] = [];
  const left = new Map<Run, number>();
  const callers = new Map<Run, Run>();
  const ended: Run[] = [];
  let most = 0;
  for (const run of roots) admission.wait(run, 0, run.script);
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
        admission.wait(inner, inner.depth, inner.script);
      }
    } else {
      ended.push(run);
      left.delete(run);
      admission.end(run.depth, run.script);
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
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat()),
        (shape, trees, count, texts, choices) => {
          const counter = { next: 0 };
          const scripts = Array.from({ length: texts }, () => ({ inProgress: 0 }));
          const roots = Array.from({ length: trees }, () => treeOf(shape, counter, scripts));
          const choose = (from: number) => (choices.next().value ?? 0) % from;
          const { ended, most, waiting } = simulate(roots, count, choose);
          expect(waiting).toBe(0);
          expect(ended).toHaveLength(counter.next);
          expect(scripts.every(({ inProgress }) => inProgress === 0)).toBe(true);
          expect(most).toBeLessThanOrEqual(count + MAX_DEPTH + count);
        },
      ),
    );
  });

  const script = () => ({ inProgress: 0 });

  test('starts runs of one level in order of request, and deeper ones first', () => {
    const admission = new Admission<string>(1);
    const one = script();
    admission.wait('first', 0, one);
    admission.wait('second', 0, one);
    admission.wait('inner', 1, one);
    admission.wait('inner 2', 1, script());
    admission.wait('inner 3', 1, one);
    expect(admission.ready()).toBe(3);
    expect([admission.take(), admission.take(), admission.take(), admission.take()]).toEqual([
      'inner',
      'inner 2',
      'first',
      null,
    ]);
    admission.end(1, one);
    expect(admission.take()).toBe('inner 3');
    expect(admission.size).toBe(1);
  });

  test('returns a run to the front, and drops waiting ones', () => {
    const admission = new Admission<string>(1);
    const one = script();
    for (const run of ['a', 'b', 'c']) admission.wait(run, 0, one);
    expect(admission.take()).toBe('a');
    admission.waitAgain('a', 0, one);
    expect(admission.drop('b', one)).toBe(true);
    expect(admission.drop('b', one)).toBe(false);
    admission.wait('nested', 2, one);
    expect(admission.dropAll(1)).toEqual(['nested']);
    expect(admission.take()).toBe('a');
    expect(admission.dropAll()).toEqual(['c']);
    expect(admission.size).toBe(0);
  });

  test('takes the script with the fewest runs in progress next, then the oldest run', () => {
    const admission = new Admission<string>(3);
    const [many, few, other] = [script(), script(), script()];
    for (const run of ['m1', 'm2', 'm3', 'm4']) admission.wait(run, 0, many);
    admission.wait('f1', 0, few);
    admission.wait('o1', 0, other);
    admission.wait('f2', 0, few);
    expect([admission.take(), admission.take(), admission.take(), admission.take()]).toEqual(['m1', 'f1', 'o1', null]);
    admission.end(0, few);
    expect(admission.take()).toBe('f2');
    admission.end(0, other);
    expect(admission.take()).toBe('m2');
  });

  test('leaves the last place to scripts that may have it', () => {
    const slow = script();
    const admission = new Admission<string>(2, (one, _depth, places) => places > 1 || one !== slow);
    for (const run of ['s1', 's2', 's3']) admission.wait(run, 0, slow);
    expect([admission.ready(), admission.held()]).toEqual([1, 3]);
    expect([admission.take(), admission.take()]).toEqual(['s1', null]);
    expect([admission.ready(), admission.held()]).toEqual([0, 2]);
    admission.wait('quick', 0, script());
    expect(admission.ready()).toBe(1);
    expect([admission.take(), admission.take()]).toEqual(['quick', null]);
  });
});
