import { beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#domain/text/json';
import { builtProduct } from '../../../support/product/product.ts';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { HALF, HALF_BODY, LEVEL, plant } from './debug-plant.ts';

beforeAll(() => builtProduct());

const BODY = `const list = [1, 2, 3];
let sum = 0;
for (const one of list) {
  sum += twice(one);
}

console.log('sum', sum);
return sum;
function twice(x) {
  const y = x * 2;
  return y;
}`;

describe('a debug session', () => {
  test('pauses at breakpoints that moved, and shows frames, scopes and variables', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({ body: BODY });
    expect(await debug.breakpoints('body', [{ line: 6 }, { line: 10 }, { line: 40 }])).toMatchObject([
      { verified: true, line: 7 },
      { verified: true, line: 10 },
      { verified: false },
    ]);
    await debug.ok('configurationDone');
    expect(await debug.stopped()).toMatchObject({ reason: 'breakpoint', threadId: 1 });
    const frames = await debug.frames();
    expect(frames.map(({ name, line }) => `${name}:${line}`)).toEqual(['twice:10', 'script:4']);
    const variables = await debug.locals();
    expect(variables).toMatchObject({ x: '1' });
    expect(await debug.evaluate('x * 100')).toBe('100');
    expect(await debug.evaluate('sum + one', Number(frames[1]?.id))).toBe('1');
    expect(await debug.send('evaluate', { expression: 'nothing', frameId: Number(frames[0]?.id) })).toMatchObject({
      success: false,
      message: 'ReferenceError: nothing is not defined',
    });
    await debug.breakpoints('body', []);
    await debug.ok('continue');
    const report = await debug.report();
    expect(report).toMatchObject({ status: 'ok', result: 12 });
    expect(debug.outputs()).toEqual(['7: sum 12']);
  });

  test('steps, runs to a line, assigns, completes and restarts', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({ body: BODY, stopOnEntry: true });
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('script:1');
    await debug.ok('next');
    expect(await debug.place()).toBe('script:2');
    await debug.ok('tagwright/runToLine', { line: 4 });
    expect(await debug.place()).toBe('script:4');
    await debug.ok('stepIn');
    expect(await debug.place()).toBe('twice:10');
    await debug.ok('stepOut');
    expect(await debug.place()).toBe('script:4');
    const [frame] = await debug.frames();
    const frameId = Number(frame?.id);
    expect(await debug.ok('completions', { text: 'list.le', column: 8, frameId })).toMatchObject({
      targets: expect.arrayContaining([expect.objectContaining({ label: 'length', start: 6, length: 2 })]),
    });
    expect(await debug.ok('completions', { text: 'TagV', column: 5, frameId })).toMatchObject({
      targets: expect.arrayContaining([expect.objectContaining({ label: 'TagValueManager' })]),
    });
    const scopes = await debug.scopes();
    const holder = scopes.find(({ names }) => 'sum' in names);
    await debug.ok('setVariable', { variablesReference: holder?.reference ?? 0, name: 'sum', value: '1000' });
    expect(await debug.ok('setExpression', { expression: 'list[2]', value: '50', frameId })).toMatchObject({
      value: '50',
    });
    await debug.ok('restart');
    expect(await debug.place()).toBe('script:1');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 12 });
  });

  test('sends what a window shows first with each stop, to clients that ask for it', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.ok('initialize', { supportsStopState: true });
    await debug.launch({ body: BODY });
    await debug.breakpoints('body', [{ line: 10 }]);
    await debug.ok('configurationDone');
    const { state } = await debug.stopped();
    const frames = await debug.frames();
    expect(state).toMatchObject({
      totalFrames: 2,
      stackFrames: frames,
      scopes: [{ name: 'Local' }, { name: 'Script' }],
      variables: [{ variables: [{ name: 'x', value: '1' }, { name: 'y' }, { name: 'this' }] }],
    });
    const { variables } = state as { variables: { variablesReference: number }[] };
    expect(await debug.list(variables[0]?.variablesReference ?? 0)).toMatchObject([{ name: 'x' }, { name: 'y' }, {}]);
    // Values may have changed since for those who come later.
    const other = await DebugClient.open(client, debug.session);
    expect(await other.stopped()).not.toHaveProperty('state');
    await debug.breakpoints('body', []);
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 12 });
  });

  test('expands getters and large arrays lazily, in pages', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: 'let read = 0;\nconst o = { get a() { read++; return 5 } };\nconst big = Array(100_000).fill(7);\nconst p = new Proxy({}, { get() { read++ }, ownKeys() { read++; return [] } });\nreturn read;',
    });
    await debug.breakpoints('body', [{ line: 5 }]);
    await debug.ok('configurationDone');
    await debug.stopped();
    const all = await debug.variables();
    const members = await debug.list(all['o']?.variablesReference ?? 0);
    expect(members[0]).toMatchObject({ name: 'a', value: '(...)', presentationHint: { lazy: true } });
    expect(await debug.list(members[0]?.variablesReference ?? 0)).toMatchObject([{ name: 'a', value: '5' }]);
    const big = all['big'];
    expect(big).toMatchObject({ indexedVariables: 100_000 });
    const page = { filter: 'indexed' as const, start: 99_990, count: 100 };
    expect((await debug.list(big?.variablesReference ?? 0, page)).map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => String(99_990 + index)),
    );
    const named = await debug.list(big?.variablesReference ?? 0, { filter: 'named' });
    expect(named.map(({ name }) => name)).toEqual(['length', '[[Prototype]]']);
    await debug.list(all['p']?.variablesReference ?? 0);
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 1 });
  });

  test('pauses on exceptions, where they were thrown', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({ body: 'const a = 1;\nfail(a);\nfunction fail(b) {\n  const c = a + b;\n  null.x;\n}' });
    await debug.ok('configurationDone');
    expect(await debug.stopped()).toMatchObject({ reason: 'exception', text: expect.stringContaining('TypeError') });
    expect(await debug.place()).toBe('fail:5');
    expect(await debug.evaluate('c')).toBe('2');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'error', error: { line: 5, column: 8 } });
  });

  test('has conditions, hit counts and log points', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({ body: BODY });
    expect(
      await debug.breakpoints('body', [
        { line: 4, hitCondition: '>= 3' },
        { line: 10, logMessage: 'x is {x}' },
        { line: 11, condition: 'x === 2' },
        { line: 2, hitCondition: 'often' },
      ]),
    ).toMatchObject([{ verified: true }, { verified: true }, { verified: true }, { verified: false }]);
    await debug.ok('configurationDone');
    await debug.stopped();
    expect(await debug.place()).toBe('twice:11');
    await debug.ok('continue');
    await debug.stopped();
    expect(await debug.place()).toBe('script:4');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ result: 12 });
    expect(debug.outputs()).toEqual(['10: x is 1', '10: x is 2', '10: x is 3', '7: sum 12']);
  });

  test('a condition that throws pauses; one that never ends ends only its run', async () => {
    const { client } = await plant();
    await client.settings.update({ 'limits.scriptMs': 1_500 });
    const throwing = await DebugClient.open(client);
    await throwing.launch({ body: BODY });
    await throwing.breakpoints('body', [{ line: 2, condition: 'nothing.x' }]);
    await throwing.ok('configurationDone');
    expect(await throwing.stopped()).toMatchObject({ text: expect.stringContaining('nothing is not defined') });
    const endless = await DebugClient.open(client);
    await endless.launch({ body: BODY });
    await endless.breakpoints('body', [{ line: 2, condition: '(() => { for (;;); })()' }]);
    await endless.ok('configurationDone');
    expect(await endless.report()).toMatchObject({ status: 'timeout' });
    expect(await throwing.evaluate('list.length')).toBe('3');
    await throwing.ok('terminate');
    expect(await throwing.report()).toMatchObject({ status: 'cancelled' });
  });

  test('shows tags as read next to their values now; the next Get sees a write', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    const get = `TagValueManager.Get(['${LEVEL}']).Value[0].Value`;
    await debug.launch({ body: `const a = ${get};\nconst b = ${get};\nreturn [a, b];` });
    await debug.breakpoints('body', [{ line: 2 }]);
    await debug.ok('configurationDone');
    await debug.stopped();
    await client.tags.set({ items: [{ tag: LEVEL, value: 14.1 }] });
    expect(await debug.ok('tagwright/tags', { line: 2, around: 1 })).toMatchObject({
      tags: [{ access: 'read', path: LEVEL, line: 1, value: 12, quality: 'Good', now: { value: 14.1 } }],
    });
    expect(await debug.ok('tagwright/tags', { line: 9 })).toEqual({ tags: [] });
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ result: [12, 14.1] });
  });

  test('steps into the script of a tag, with one call stack', async () => {
    const { client, script } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: `const half = TagValueManager.Get(['${HALF}']).Value[0].Value;\nreturn half;`,
      stopOnEntry: true,
    });
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('script:1');
    await debug.ok('stepIn');
    expect(await debug.place()).toBe('Tank/Half:1');
    const frames = await debug.frames();
    expect(frames.map(({ name, line }) => `${name}:${line}`)).toEqual(['Tank/Half:1', 'script:1']);
    expect(frames[0]?.source).toMatchObject({ name: 'Tank/Half', path: `script:${script.id}` });
    expect(await debug.ok('source', { source: { path: `script:${script.id}` } })).toMatchObject({ content: HALF_BODY });
    await debug.ok('next');
    expect(await debug.place()).toBe('Tank/Half:2');
    expect(await debug.evaluate('level')).toBe('12');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 6, nested: [{ tag: HALF, status: 'ok' }] });
  });

  test('pauses at breakpoints of a script that a tag runs', async () => {
    const { client, script } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: `return TagValueManager.Get(['${HALF}']).Value[0].Value;`,
      breakpoints: [{ source: { path: `script:${script.id}` }, breakpoints: [{ line: 3 }] }],
    });
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('Tank/Half:3');
    expect(await debug.evaluate('half')).toBe('6');
    const frames = await debug.frames();
    expect(frames.map(({ name, line }) => `${name}:${line}`)).toEqual(['Tank/Half:3', 'script:1']);
    await debug.ok('terminate');
    expect(await debug.report()).toMatchObject({ status: 'cancelled' });
  });

  test('a call of an API can be answered by hand', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: "const r = ApiValueManager.Fetch('http://plant.invalid/orders', null, 'GET', null);\nreturn [r.success, r.statusCode, r.responseObject];",
      stopOnEntry: true,
    });
    await debug.ok('configurationDone');
    await debug.stopped();
    await debug.ok('stepIn');
    expect(await debug.stopped()).toMatchObject({ reason: 'api call' });
    expect(await debug.ok('tagwright/api')).toMatchObject({
      call: { operation: 'Fetch', arguments: expect.arrayContaining(['http://plant.invalid/orders']) },
    });
    await debug.ok('tagwright/api', { answer: { status: 201, headers: { 'X-Id': '7' }, body: '{"ok":true}' } });
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({
      result: [true, '201', '{"ok":true}'],
      apiCalls: [{ statusCode: '201', url: 'http://plant.invalid/orders' }],
    });
  });

  test('a test can be debugged', async () => {
    const { client, script } = await plant();
    const saved = await client.scriptTests.save({
      scriptId: script.id,
      name: 'half',
      context: { tagName: HALF, tagScopeDiagram: null, tagScopeLocation: null },
      tags: [{ tag: LEVEL, value: 40 }],
      mocks: [],
      expect: {},
    });
    const debug = await DebugClient.open(client);
    await debug.launch({ testId: saved.id });
    await debug.breakpoints(`script:${script.id}`, [{ line: 2 }]);
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('Tank/Half:2');
    expect(await debug.evaluate('level')).toBe('40');
    await debug.ok('continue');
    const ended = await debug.event('tagwright/report');
    expect(ended).toMatchObject({ report: { result: 20, dryRun: true }, test: { passed: true, failures: [] } });
    await client.scriptTests.save({ ...saved, expect: { result: 21 } });
    const other = await DebugClient.open(client);
    await other.launch({ testId: saved.id, noWait: true });
    expect(await other.event('tagwright/report')).toMatchObject({ test: { passed: false, failures: [{}] } });
  });

  test('survives its window, and two windows follow it', async () => {
    const { client } = await plant();
    const first = await DebugClient.open(client);
    await first.launch({ body: "console.log('here');\nreturn 1;" });
    await first.breakpoints('body', [{ line: 2 }]);
    await first.ok('configurationDone');
    await first.stopped();
    await first.leave();
    expect(await client.debug.sessions()).toMatchObject([{ session: first.session, state: 'paused' }]);
    const [second, third] = [
      await DebugClient.open(client, first.session),
      await DebugClient.open(client, first.session),
    ];
    expect(await second.stopped()).toMatchObject({ reason: 'breakpoint' });
    expect(await third.stopped()).toMatchObject({ reason: 'breakpoint' });
    expect(second.outputs()).toEqual(['1: here']);
    await second.ok('continue');
    expect(await second.report()).toMatchObject({ result: 1 });
    expect(await third.report()).toMatchObject({ result: 1 });
    await expect(DebugClient.open(client, 'none')).rejects.toThrow('does not exist');
  });

  test('break in all runs stops a script that a tag runs for others', async () => {
    const { client, script } = await plant();
    await client.debug.breakInAll({ on: true, scripts: [{ scriptId: script.id, breakpoints: [{ line: 3 }] }] });
    const reading = client.tags.get({ paths: [HALF] });
    await expect
      .poll(async () => client.debug.sessions())
      .toMatchObject([{ state: 'paused', name: 'Tank/Half', breakInAll: true, tag: HALF }]);
    const [open] = await client.debug.sessions();
    const debug = await DebugClient.open(client, open?.session);
    expect(await debug.place()).toBe('Tank/Half:3');
    expect(await debug.evaluate('level')).toBe('12');
    await client.debug.breakInAll({ on: false, scripts: [] });
    await debug.ok('disconnect');
    expect(await reading).toMatchObject([{ value: 6, quality: 'Good' }]);
    expect(await client.tags.get({ paths: [HALF] })).toMatchObject([{ value: 6 }]);
  });

  test('bad requests are refused, and change nothing', async () => {
    const { client, script } = await plant();
    const debug = await DebugClient.open(client);
    expect(await debug.send('launch', { body: 'return (' })).toMatchObject({ success: false });
    expect(await debug.send('launch', {})).toMatchObject({ success: false });
    const bad = await DebugClient.open(client);
    await bad.launch({ scriptId: script.id, stopOnEntry: true });
    await bad.ok('configurationDone');
    await bad.stopped();
    const requests: [string, Json][] = [
      ['nothing', {}],
      ['__proto__', {}],
      ['constructor', {}],
      ['launch', { body: 'return 1' }],
      ['scopes', { frameId: 7 }],
      ['scopes', {}],
      ['variables', { variablesReference: 99 }],
      ['variables', { variablesReference: -1 }],
      ['evaluate', { expression: 'x'.repeat(20_000) }],
      ['evaluate', [1]],
      ['setBreakpoints', { source: {}, breakpoints: [{ line: 0 }] }],
      ['setBreakpoints', { source: {}, breakpoints: Array.from({ length: 2_000 }, () => ({ line: 1 })) }],
      ['tagwright/api', { answer: { status: 5 } }],
    ];
    for (const [command, given] of requests) {
      expect({ command, ...(await bad.send(command, given as JsonObject)) }).toMatchObject({ command, success: false });
    }
    expect(await bad.place()).toBe('Tank/Half:1');
    await bad.ok('continue');
    expect(await bad.report()).toMatchObject({ status: 'ok', result: 6 });
    expect(await bad.send('next', {})).toMatchObject({ success: false });
  });

  test('evaluations cannot harm more than their run', async () => {
    const { client } = await plant();
    await client.settings.update({ 'limits.scriptMs': 1_500 });
    const debug = await DebugClient.open(client);
    await debug.launch({ body: 'const a = 1;\nreturn a;', stopOnEntry: true });
    await debug.ok('configurationDone');
    await debug.stopped();
    await debug.ok('next');
    await debug.stopped();
    for (const attack of [
      'Object.prototype.toJSON = () => 0, Array.prototype.map = null, JSON.stringify = null, Reflect.apply = null',
      'Object.defineProperty(Object.prototype, "wants", { get() { throw 1 } })',
      'delete globalThis.Error, Function.prototype.call = null',
      'Object.freeze(Object.prototype), Object.freeze(globalThis)',
    ]) {
      await debug.send('evaluate', { expression: attack });
    }
    expect(await debug.evaluate('a')).toBe('1');
    await debug.ok('restart');
    await debug.stopped();
    await debug.ok('evaluate', { expression: 'globalThis.eval = null' });
    // The script has removed what evaluates text in its own realm.
    expect(await debug.send('evaluate', { expression: '1' })).toMatchObject({ success: false });
    await debug.ok('restart');
    await debug.stopped();
    expect(await debug.send('evaluate', { expression: 'for (;;);' })).toMatchObject({ success: false });
    expect(await debug.send('evaluate', { expression: '(() => { for (;;); })()' })).toMatchObject({ success: false });
    expect(await debug.report()).toMatchObject({ status: 'timeout' });
    const next = await DebugClient.open(client);
    await next.launch({ body: 'return 2;', noWait: true });
    expect(await next.report()).toMatchObject({ result: 2 });
  });
});
