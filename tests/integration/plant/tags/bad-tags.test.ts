import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptPlant } from './script-plant.ts';
import { scriptPlant } from './script-plant.ts';

let plant: ScriptPlant;

beforeAll(async () => {
  plant = await scriptPlant();
  await plant.tag('Plant.Good.Value', 'machine', 'Double', { signal: { kind: 'constant', value: 7 } });
  await plant.tag('Plant.Forced.Value', 'machine', 'Double', { signal: { kind: 'constant', value: 7 } });
  await plant.tag('Plant.Sum.Value', 'calculation', 'Double', { expression: "tag('Plant.Forced.Value') + 1" });
  await plant.tag('Plant.Empty.Value', 'storage', 'Double');
});
afterAll(() => plant.close());

test('lists bad tags with their reasons, and no uncertain ones', async () => {
  expect(await plant.tags.bad({})).toEqual({ problems: [], total: 0, read: 4 });
  await plant.tags.force({ path: 'Plant.Forced.Value', quality: 'BadNotConnected' });
  const { problems, total } = await plant.tags.bad({});
  expect(total).toBe(2);
  expect(problems).toEqual([
    expect.objectContaining({ path: 'Plant.Forced.Value', kind: 'machine', quality: 'BadNotConnected', forced: true }),
    expect.objectContaining({
      path: 'Plant.Sum.Value',
      quality: 'BadNotConnected',
      reason: expect.stringContaining('its input "Plant.Forced.Value"'),
    }),
  ]);
});

test('ends when it is cancelled', async () => {
  await expect(plant.tags.bad({}, AbortSignal.abort())).rejects.toThrow(/abort/);
});
