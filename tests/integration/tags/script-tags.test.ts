import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptPlant } from './script-plant.ts';
import { scriptPlant } from './script-plant.ts';

let plant: ScriptPlant;

beforeAll(async () => {
  plant = await scriptPlant();
  await plant.tag('Plant.A.Value', 'storage', 'Int', { initial: 1 });
  await plant.tag('Plant.B.Value', 'storage', 'Int', { initial: 2 });
});
afterAll(() => plant.close());

const read = async (path: string, scope: { diagram?: string; location?: string } = {}) =>
  (await plant.tags.get({ paths: [path], ...scope }))[0];
const valueOf = async (path: string) => (await read(path))?.value;

describe('a read', () => {
  it('gives the result of the read script, converted to the type of the tag', async () => {
    await plant.scriptTag(
      'Read.Sum.Value',
      {
        read: `
      const { Value: [a, b] } = TagValueManager.Get(['Plant.A.Value', 'Plant.B.Value']);
      return String(a.Value + b.Value);`,
      },
      'Int',
    );
    expect(await read('Read.Sum.Value')).toEqual({ path: 'Read.Sum.Value', value: 3, quality: 'Good', type: 'Int' });
    const { result } = await plant.run(`return TagValueManager.Get(['Read.Sum.Value'])`);
    expect(result).toMatchObject({ Success: true, Value: [{ Value: 3, Quality: 'Good', Type: 'Int' }] });
  });

  it('tells the script its own path and the scopes of the call, and that nothing is written', async () => {
    await plant.scriptTag('Read.Context.Value', {
      read: 'return [tagName, tagScopeDiagram, tagScopeLocation, typeof tagValue]',
    });
    expect((await read('Read.Context.Value', { diagram: 'D', location: 'L' }))?.value).toEqual([
      'Read.Context.Value',
      'D',
      'L',
      'undefined',
    ]);
    expect(await valueOf('Read.Context.Value')).toEqual(['Read.Context.Value', null, null, 'undefined']);
    const odd = await plant.run(`return [undefined, null, '', 'x'].map((scope) =>
      TagValueManager.Get(['Read.Context.Value'], scope, 'Ort 1').Value[0].Value.slice(1, 3))`);
    expect(odd.result).toEqual([
      [null, 'Ort 1'],
      [null, 'Ort 1'],
      [null, 'Ort 1'],
      ['x', 'Ort 1'],
    ]);
  });
});
