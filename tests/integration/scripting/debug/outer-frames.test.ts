import { beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '#domain/workspace/settings';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { HALF, LEVEL, plant } from './debug-plant.ts';

beforeAll(() => builtProduct());

const BODY = `const factor = 3;
const order = { id: 7, get late() { return factor > 2; } };
return scaled(10);
function scaled(by) {
  let half = TagValueManager.Get(['${HALF}']).Value[0].Value;
  return half * by * factor;
}`;

/** A run that waits for a script of a tag, which is paused at its last line. */
async function nested(body = BODY, settings: Partial<Settings> = {}) {
  const { client, script, workbench } = await plant();
  await client.settings.update(settings);
  const debug = await DebugClient.open(client);
  await debug.launch({
    body,
    breakpoints: [{ source: { path: `script:${script.id}` }, breakpoints: [{ line: 3 }] }],
  });
  await debug.ok('configurationDone');
  expect(await debug.place()).toBe('Tank/Half:3');
  const frames = await debug.frames();
  return { client, debug, frames, script, workbench };
}

describe('frames of scripts that wait for a nested one', () => {
  test('have variables, which can be read, evaluated and assigned', async () => {
    const { debug, frames } = await nested();
    expect(frames.map(({ name, line }) => `${name}:${line}`)).toEqual(['Tank/Half:3', 'scaled:5', 'script:3']);
    const [inner = 0, scaled = 0, outer = 0] = frames.map(({ id }) => id);
    expect(frames.map(({ presentationHint = 'normal' }) => presentationHint)).toEqual(['normal', 'normal', 'normal']);
    expect(await debug.variables(scaled)).toMatchObject({
      by: { value: '10' },
      half: { value: 'not initialized' },
      factor: { value: '3' },
    });
    const { order, this: self } = await debug.variables(outer);
    expect(self).toMatchObject({ value: 'globalThis' });
    const members = await debug.list(order?.variablesReference ?? 0);
    const late = members.find(({ name }) => name === 'late');
    expect(late).toMatchObject({ presentationHint: { lazy: true } });
    expect(await debug.list(late?.variablesReference ?? 0)).toMatchObject([{ value: 'true' }]);
    expect(await debug.evaluate('by * factor', scaled)).toBe('30');
    expect(await debug.evaluate('half', inner)).toBe('6');
    await debug.ok('setExpression', { expression: 'by', value: '100', frameId: scaled });
    expect(await debug.ok('completions', { text: 'fac', column: 4, frameId: scaled })).toMatchObject({
      targets: [{ label: 'factor' }],
    });
    expect(await debug.send('evaluate', { expression: 'nothing', frameId: outer })).toMatchObject({
      success: false,
      message: 'ReferenceError: nothing is not defined',
    });
    expect(await debug.evaluate('half', inner)).toBe('6');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 6 * 100 * 3 });
  });

  test('cannot use tags or APIs, because their run waits for a call', async () => {
    const { client, debug, frames } = await nested();
    const frameId = frames.at(-1)?.id ?? 0;
    for (const expression of [
      `TagValueManager.Get(['${LEVEL}'])`,
      `TagValueManager.Set([{ tag: '${LEVEL}', value: 1 }])`,
      "ApiValueManager.Fetch('http://plant.invalid/', null, 'GET', null)",
    ]) {
      expect(await debug.send('evaluate', { expression, frameId })).toMatchObject({
        success: false,
        message: expect.stringContaining('a script that waits cannot use tags or APIs'),
      });
    }
    expect(await client.tags.get({ paths: [LEVEL] })).toMatchObject([{ value: 12 }]);
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 180, writes: [], apiCalls: [] });
  });

  test('an evaluation there that never ends ends only its run', async () => {
    const { client, debug, frames } = await nested(BODY, { 'limits.scriptMs': 1_500 });
    const other = await DebugClient.open(client);
    await other.launch({ body: BODY, stopOnEntry: true });
    await other.ok('configurationDone');
    await other.stopped();
    await debug.send('evaluate', { expression: '(() => { for (;;); })()', frameId: frames.at(-1)?.id ?? 0 });
    expect(await debug.report()).toMatchObject({ status: 'timeout' });
    await other.ok('continue');
    expect(await other.report()).toMatchObject({ status: 'ok', result: 180 });
  });

  test('evaluations there cannot break the reply, nor the run after it', async () => {
    const { debug, frames } = await nested();
    const frameId = frames.at(-1)?.id ?? 0;
    for (const expression of [
      'Object.prototype.question = { ask: "evaluate" }, Object.prototype.toJSON = () => 0',
      'JSON.stringify = null, JSON.parse = null, Array.prototype.join = null, Reflect.apply = null',
      'Object.defineProperty(Object.prototype, "reply", { get() { throw 1 } })',
      '"x".repeat(1e6)',
      '(function f() { return f() })()',
      'null.x',
    ]) {
      await debug.send('evaluate', { expression, frameId });
    }
    expect(await debug.evaluate('factor', frameId)).toBe('3');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 180 });
  });

  test('stay readable through steps, over several levels', async () => {
    const { client } = await plant();
    const path = 'Plant.Tank.Quarter.Value';
    const body = `const got = TagValueManager.Get(['${HALF}']).Value[0].Value;\nreturn got / 2;`;
    await client.scripts.save({ group: 'Tank', name: 'Quarter', description: '', body });
    const settings = { readScript: 'Tank/Quarter' };
    await client.tags.save({ path, kind: 'script', type: 'Double', description: '', unit: '', settings });
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: `const top = 'top';\nreturn TagValueManager.Get(['${path}']).Value[0].Value;`,
      stopOnEntry: true,
    });
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('script:1');
    await debug.ok('next');
    expect(await debug.place()).toBe('script:2');
    await debug.ok('stepIn');
    expect(await debug.place()).toBe('Tank/Quarter:1');
    await debug.ok('stepIn');
    expect(await debug.place()).toBe('Tank/Half:1');
    for (const place of ['Tank/Half:2', 'Tank/Half:3']) {
      await debug.ok('next');
      expect(await debug.place()).toBe(place);
      const frames = await debug.frames();
      expect(frames.map(({ name }) => name)).toEqual(['Tank/Half', 'Tank/Quarter', 'script']);
      expect(await debug.evaluate('top', frames[2]?.id)).toBe('"top"');
      expect(await debug.variables(frames[1]?.id)).toMatchObject({ got: { value: 'not initialized' } });
    }
    await debug.ok('stepOut');
    expect(await debug.place()).toBe('Tank/Quarter:2');
    expect(await debug.evaluate('got')).toBe('6');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ result: 3 });
  });

  test('scripts that one Get runs at a time pause one by one', async () => {
    const { client, script } = await plant();
    const other = 'Plant.Tank.Other.Value';
    const settings = { readScript: 'Tank/Half' };
    await client.tags.save({ path: other, kind: 'script', type: 'Double', description: '', unit: '', settings });
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: `const all = TagValueManager.Get(['${HALF}', '${other}']);\nreturn all.Value.map((one) => one.Value);`,
      breakpoints: [{ source: { path: `script:${script.id}` }, breakpoints: [{ line: 3 }] }],
    });
    await debug.ok('configurationDone');
    await debug.stopped();
    expect(await debug.place()).toBe('Tank/Half:3');
    expect((await debug.frames()).map(({ name }) => name)).toEqual(['Tank/Half', 'script']);
    const first = await debug.evaluate('tagName');
    await debug.ok('continue');
    await debug.stopped();
    expect(await debug.place()).toBe('Tank/Half:3');
    expect([first, await debug.evaluate('tagName')].toSorted()).toEqual(
      [HALF, other].map((one) => `"${one}"`).toSorted(),
    );
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: [6, 6] });
  });

  test('an expression in a paused frame that reads a script tag runs it without a pause', async () => {
    const { client, script } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: `const a = 1;\nreturn a;`,
      stopOnEntry: true,
      breakpoints: [{ source: { path: `script:${script.id}` }, breakpoints: [{ line: 3 }] }],
    });
    await debug.ok('configurationDone');
    await debug.stopped();
    expect(await debug.evaluate(`TagValueManager.Get(['${HALF}']).Value[0].Value`)).toBe('6');
    expect(await debug.place()).toBe('script:1');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 1 });
  });

  test('pause at breakpoints that are set while they wait', async () => {
    const { debug } = await nested();
    await debug.breakpoints('body', [{ line: 6 }]);
    await debug.ok('continue');
    expect(await debug.place()).toBe('scaled:6');
    await debug.ok('terminate');
    const { debug: other } = await nested(
      `const half = TagValueManager.Get(['${HALF}']);\nreturn half.Value[0].Value;`,
    );
    await other.ok('continue');
    expect(await other.report()).toMatchObject({ status: 'ok', result: 6 });
  });
});
