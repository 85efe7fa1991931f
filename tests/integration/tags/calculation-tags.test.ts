import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TagType } from '#domain/tag';
import type { ScriptPlant } from './script-plant.ts';
import { scriptPlant } from './script-plant.ts';

let plant: ScriptPlant;

beforeAll(async () => {
  plant = await scriptPlant();
  await plant.tag('Plant.A.Value', 'storage', 'Double', { initial: 10 });
  await plant.tag('Plant.B.Value', 'storage', 'Double', { initial: 4 });
});
afterAll(() => plant.close());

const calculation = (path: string, expression: string, type: TagType = 'Double') =>
  plant.tag(path, 'calculation', type, { expression });
const read = async (...paths: string[]) => plant.tags.get({ paths });
const one = async (path: string) => (await read(path))[0];

describe('a calculation', () => {
  it('computes', async () => {
    await calculation('C.Rate.Value', "tag('Plant.A.Value') / tag('Plant.B.Value')");
    await calculation('C.Twice.Value', "tag('C.Rate.Value') * 2");
    await calculation('C.Free.Value', "[1, 2, 3].map((n) => n * tag('C.Twice.Value')).reduce((a, b) => a + b, 0)");
    expect(await one('C.Rate.Value')).toEqual({ path: 'C.Rate.Value', value: 2.5, quality: 'Good', type: 'Double' });
    expect((await read('C.Free.Value', 'C.Rate.Value', 'C.Twice.Value')).map(({ value }) => value)).toEqual([
      30, 2.5, 5,
    ]);
    expect(plant.logged).toEqual([]);
  });
});
