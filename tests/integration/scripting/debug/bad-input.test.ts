import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { startedFromNow } from '../../../support/product/processes.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { scaled } from '../../../support/run/scale.ts';
import { HALF, HALF_BODY, LEVEL, plant } from './debug-plant.ts';

beforeAll(() => builtProduct());

const READ_HALF = `return TagValueManager.Get(['${HALF}']).Value[0];`;

/** The hosts that are started from now on for debugged scripts; others may start at any time. */
const debugHostsFromNow = () => startedFromNow('script-host', '\0debug\0');

/** A run that waits for a script of a tag, which is paused at its last line, and the hosts of the two. */
async function nested(body = READ_HALF) {
  const { client, script } = await plant();
  const started = debugHostsFromNow();
  const debug = await DebugClient.open(client);
  await debug.launch({
    body,
    breakpoints: [{ source: { path: `script:${script.id}` }, breakpoints: [{ line: 3 }] }],
  });
  await debug.ok('configurationDone');
  expect(await debug.place()).toBe('Tank/Half:3');
  // In the order of their start; the last one may be the spare.
  return { client, debug, script, hosts: started().toSorted((a, b) => a - b) };
}

const PART = `
/** The bottles of an order that are larger than a size, with their volume. */
function partPART(order, smallest) {
  // Returned bottles have no size: they are counted by another script.
  const bottles = order.bottles.filter((one) => one.size >= smallest);
  if (bottles.length === 0) {
    console.log('part PART of this order has no bottles');
    return { id: order.id, count: 0, volume: 0, description: 'no bottles in this part' };
  }
  const volume = bottles.reduce((sum, one) => sum + one.size * one.count, 0);
  return { id: order.id, count: bottles.length, volume, description: 'bottles of part PART' };
}
`;

describe('bodies', () => {
  test('that do not parse are refused, with a reason', async () => {
    const { client } = await plant();
    for (const body of [
      'return (',
      'const a = 1; const a = 2;',
      'for (',
      '}',
      'await = 1',
      '"use strict"; with (a) {}',
    ]) {
      const debug = await DebugClient.open(client);
      expect(await debug.send('launch', { body })).toMatchObject({
        success: false,
        message: expect.stringContaining('does not parse'),
      });
      await debug.ok('disconnect');
    }
    expect(await client.debug.sessions()).toEqual([]);
  });

  test('of 1 MB are debugged, and show their values', async () => {
    const { client } = await plant();
    const parts = Array.from({ length: 1_640 }, (_, index) => PART.replaceAll('PART', String(index)));
    const body = `${parts.join('')}const found = part1599({ id: 7, bottles: [{ size: 330, count: 2 }] }, 250);\nreturn found;`;
    expect(body.length).toBeGreaterThan(1_000_000);
    const debug = await DebugClient.open(client);
    await debug.launch({ body });
    const last = body.split('\n').length;
    const placed = await debug.breakpoints('body', [{ line: last }]);
    expect(placed).toMatchObject([{ verified: true, line: last }]);
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe(`script:${last}`);
    expect(await debug.evaluate('found.volume + part0({ id: 1, bottles: [] }, 0).count')).toBe('660');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: { id: 7, volume: 660 } });
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const shown = await client.debug.values({ body, context, dryRun: true });
    expect(shown.report.status).toBe('ok');
    expect(shown.values.find(({ name }) => name === 'volume')).toMatchObject({ last: '660' });
  });

  test('of too many statements are refused; one that a tag runs does so without', async () => {
    const { client } = await plant();
    const body = `let a = 0;${'a+=1;'.repeat(190_000)}return a;`;
    const debug = await DebugClient.open(client);
    // On a busy machine, the time may end first.
    const message = expect.stringMatching(/too many statements to be debugged|to prepare, so it cannot be debugged/);
    expect(await debug.send('launch', { body })).toMatchObject({ success: false, message });
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const shown = client.debug.values({ body, context, dryRun: true });
    await expect(shown).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/too many|to prepare/),
    });
    const path = 'Plant.Tank.Large.Value';
    const { id } = await client.scripts.save({ group: 'Tank', name: 'Large', description: '', body });
    const settings = { readScript: 'Tank/Large' };
    await client.tags.save({ path, kind: 'script', type: 'Double', description: '', unit: '', settings });
    const other = await DebugClient.open(client);
    await other.launch({
      body: `return TagValueManager.Get(['${path}']).Value[0].Value;`,
      breakpoints: [{ source: { path: `script:${id}` }, breakpoints: [{ line: 1 }] }],
      noWait: true,
    });
    expect(await other.report()).toMatchObject({ status: 'ok', result: 190_000 });
  });
});

