import { fc } from '../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { Admission } from '../../../../src-main/scripting/sandbox/supervisor/admission.ts';

/** A run that causes nested runs in sequential calls. The runs of one call wait together. */
interface Run {
  name: number;
  script: { inProgress: number; mayWait: boolean };
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
  return { name, script: scripts[name % scripts.length] ?? { inProgress: 0, mayWait: false }, depth, calls };
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
          const scripts = Array.from({ length: texts }, (_, index) => ({ inProgress: 0, mayWait: index % 2 === 1 }));
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

  const script = (mayWait = false) => ({ inProgress: 0, mayWait });

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

  test('takes a run that probably does not wait after each one that does', () => {
    const admission = new Admission<string>(10);
    for (const run of ['w1', 'w2', 'w3', 'w4']) admission.wait(run, 0, script(true));
    const quick = script();
    for (const run of ['q1', 'q2']) admission.wait(run, 0, quick);
    const taken = Array.from({ length: 7 }, () => admission.take());
    expect(taken).toEqual(['w1', 'q1', 'w2', 'q2', 'w3', 'w4', null]);
  });

  test('gives a reserved host only to nested runs and those that probably do not wait', () => {
    const admission = new Admission<string>(4);
    admission.wait('waits', 0, script(true));
    expect(admission.take(true)).toBeNull();
    admission.wait('quick', 0, script());
    admission.wait('nested', 1, script(true));
    expect([admission.take(true), admission.take(true), admission.take(true)]).toEqual(['nested', 'quick', null]);
    expect(admission.take()).toBe('waits');
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

  test('asks no script while none can be held back, and takes the same runs', () => {
    const step = fc.oneof(
      fc.record({ wait: fc.integer({ min: 0, max: 3 }) }),
      fc.constantFrom('take' as const, 'again' as const, 'end' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let asked = 0;
        const orderOf = (mayBegin: () => boolean, mayHold?: () => boolean) => {
          const admission = new Admission<{ name: number; script: Run['script'] }>(2, mayBegin, mayHold);
          const scripts = Array.from({ length: 4 }, () => script());
          const running: { name: number; script: Run['script'] }[] = [];
          return steps.map((one, name) => {
            const last = running.at(-1);
            if (typeof one === 'object') {
              const of = scripts[one.wait] ?? script();
              admission.wait({ name, script: of }, 1, of);
            } else if (one === 'take') {
              const taken = admission.take();
              if (taken !== null) running.push(taken);
              return taken?.name;
            } else if (last !== undefined) {
              running.pop();
              if (one === 'again') admission.waitAgain(last, 1, last.script);
              else admission.end(1, last.script);
            }
            return [admission.ready(), admission.held(), admission.size];
          });
        };
        const expected = orderOf(() => true);
        const countingAsked = () => (asked += 1) > 0;
        expect(orderOf(countingAsked, () => false)).toEqual(expected);
        expect(asked).toBe(0);
      }),
    );
  });
});
