import { expect, test } from 'vitest';
import type { RuleState } from '#domain/rule/rule';
import { openPlant, ruleText, withTags, write } from './plant.ts';
import type { Plant } from './plant.ts';

/** The current states of the rules. */
async function stateOf({ rules }: Plant): Promise<RuleState[]> {
  const end = new AbortController();
  for await (const states of rules.state(end.signal)) {
    end.abort();
    return states;
  }
  return [];
}

test('manual firings of a disabled rule are counted, also after it is enabled', async () => {
  const plant = openPlant();
  await withTags(plant);
  await write(plant, 7);
  const rule = await plant.rules.save(ruleText('Off', { enabled: false, window: { kind: 'manual' } }));
  expect(await stateOf(plant)).toEqual([{ id: rule.id, window: null, firings: 0, lastFiredAt: null, problem: null }]);
  await plant.rules.fire({ id: rule.id, times: 3 });
  const [off] = await stateOf(plant);
  expect(off).toMatchObject({ firings: 3, window: null });
  expect(off?.lastFiredAt).toBe(plant.rules.rows({ id: rule.id, limit: 1 }).rows[0]?.[1]);
  await plant.rules.save({ ...ruleText('On', { window: { kind: 'manual' } }), id: rule.id });
  expect(await stateOf(plant)).toMatchObject([{ firings: 3, window: { badSamples: 0 } }]);
  await plant.rules.fire({ id: rule.id });
  expect(await stateOf(plant)).toMatchObject([{ firings: 4 }]);
  expect(plant.faults).toEqual([]);
});
