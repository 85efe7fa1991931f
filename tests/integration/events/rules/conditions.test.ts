import { expect, onTestFinished, test } from 'vitest';
import type { RuleState, RuleText } from '#domain/rule/rule';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { ConditionRunner } from '../../../../src-main/events/rules/conditions/condition.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import { realPool } from '../../../support/scripting/script-runs.ts';
import { sampled } from '../../../support/run/scale.ts';
import type { Plant } from './plant.ts';
import { openPlant, output, rowsOf, ruleText, withTags, write } from './plant.ts';

type End = Awaited<ReturnType<ConditionRunner['run']>>;

const EACH: Partial<RuleText> = { window: { kind: 'count', samples: 1 }, outputs: [output('last')] };
const ENDLESS = '(() => { for (;;); })()';

/**
 * Returns true for every window, unless `end`, which gets the condition and the number of windows, returns a result.
 */
function conditionsOf(
  end: (condition: string, windows: number) => Promise<Partial<End>> | Partial<End>,
): ConditionRunner {
  return {
    run: async ({ body, context }) => {
      const result = (Array.isArray(context.tagValue) ? context.tagValue : []).map(() => true);
      return { status: 'ok', result, error: null, ...(await end(body, result.length)) };
    },
  };
}

const failed = (status: End['status'], message: string): Partial<End> => ({
  status,
  result: null,
  error: { name: 'Error', message, line: null, column: null, stack: [] },
});

/** The issues of the rules, ordered by rule name. */
async function problemsOf({ rules }: Plant): Promise<RuleState['problem'][]> {
  const end = new AbortController();
  for await (const states of rules.state(end.signal)) {
    end.abort();
    return states.map(({ problem }) => problem);
  }
  return [];
}

const problemOf = async (plant: Plant) => (await problemsOf(plant))[0] ?? null;

const shown = (plant: Plant, name: string) => rowsOf(plant, name).map((row) => row['last']);

test('a few conditions run at a time, crashed ones one by one', async () => {
  const states = new Map<string, 'fresh' | 'crashed' | 'recovered'>();
  const running: string[] = [];
  const most = { fresh: 0, crashed: 0, recovered: 0 };
  let broken = true;
  const conditions = conditionsOf(async (body, windows) => {
    const name = /\/\* rule (\w) \*\//.exec(body)?.[1] ?? '?';
    const state = states.get(name) ?? 'fresh';
    running.push(state);
    most[state] = Math.max(most[state], running.filter((one) => one === state).length);
    await new Promise((resolve) => setImmediate(resolve));
    running.splice(running.indexOf(state), 1);
    // A crash counts once a single window is to blame for it.
    if (!broken) states.set(name, 'recovered');
    else if (windows === 1) states.set(name, 'crashed');
    return broken ? failed('timeout', 'too long') : {};
  });
  const plant = openPlant({ conditions });
  await withTags(plant);
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
  for (const name of names)
    await plant.rules.save(ruleText(name, { ...EACH, condition: `last > 0 /* rule ${name} */` }));
  await write(plant, 1, 2, 3, 4, 5, 6);
  await expect.poll(() => problemsOf(plant)).toEqual(names.map(() => expect.stringContaining('retried after')));
  expect(most.fresh).toBe(4);
  broken = false;
  // Crashed windows are lost, one or more of each rule; the others fire.
  for (const name of names) await expect.poll(() => shown(plant, name).at(-1)).toBe(6);
  expect(most.crashed).toBe(1);
});