describe('breakpoints', () => {
  const LINES = 900;

  test('on every line pause at each of them, or log at each of them', async () => {
    const { client } = await plant();
    const lines = Array.from({ length: LINES }, (_, index) => `sum += ${index};`);
    const body = ['let sum = 0;', ...lines, 'return sum;'].join('\n');
    const all = Array.from({ length: LINES + 2 }, (_, index) => ({ line: index + 1 }));
    const debug = await DebugClient.open(client);
    await debug.launch({ body });
    await debug.breakpoints('body', all);
    await debug.ok('configurationDone');
    for (const { line } of all.slice(0, scaled(20, LINES))) {
      await debug.stopped();
      expect(await debug.place()).toBe(`script:${line}`);
      await debug.ok('continue');
    }
    await debug.breakpoints(
      'body',
      all.map(({ line }) => ({ line, logMessage: 'at {sum}' })),
    );
    while (!(await debug.send('continue')).success) await pause(5);
    expect(await debug.report()).toMatchObject({ status: 'ok', result: (LINES * (LINES - 1)) / 2 });
    expect(debug.outputs().length).toBeGreaterThan(LINES - scaled(20, LINES) - 5);
  });

  test('with conditions that write tags or call APIs do what they say, and nothing else', async () => {
    const { client } = await plant();
    await client.settings.update({ 'api.mode': 'offline' });
    const debug = await DebugClient.open(client);
    await debug.launch({ body: 'const a = 1;\nconst b = 2;\nconst c = 3;\nreturn a + b + c;' });
    await debug.breakpoints('body', [
      { line: 2, condition: `TagValueManager.Set([{ tag: '${LEVEL}', value: 77 }]), false` },
      { line: 3, condition: "ApiValueManager.Fetch('http://plant.invalid/', null, 'GET', null).success" },
      { line: 4, condition: `TagValueManager.Get(['${HALF}']).Value[0].Value === 38.5` },
    ]);
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('script:4');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 6, writes: [{ path: LEVEL }], apiCalls: [{}] });
    expect(await client.tags.get({ paths: [LEVEL] })).toMatchObject([{ value: 77 }]);
  });

  test('with conditions that end the realm, or fill the memory, end only their run', async () => {
    const { client } = await plant();
    await client.settings.update({ 'limits.scriptMs': 1_500, 'limits.memoryMb': 32 });
    const paused = await DebugClient.open(client);
    await paused.launch({ body: 'return 5;', stopOnEntry: true });
    await paused.ok('configurationDone');
    await paused.stopped();
    for (const condition of [
      '(() => { for (;;); })()',
      '(() => { const all = []; for (;;) all.push(new Array(1e6).fill(all)); })()',
      "'x'.repeat(2 ** 29 - 24).split('')",
    ]) {
      const debug = await DebugClient.open(client);
      await debug.launch({ body: 'const a = 1;\nreturn a;' });
      await debug.breakpoints('body', [{ line: 2, condition }]);
      await debug.ok('configurationDone');
      expect((await debug.report()).status).toMatch(/^(?:timeout|memory|crashed)$/);
    }
    await paused.ok('continue');
    expect(await paused.report()).toMatchObject({ status: 'ok', result: 5 });
  });
});

