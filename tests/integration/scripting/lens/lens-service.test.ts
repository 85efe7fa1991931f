import { beforeAll, describe, expect, test } from 'vitest';
import { originText } from '#domain/run/scope-lens';
import { builtProduct } from '../../../support/product/product.ts';
import { HALF, LEVEL, plant } from '../debug/debug-plant.ts';

beforeAll(() => builtProduct());

const context = { tagName: '' };

/** A plant with a Diagram and values of two locations. */
async function scopedPlant() {
  const made = await plant();
  const { client } = made;
  const part = {
    id: 'a',
    kind: 'value' as const,
    x: 0,
    y: 0,
    width: 80,
    height: 40,
    label: '',
    tag: LEVEL,
    value: null,
  };
  await client.diagrams.save({ name: 'Page', width: 400, height: 400, parts: [part] });
  await client.tags.set({ items: [{ tag: LEVEL, value: 1 }], diagram: '', location: '' });
  await client.tags.set({ items: [{ tag: LEVEL, value: 2 }], diagram: '', location: 'W1' });
  await client.tags.set({ items: [{ tag: LEVEL, value: 3 }], diagram: 'Page', location: 'W1' });
  return made;
}

describe('the scope lens', () => {
  test('knows the Diagrams and locations in use', async () => {
    const { client } = await scopedPlant();
    expect(await client.lens.scopes()).toEqual({ diagrams: ['', 'Page'], locations: ['', 'W1'] });
  });

  test('runs a script in each scope, and saves nothing', async () => {
    const { client } = await scopedPlant();
    const body = `const [level] = TagValueManager.Get(['${LEVEL}'], tagScopeDiagram, tagScopeLocation).Value;
TagValueManager.Set([{ tag: '${LEVEL}', value: level.Value * 10 }]);
return [level.Value, tagScopeDiagram, tagScopeLocation, tagValue];`;
    const shown = await client.lens.show({ subject: { body, context: { ...context, tagValue: 7 } } });
    const { cells, warnings, diagrams, locations, dropped } = shown;
    expect({ diagrams, locations, dropped }).toEqual({ diagrams: ['', 'Page'], locations: ['', 'W1'], dropped: 0 });
    expect(cells.map(({ result }) => result)).toEqual([
      '[1,null,null,7]',
      '[2,null,"W1",7]',
      '[1,"Page",null,7]',
      '[3,"Page","W1",7]',
    ]);
    expect(cells[3]).toMatchObject({
      status: 'ok',
      reads: [{ path: LEVEL, line: 1, diagram: 'Page', location: 'W1', value: '3' }],
      writes: [{ path: LEVEL, line: 2, diagram: '', location: '', value: '30' }],
    });
    expect(cells.map(({ reads }) => reads.map(originText).join())).toEqual([
      'stored for default',
      'stored for default / W1, shadows 1 of default',
      'stored for default',
      'stored for Page / W1, shadows 2 of default / W1, 1 of default',
    ]);
    expect(warnings).toEqual([
      { text: expect.stringContaining(`Reads ${LEVEL} with its scope (line 1)`), lines: [1, 2] },
    ]);
    expect(await client.tags.get({ paths: [LEVEL], diagram: '', location: '' })).toMatchObject([{ value: 1 }]);
    // Not in the journal, and not in the recorded runs.
    expect((await client.capsules.runs({ script: null })).runs).toEqual([]);
  });

  test('shows own writes, scripts of tags, and errors of single scopes', async () => {
    const { client } = await scopedPlant();
    const body = `if (tagScopeLocation === 'W1') throw new Error('no');
TagValueManager.Set([{ tag: '${LEVEL}', value: 8 }], tagScopeDiagram, tagScopeLocation);
return TagValueManager.Get(['${LEVEL}', '${HALF}'], tagScopeDiagram, tagScopeLocation).Value.map((one) => one.Value);`;
    const { cells, warnings } = await client.lens.show({ subject: { body, context }, diagrams: ['Page'] });
    expect(cells).toMatchObject([
      { result: '[8,0.5]', error: null },
      { status: 'error', result: null, error: 'Error: no (line 1)' },
    ]);
    expect(cells[0]?.reads.map((read) => [read.path, originText(read)])).toEqual([
      [LEVEL, 'written by this run'],
      [HALF, ''],
      // The script of the tag reads without its scope.
      [LEVEL, 'stored for default'],
    ]);
    expect(warnings).toEqual([]);
  });

  test('reads a tag, and the tags of a Diagram', async () => {
    const { client } = await scopedPlant();
    const tag = await client.lens.show({ subject: { tag: LEVEL }, locations: ['', 'W1', 'W2'] });
    expect(tag.cells.map(({ result }) => result)).toEqual(['1', '2', '1', '1', '3', '1']);
    const page = await client.lens.show({ subject: { diagram: 'Page' } });
    expect(page).toMatchObject({ diagrams: ['Page'], locations: ['', 'W1'] });
    expect(page.cells.map(({ reads, result }) => [reads[0]?.value, result])).toEqual([
      ['1', null],
      ['3', null],
    ]);
    await expect(client.lens.show({ subject: { tag: 'No.Such.Tag' } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.lens.show({ subject: { diagram: 'None' } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('shows at most 200 scopes, and is cancelled', async () => {
    const { client } = await scopedPlant();
    const locations = Array.from({ length: 150 }, (_, at) => `L${at}`);
    const { cells, dropped } = await client.lens.show({ subject: { tag: LEVEL }, locations });
    expect({ cells: cells.length, dropped }).toEqual({ cells: 200, dropped: 50 });
    const end = new AbortController();
    const endless = client.lens.show({ subject: { body: 'for (;;);', context }, locations }, { signal: end.signal });
    setTimeout(() => end.abort(), 300);
    await expect(endless).rejects.toMatchObject({ name: expect.any(String) });
  });
});
