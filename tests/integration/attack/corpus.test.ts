import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProduct } from '../../support/product/product.ts';
import { heldMb, INSPECTED } from '../../support/product/inspected-heap.ts';
import { sampled, scaled } from '../../support/run/scale.ts';
import { type Attack, ENOUGH_MS, scriptMsOf } from './corpus/attack.ts';
import { CORPUS } from './corpus/index.ts';
import type { ServedInstance } from '../../support/product/served-instance.ts';
import { startInstance } from '../../support/product/served-instance.ts';
import { Poller } from './poller.ts';

const TAG = 'Bottling.Settings.Display.Title.Value';
/** The result of a run after an attack. */
const PROBE = `const [title] = TagValueManager.Get(['${TAG}']).Value;
console.log([1, 2, 3].map(String).join(), JSON.stringify({ a: 1 }), new Map([[1, 2]]).get(1), [...'ab'].length);
return [title.Quality, typeof evil, typeof left, Object.keys({}).length, ({}).evil === undefined, tagName, await Promise.resolve(7)];`;
const WELL = [expect.stringMatching(/^Good|^Uncertain/), 'undefined', 'undefined', 0, true, 'A.B.C', 7];
const SAID = '1,2,3 {"a":1} 2 2';

describe.each([
  { scripts: 'compiled', jitless: false, ofEachSort: 6 },
  { scripts: 'interpreted', jitless: true, ofEachSort: 2 },
])('a live instance whose scripts are $scripts, under attack', ({ jitless, ofEachSort }) => {
  let instance: ServedInstance;
  let poller: Poller;
  let heldBefore = 0;

  beforeAll(async () => {
    await builtProduct();
    instance = await startInstance({ ui: true, env: INSPECTED });
    await (
      await instance.client()
    ).settings.update({
      'limits.scriptMs': ENOUGH_MS,
      'limits.totalMs': 2 * ENOUGH_MS,
      'limits.memoryMb': 64,
      'limits.resultMb': 1,
      'api.mode': 'offline',
      'hosts.jitless': jitless,
    });
    const { rules, events } = await instance.client();
    await events.createTest({ count: 3, ruleId: (await rules.list())[0]?.id ?? 0 });
    poller = new Poller(instance.eventsApi);
    await instance.run(PROBE);
    heldBefore = await heldMb(instance.command);
  }, 600_000);
  afterAll(() => instance.close());

  async function attack(by: Attack): Promise<void> {
    const { body, ends, says, gives } = by;
    const { settings } = await instance.client();
    await settings.update({ 'limits.scriptMs': scriptMsOf(by) });
    const { status, error, result } = await instance.run(body);
    await settings.update({ 'limits.scriptMs': ENOUGH_MS });
    const message = error?.message ?? '';
    expect({ status, error, result: JSON.stringify(result).slice(0, 300) }).toSatisfy(
      () => ends.includes(status) && (status === 'ok') === (error === null) && (status === 'ok' || result === null),
      `to end with ${ends.join(' or ')}, and to say why`,
    );
    if (says && status !== 'ok') expect(message).toMatch(says);
    if (gives !== undefined && status === 'ok') expect(result).toEqual(gives);
    const next = await instance.run(PROBE);
    expect(next).toMatchObject({ status: 'ok', result: WELL, console: [{ text: SAID }], error: null });
  }

  for (const [sort, attacks] of Object.entries(CORPUS)) {
    describe(`by scripts of the sort ${sort}`, () => {
      test.each(sampled(attacks, ofEachSort))('$name', attack);
    });
  }

  test('always responds to external tools, stays the same process, keeps its memory', async () => {
    await poller.stop();
    expect(poller.problems).toEqual([]);
    expect(poller.answered).toBeGreaterThan(scaled(10, 100));
    // A busy machine may delay a single request; a main that waits for a script would delay all of them.
    expect(poller.slowestMs).toBeLessThan(15_000);
    expect(process.kill(instance.pid, 0)).toBe(true);
    // 300 attacks leave 7 MB, and 1,200 more another 2: compiled code and caches. What they returned may still be on its way
    // into the journal.
    await expect.poll(async () => (await heldMb(instance.command)) - heldBefore).toBeLessThan(25);
    const { events } = await (await instance.client()).events.list({});
    expect(events.length).toBeGreaterThanOrEqual(3);
  });

  test('has at least 150 attacks, and some of each known sort', () => {
    const attacks = Object.values(CORPUS).flat();
    expect(attacks.length).toBeGreaterThanOrEqual(150);
    expect(Object.values(CORPUS).every((some) => some.length >= 20)).toBe(true);
  });
});
