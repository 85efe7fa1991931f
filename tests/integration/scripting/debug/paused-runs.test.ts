import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { EventStreamClient } from '../../../support/hub/event-stream.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { scaled } from '../../../support/run/scale.ts';
import { HALF, LEVEL, plant } from './debug-plant.ts';

beforeAll(() => builtProduct());

describe('while runs are paused', () => {
  test('a nested Set has saved nothing, and holds no other write', async () => {
    const { client } = await plant();
    const body = `TagValueManager.Set([{ tag: '${LEVEL}', value: tagValue }]);\nconst done = 1;\nreturn done;`;
    const store = await client.scripts.save({ group: 'Tank', name: 'Store', description: '', body });
    const path = 'Plant.Tank.Store.Value';
    const settings = { writeScript: 'Tank/Store' };
    await client.tags.save({ path, kind: 'script', type: 'Double', description: '', unit: '', settings });
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: `TagValueManager.Set([{ tag: '${path}', value: 3 }]);\nreturn 1;`,
      breakpoints: [{ source: { path: `script:${store.id}` }, breakpoints: [{ line: 2 }] }],
    });
    await debug.ok('configurationDone');
    expect(await debug.place()).toBe('Tank/Store:2');
    expect(await client.tags.get({ paths: [LEVEL] })).toMatchObject([{ value: 12 }]);
    await client.tags.set({ items: [{ tag: LEVEL, value: 5 }] });
    expect(await client.tags.get({ paths: [LEVEL] })).toMatchObject([{ value: 5 }]);
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', writes: [{ path }] });
    expect(await client.tags.get({ paths: [LEVEL] })).toMatchObject([{ value: 3 }]);
  });

  test('a paused run ends at once when it is terminated, and saves nothing', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({
      body: `const a = 1;\nTagValueManager.Set([{ tag: '${LEVEL}', value: 1 }]);`,
      stopOnEntry: true,
    });
    await debug.ok('configurationDone');
    await debug.stopped();
    await debug.ok('terminate');
    expect(await debug.report()).toMatchObject({ status: 'cancelled', writes: [] });
    expect(await client.debug.sessions()).toMatchObject([{ state: 'ended' }]);
    expect(await client.tags.get({ paths: [LEVEL] })).toMatchObject([{ value: 12 }]);
  });

  test('ten, or 50 in the long form, hold nothing that others need; 50 is the limit', async () => {
    const { client } = await plant();
    const count = scaled(10, 50);
    const paused: DebugClient[] = [];
    for (let index = 0; index < count; index += 1) {
      const debug = await DebugClient.open(client);
      await debug.launch({
        body: `TagValueManager.Set([{ tag: '${LEVEL}', value: ${index} }]);\nreturn 1;`,
        stopOnEntry: true,
      });
      await debug.ok('configurationDone');
      await debug.stopped();
      paused.push(debug);
    }
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    expect(await client.runs.execute({ body: 'return 7', context, dryRun: false })).toMatchObject({ result: 7 });
    await client.tags.set({ items: [{ tag: LEVEL, value: 77 }] });
    expect(await client.tags.get({ paths: [HALF] })).toMatchObject([{ value: 38.5 }]);
    const states = (await client.debug.sessions()).map(({ state }) => state);
    expect(states).toEqual(paused.map(() => 'paused'));
    for (const [index, debug] of paused.entries()) expect(await debug.evaluate(`${index} + 1`)).toBe(String(index + 1));
    const idle = await Promise.all(Array.from({ length: 50 - count }, () => DebugClient.open(client)));
    await expect(DebugClient.open(client)).rejects.toThrow('50 scripts are being debugged');
    for (const debug of [...idle, ...paused]) await debug.ok('disconnect');
    expect(await client.debug.sessions()).toEqual([]);
    expect(await client.tags.get({ paths: [LEVEL] })).toMatchObject([{ value: 77 }]);
  });

  test('rules fire, and the events API responds and pushes', async () => {
    const { client, workbench } = await plant({ oneShot: false, createSample: true });
    const paused: DebugClient[] = [];
    for (let index = 0; index < 10; index += 1) {
      const debug = await DebugClient.open(client);
      await debug.launch({ body: `TagValueManager.Get(['${HALF}']);\nreturn 1;`, stopOnEntry: true });
      await debug.ok('configurationDone');
      await debug.stopped();
      paused.push(debug);
    }
    const { url } = workbench.services.eventsApi.status();
    const stream = await EventStreamClient.open(`${url}/api/events`, '');
    onTestFinished(() => stream.close());
    const before = (await client.events.list({ active: true })).counts.active;
    const events = async (): Promise<unknown[]> => {
      const response = await fetch(`${url}/api/events`);
      const all: unknown = await response.json();
      return Array.isArray(all) ? all : [];
    };
    await expect.poll(async () => (await events()).length).toBeGreaterThan(before);
    await expect.poll(() => stream.messages.length).toBeGreaterThan(0);
    expect((await client.debug.sessions()).map(({ state }) => state)).toEqual(paused.map(() => 'paused'));
    for (const debug of paused) await debug.ok('continue');
    for (const debug of paused) expect(await debug.report()).toMatchObject({ status: 'ok', result: 1 });
  });
});