describe('while a run is paused', () => {
  test('its script is saved: it continues; a restart takes the new text', async () => {
    const { client, debug, script } = await nested();
    const [frame] = await debug.frames();
    const saved = { group: 'Tank', name: 'Half', description: '' };
    const { version } = await client.scripts.get({ id: script.id });
    await client.scripts.save({ ...saved, id: script.id, baseVersion: version, body: 'return 99;' });
    expect(await debug.ok('source', { source: frame?.source })).toMatchObject({ content: HALF_BODY });
    expect(await debug.evaluate('half')).toBe('6');
    await debug.breakpoints(`script:${script.id}`, [{ line: 1 }]);
    await debug.ok('restart');
    expect(await debug.place()).toBe('Tank/Half:1');
    const [now] = await debug.frames();
    expect(await debug.ok('source', { source: now?.source })).toMatchObject({ content: 'return 99;' });
    await client.scripts.delete({ id: script.id });
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: { Value: 99 } });
  });

  test('its host is killed: the run ends, and others go on', async () => {
    const { client, script } = await plant();
    const started = debugHostsFromNow();
    const debug = await DebugClient.open(client);
    await debug.launch({ scriptId: script.id, stopOnEntry: true });
    await debug.ok('configurationDone');
    await debug.stopped();
    for (const pid of started()) process.kill(pid, 'SIGKILL');
    const report = await debug.report();
    expect(report.status).toBe('crashed');
    expect(report.error?.message).not.toBe('');
    expect(await client.debug.sessions()).toMatchObject([{ state: 'ended' }]);
    for (const command of ['continue', 'next', 'scopes', 'evaluate']) {
      const given: Record<string, Json> = { frameId: 1, expression: '1' };
      expect(await debug.send(command, given)).toMatchObject({ success: false });
    }
    const next = await DebugClient.open(client);
    await next.launch({ scriptId: script.id, noWait: true });
    expect(await next.report()).toMatchObject({ status: 'ok', result: 6 });
  });

  test('the host of a nested script is killed: the script that waits goes on', async () => {
    const { debug, hosts } = await nested(`const half = TagValueManager.Get(['${HALF}']).Value[0];
debugged(half);
return half.Quality;
function debugged() {}`);
    await debug.breakpoints('body', [{ line: 2 }]);
    const [, inner] = hosts;
    if (inner === undefined) throw new Error('no host');
    process.kill(inner, 'SIGKILL');
    await debug.event('continued');
    expect(await debug.place()).toBe('script:2');
    expect(await debug.evaluate('half.Value')).toBe('null');
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', nested: [{ status: 'crashed' }] });
  });

  test('two windows send commands at once: each is done once', async () => {
    const { client } = await plant();
    const first = await DebugClient.open(client);
    await first.launch({ body: 'let a = 0;\na += 1;\na += 1;\nreturn a;', stopOnEntry: true });
    await first.ok('configurationDone');
    const second = await DebugClient.open(client, first.session);
    await Promise.all([first.stopped(), second.stopped()]);
    for (const line of [2, 3, 4]) {
      const done = await Promise.all([first.send('next'), second.send('next')]);
      expect(done.filter(({ success }) => success).length).toBe(1);
      await Promise.all([first.stopped(), second.stopped()]);
      expect(await second.place()).toBe(`script:${line}`);
      expect(await Promise.all([first.evaluate('a'), second.evaluate('a')])).toEqual([`${line - 2}`, `${line - 2}`]);
    }
    await first.leave();
    await second.ok('setExpression', { expression: 'a', value: '40' });
    await second.ok('terminate');
    expect(await second.report()).toMatchObject({ status: 'cancelled' });
  });

  test('its script is deleted: it continues, and a restart is refused', async () => {
    const { client, script } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({ scriptId: script.id, stopOnEntry: true });
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('Tank/Half:1');
    await client.tags.delete({ paths: [HALF] });
    await client.scripts.delete({ id: script.id });
    await debug.ok('next');
    await debug.stopped();
    expect(await debug.evaluate('level')).toBe('12');
    const message = 'There is no script with the id 1.';
    expect(await debug.send('restart')).toMatchObject({ success: false, message });
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 6 });
  });

  test('one window ends the run while the other steps and evaluates', async () => {
    const { client } = await plant();
    const first = await DebugClient.open(client);
    await first.launch({ body: 'let a = 0;\nfor (;;) a += 1;', stopOnEntry: true });
    await first.ok('configurationDone');
    const second = await DebugClient.open(client, first.session);
    await Promise.all([first.stopped(), second.stopped()]);
    const asked = ['next', 'evaluate', 'scopes', 'variables', 'stepIn'].map((command) =>
      second.send(command, { frameId: 1, expression: 'a', variablesReference: 1 }),
    );
    await first.ok('terminate');
    for (const answer of await Promise.all(asked)) expect(typeof answer.success).toBe('boolean');
    expect(await second.report()).toMatchObject({ status: 'cancelled' });
    expect(await second.send('next')).toMatchObject({ success: false });
  });
});
