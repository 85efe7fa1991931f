import { beforeAll, expect, test } from 'vitest';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { HALF, LEVEL, plant } from './debug-plant.ts';

beforeAll(() => builtProduct());

const PERCENT = 'Plant.Tank.Percent.Value';

async function calculated(expression: string) {
  const { client, script } = await plant();
  const settings = { expression };
  await client.tags.save({ path: PERCENT, kind: 'calculation', type: 'Double', description: '', unit: '', settings });
  return { client, script, debug: await DebugClient.open(client) };
}

test('the expression of a calculation is debugged, with the tags that it uses', async () => {
  const { client, debug } = await calculated(`tag('${LEVEL}') /\n  24 * (quality('${LEVEL}') === 'Good' ? 100 : 0)`);
  await debug.launch({ tag: PERCENT, stopOnEntry: true });
  await debug.ok('configurationDone');
  await debug.stopped();
  const [frame] = await debug.frames();
  expect(frame).toMatchObject({ name: PERCENT, line: 1, source: { path: `tag:${PERCENT}` } });
  const { content } = await debug.ok('source', { source: frame?.source });
  expect(content).toContain(`\ntag('${LEVEL}') /\n  24 * `);
  expect(await debug.evaluate(`tag('${LEVEL}') / 24`)).toBe('0.5');
  await debug.ok('stepIn');
  expect(await debug.place()).toMatch(/^tag:/);
  expect(await debug.evaluate('path')).toBe(`"${LEVEL}"`);
  await client.tags.set({ items: [{ tag: LEVEL, value: 6 }] });
  await debug.ok('continue');
  expect(await debug.report()).toMatchObject({ status: 'ok', result: 25 });
  expect(await client.tags.get({ paths: [PERCENT] })).toMatchObject([{ value: 25 }]);
});

test('a step into a calculation of scripts pauses in their text', async () => {
  const { client, script, debug } = await calculated(`tag('${HALF}') * 2`);
  await debug.launch({
    body: `const percent = TagValueManager.Get(['${PERCENT}']).Value[0].Value;\nreturn percent;`,
    breakpoints: [{ source: { path: `script:${script.id}` }, breakpoints: [{ line: 3 }] }],
  });
  await debug.ok('configurationDone');
  expect(await debug.place()).toBe('Tank/Half:3');
  const frames = await debug.frames();
  expect(frames.map(({ name }) => name)).toEqual(['Tank/Half', 'script']);
  expect(await debug.variables(frames[1]?.id)).toMatchObject({ percent: { value: 'not initialized' } });
  await debug.ok('terminate');
  expect(await debug.report()).toMatchObject({ status: 'cancelled' });
  const ofTag = await DebugClient.open(client);
  await ofTag.launch({ tag: HALF, stopOnEntry: true });
  await ofTag.ok('configurationDone');
  expect(await ofTag.place()).toBe('Tank/Half:1');
  expect(await ofTag.evaluate('tagName')).toBe(`"${HALF}"`);
  await ofTag.ok('continue');
  expect(await ofTag.report()).toMatchObject({ status: 'ok', result: 6 });
});

test('a tag without an expression or a script has nothing to debug', async () => {
  const { debug } = await calculated('1');
  for (const tag of [LEVEL, 'Plant.No.Tag.Value', '']) {
    expect(await debug.send('launch', { tag })).toMatchObject({
      success: false,
      message: expect.stringMatching(/nothing to debug|launch/),
    });
  }
});