test('a condition that times out is retried with backoff; other windows fire later', async () => {
  const requests: number[] = [];
  const fixed = Promise.withResolvers<void>();
  const conditions = conditionsOf(async (body, windows) => {
    if (!body.includes('slow')) return {};
    requests.push(performance.now());
    if (windows === 1) alone += 1;
    // The condition crashes only as often as the test says, however long the test takes.
    if (alone > 2) {
      await fixed.promise;
      return {};
    }
    return failed('timeout', 'script time exceeded 1,000 ms');
  });
  let alone = 0;
  const plant = openPlant({ conditions });
  await withTags(plant);
  const rule = await plant.rules.save(ruleText('A', { ...EACH, condition: 'slow' }));
  await write(plant, 1, 2, 3, 4);
  await expect
    .poll(() => problemOf(plant))
    .toBe('The condition failed: script time exceeded 1,000 ms. It is retried after 2 s; windows wait until then.');
  const pauses = requests.map((at, place) => at - (requests[place - 1] ?? at)).filter((ms) => ms > 900);
  expect(pauses.length).toBeGreaterThan(0);
  await plant.rules.save({ ...ruleText('A', { ...EACH, condition: 'last > 0' }), id: rule.id });
  fixed.resolve();
  // Two windows were evaluated alone and timed out; no other is lost.
  await expect.poll(() => shown(plant, 'A')).toEqual([3, 4]);
  await write(plant, 5);
  await expect.poll(() => shown(plant, 'A')).toEqual([3, 4, 5]);
  expect(await problemOf(plant)).toBeNull();
});

test('a rule whose condition is removed during evaluation fires once for each window', async () => {
  const begun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const plant = openPlant({
    conditions: conditionsOf(async () => {
      begun.resolve();
      await answered.promise;
      return {};
    }),
  });
  await withTags(plant);
  const rule = await plant.rules.save(ruleText('A', { ...EACH, condition: 'last > 0' }));
  await write(plant, 1);
  await begun.promise;
  await plant.rules.save({ ...ruleText('A', EACH), id: rule.id });
  await write(plant, 2);
  await expect.poll(() => shown(plant, 'A')).toEqual([1, 2]);
  answered.resolve();
  await write(plant, 3);
  await expect.poll(() => shown(plant, 'A')).toEqual([1, 2, 3]);
  await plant.rules.fire({ id: rule.id });
  expect(shown(plant, 'A')).toEqual([1, 2, 3, 3]);
});

test('without a script host, windows wait, and the rule reports it', async () => {
  let broken = true;
  const plant = openPlant({
    conditions: conditionsOf(() =>
      broken ? { ...failed('error', 'no script host can be started'), unavailable: true } : {},
    ),
  });
  await withTags(plant);
  await plant.rules.save(ruleText('A', { ...EACH, condition: 'last > 0' }));
  await write(plant, 1, 2);
  await expect.poll(() => problemOf(plant)).toMatch(/^The condition cannot be evaluated now.*no script host/);
  expect(shown(plant, 'A')).toEqual([]);
  broken = false;
  await expect.poll(() => shown(plant, 'A')).toEqual([1, 2]);
  expect(await problemOf(plant)).toBeNull();
});

test('endless conditions occupy one script host at a time; scripts of tags continue', async () => {
  const runner = realPool({ count: 2 });
  runner.start();
  onTestFinished(() => runner.close());
  const tree = new RunTree({ runner, settings: { get: () => DEFAULT_SETTINGS } });
  const plant = openPlant({ conditions: tree.outside });
  await withTags(plant);
  const names = sampled(['A', 'B', 'C'], 2);
  for (const name of names) {
    await plant.rules.save(ruleText(name, { ...EACH, condition: ENDLESS }));
  }
  await write(plant, 1, 2, 3);
  const again = (seconds: string) => names.map(() => expect.stringMatching(`retried after ${seconds} s`));
  await expect.poll(() => problemsOf(plant)).toEqual(again('\\d+'));
  let most = 0;
  runner.onStatus(({ busy }) => (most = Math.max(most, busy)));
  await expect.poll(() => problemsOf(plant)).toEqual(again('(?:[2-9]|[1-6]\\d)'));
  expect(most).toBe(1);
  const nested = await tree.outside.run({
    chain: ['Plant.Line.A.Value'],
    sort: 'tag',
    body: 'return 7',
    context: { tagName: 'Plant.Line.A.Value', tagScopeDiagram: null, tagScopeLocation: null },
    calls: () => ({ get: () => [], set: () => ({ values: [], before: [] }) }),
  });
  expect(nested).toMatchObject({ status: 'ok', result: 7 });
});
