import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RuleText } from '#domain/rule/rule';
import type { Why } from '#domain/run/why';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { commandLine } from '../../../support/product/command-line.ts';
import { type ServedInstance, startInstance } from '../../../support/product/served-instance.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const folder = sharedFolder();
const ORDERS = 'Plant.Line.Orders.Record';
const LEVEL = 'Plant.Line.Level.Value';
const URL_TEXT = 'http://far.invalid/orders';
const SCRIPT = 'Line/Order caps';
const RULE: Omit<RuleText, 'name'> = {
  description: '',
  enabled: true,
  triggersEvents: true,
  tags: [LEVEL],
  sampling: { kind: 'onChange' },
  window: { kind: 'manual' },
  outputs: [{ name: 'last', reducer: 'last', tag: LEVEL }],
  condition: '',
};
const BODY = `const answer = ApiValueManager.Fetch('${URL_TEXT}', 'get', null);
TagValueManager.Set([
  { tag: '${ORDERS}', value: { order: 1 } },
  { tag: '${ORDERS}', value: { order: 2 } },
  { tag: '${LEVEL}', value: answer.success ? 5 : 0 },
]);`;

describe('what other logs have', () => {
  let instance: ServedInstance;
  let client: InstanceClient;
  beforeAll(builtProduct, 180_000);
  beforeAll(async () => {
    instance = await startInstance();
    client = await instance.client();
    const tag = { description: '', unit: '', settings: {} };
    await client.tags.save({ ...tag, path: ORDERS, kind: 'erp', type: 'Json' });
    await client.tags.save({ ...tag, path: LEVEL, kind: 'storage', type: 'Double' });
    await client.mocks.save({ name: 'Orders', request: { url: URL_TEXT } });
    await client.settings.update({ 'api.mode': 'mockFirst' });
    const [group = '', name = ''] = SCRIPT.split('/');
    await client.scripts.save({ group, name, description: '', body: BODY });
    await commandLine(['run', '--script', SCRIPT, '-w', instance.workspace]);
  });
  afterAll(() => instance.close());

  const why = async (thing: string): Promise<Why> =>
    JSON.parse((await commandLine(['why', thing, '--json', '-w', instance.workspace])).out);

  test('a DB tag has the write, the line and the run that wrote it', async () => {
    const path = 'Bottling.Scripts.Error.Database.Value';
    const value = { time: '2026-01-01', tag: LEVEL, message: 'Too low' };
    const body = `// Reports.\nTagValueManager.Set([{ tag: '${path}', value: ${JSON.stringify(value)} }]);\n`;
    await client.scripts.save({ group: 'Line', name: 'Report', description: '', body });
    await commandLine(['run', '--script', 'Line/Report', '-w', instance.workspace]);
    const { causes } = await why(path);
    expect(causes).toMatchObject([
      { kind: 'write', action: `wrote ${path}`, after: value, line: 2, script: { name: 'Line/Report', version: 1 } },
      { kind: 'run', depth: 1, action: expect.stringContaining('Line/Report') },
    ]);
  });

  test('a record of the outbox has the write, the line and the run that sent it', async () => {
    const { records } = await client.erp.list({ tag: ORDERS });
    for (const { id, record } of records) {
      const { causes, problem } = await why(`erp:${id}`);
      expect(problem).toBeNull();
      expect(causes).toMatchObject([
        {
          kind: 'write',
          action: `sent record ${id} of ${ORDERS}`,
          after: record,
          line: 2,
          script: { name: SCRIPT, version: 1 },
        },
        { kind: 'run', action: expect.stringContaining(SCRIPT), depth: 1 },
      ]);
    }
    expect(records.map(({ record }) => record)).toEqual([{ order: 2 }, { order: 1 }]);
  });

  test('a record outlives its tag; an unknown one says that there is none', async () => {
    expect(await why('erp:4711')).toMatchObject({ causes: [], problem: expect.stringContaining('no record 4711') });
    await client.tags.save({
      path: 'Plant.Line.Gone.Record',
      kind: 'erp',
      type: 'Json',
      description: '',
      unit: '',
      settings: {},
    });
    await client.tags.set({ items: [{ tag: 'Plant.Line.Gone.Record', value: { order: 3 } }] });
    await client.tags.delete({ paths: ['Plant.Line.Gone.Record'] });
    const [newest] = (await client.erp.list({})).records;
    const gone = await why(`erp:${newest?.id}`);
    expect(gone.causes).toMatchObject([
      { action: expect.stringContaining('Plant.Line.Gone.Record'), after: { order: 3 } },
    ]);
  });

  test('an API call has its mock, the run that made it, and what that wrote afterwards', async () => {
    const call = (await client.calls.list({})).calls.at(-1);
    expect(call).toMatchObject({ source: 'mock', line: 1, run: expect.any(Number) });
    const { causes, effects, problem } = await why(`call:${call?.seq}`);
    expect(problem).toBeNull();
    expect(causes).toMatchObject([
      {
        kind: 'call',
        entry: 0,
        action: `called GET ${URL_TEXT}: status 200 from the mock “Orders”`,
        actor: `script ${SCRIPT} (version 1), line 1`,
        thing: `run:${call?.run}`,
      },
      { kind: 'run', entry: call?.run, line: 1 },
    ]);
    expect(effects.map(({ action }) => action)).toContain(`wrote ${LEVEL}`);
    const text = await commandLine(['why', `call:${call?.seq}`, '-w', instance.workspace]);
    expect(text.out).not.toContain('entry 0');
  });

  test('a call of a run that is not stored says so, and an unknown one too', async () => {
    await client.runs.execute({
      body: `return ApiValueManager.Fetch('${URL_TEXT}', 'get', null).statusCode`,
      context: { tagName: LEVEL, tagScopeDiagram: null, tagScopeLocation: null },
      dryRun: true,
      live: true,
    });
    const call = (await client.calls.list({})).calls.at(-1);
    expect(await why(`call:${call?.seq}`)).toMatchObject({
      causes: [{ kind: 'call', actor: `a script of ${LEVEL}` }],
      problem: expect.stringContaining('Runs while you type are not stored'),
    });
    const unknown = await commandLine(['why', 'call:99999', '-w', instance.workspace]);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no call 99999')]);
  });

  test('a failed run is shown with the line of its error', async () => {
    const body = 'const level = null;\n  return level.value;';
    const { entry } = JSON.parse(
      (await commandLine(['run', '-', '--json', '-w', instance.workspace], { stdin: body })).out,
    );
    const shown = await commandLine(['journal', 'show', String(entry), '-w', instance.workspace]);
    expect(shown.out).toContain('  at the run:2:16\n  2 |   return level.value;\n    |                ^\n');
    expect((await client.journal.get({ id: entry })).run).toMatchObject({ body });
  });

  test('a run that saw more than a window opens is refused with the command for it', async () => {
    const reads = `for (let n = 0; n < 100; n += 1) TagValueManager.Get(Array(1_200).fill('${LEVEL}'));`;
    await commandLine(['run', '-', '-w', instance.workspace], { stdin: reads });
    const { runs } = await client.capsules.runs({ script: null, limit: 1 });
    const id = runs[0]?.id ?? 0;
    await expect(client.capsules.open({ run: id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(new RegExp(`more than 8,388,608 bytes .*"tagwright journal capsule ${id} FILE"`)),
    });
    expect((await client.journal.get({ id })).run).toMatchObject({ full: true, report: { status: 'ok' } });
  });

  test('an event has who saw it first, and how long nobody has acknowledged it', async () => {
    await client.rules.save({ ...RULE, name: 'Seen' });
    const fired = JSON.parse((await commandLine(['fire', 'Seen', '--json', '-w', instance.workspace])).out);
    const id: number = fired.firstEvent;
    expect((await why(`event:${id}`)).effects).toEqual([]);
    const headers = { 'user-agent': 'mes/2' };
    const get = async (path: string) => (await fetch(`${instance.eventsApi}${path}`, { headers })).text();
    await get('/api/events');
    await get(`/api/events/${id}`);
    const expected = [
      {
        kind: 'request',
        action: expect.stringMatching(/^first seen after [\d.]+ m?s, not acknowledged for [\d.]+ m?s$/),
        actor: 'mes/2 (127.0.0.1)',
        event: id,
      },
      {
        kind: 'request',
        action: `requested GET /api/events/${id}: status 200`,
        thing: expect.stringMatching(/^request:\d+$/),
      },
    ];
    await expect.poll(async () => (await why(`event:${id}`)).effects).toMatchObject(expected);
    // A list while it is disabled does not have it; after that, a list has it again.
    const firstSeen = async () =>
      (await why(`event:${id}`)).effects.flatMap(({ action, actor }) =>
        action.startsWith('first seen') ? [actor] : [],
      );
    const list = async (program: string) =>
      (await fetch(`${instance.eventsApi}/api/events`, { headers: { 'user-agent': program } })).text();
    const put = async (Active: boolean) =>
      fetch(`${instance.eventsApi}/api/events/${id}`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ Active }),
      });
    await put(false);
    await list('while-disabled/1');
    await put(true);
    await list('after/1');
    await expect.poll(firstSeen).toEqual(['mes/2 (127.0.0.1)', 'after/1 (127.0.0.1)']);
    await fetch(`${instance.eventsApi}/api/events/${id}`, { method: 'DELETE', headers });
    const { causes, effects, problem } = await why(`event:${id}`);
    expect(problem).toBeNull();
    expect(causes[0]).toMatchObject({ kind: 'event', action: `deleted event ${id}` });
    expect(effects[0]?.action).toMatch(/^first seen after [\d.]+ m?s$/);
  });

  test('the window of an event has excluded samples with their quality', async () => {
    const path = 'Plant.Line.Sensor.Value';
    const settings = { signal: { kind: 'constant', value: 7 }, updateMs: 1_000 };
    await client.tags.save({ path, kind: 'machine', type: 'Double', description: '', unit: '', settings });
    await client.rules.save({
      ...RULE,
      name: 'Sensor',
      tags: [path],
      outputs: [{ name: 'x', reducer: 'max', tag: path }],
    });
    await client.tags.force({ path, quality: 'BadNotConnected' });
    await client.tags.force({ path, quality: null });
    const fired = JSON.parse((await commandLine(['fire', 'Sensor', '--json', '-w', instance.workspace])).out);
    const { window } = await why(`event:${fired.firstEvent}`);
    const row = (await client.rules.list()).find(({ name }) => name === 'Sensor');
    expect(window).toMatchObject({ rule: 'Sensor', badSamples: 1, values: { x: 7 }, savedAt: row?.savedAt });
    expect(window?.list).toContainEqual({ at: expect.any(String), tag: path, value: null, quality: 'BadNotConnected' });
  });

  test('a firing by hand shows the current values that it added to its window', async () => {
    const list = async (event: number) => (await why(`event:${event}`)).window?.list.map((one) => ({ ...one, at: '' }));
    const added = { at: '', tag: LEVEL, value: 9, current: true };
    await client.tags.set({ items: [{ tag: LEVEL, value: 8 }] });
    const window = { kind: 'tumbling', everyMs: 86_400_000 } as const;
    await client.rules.save({ ...RULE, name: 'Daily', window });
    await client.tags.set({ items: [{ tag: LEVEL, value: 9 }] });
    const { id } = (await client.rules.list()).find(({ name }) => name === 'Daily') ?? { id: 0 };
    const fired = await client.rules.fire({ id, times: 3 });
    const [first, ...others] = await Promise.all([0, 1, 2].map((nth) => list((fired.firstEvent ?? 0) + nth)));
    // The samples of a rule begin soon after it is saved.
    expect(first?.findLast(({ current }) => !current)).toEqual({ at: '', tag: LEVEL, value: 9 });
    expect(first?.filter(({ current }) => current)).toEqual([added]);
    expect(others).toEqual([first, first]);
    // The current values of a manual window are also stored as its samples.
    await client.rules.save({ ...RULE, name: 'Batch' });
    const batch = (await client.rules.list()).find(({ name }) => name === 'Batch')?.id ?? 0;
    const before = await client.rules.fire({ id: batch, times: 1 });
    await client.tags.set({ items: [{ tag: LEVEL, value: 10 }] });
    const after = await client.rules.fire({ id: batch, times: 1 });
    const currents = await Promise.all([before, after].map(({ firstEvent }) => list(firstEvent ?? 0)));
    expect(currents.map((one) => one?.filter(({ current }) => current))).toEqual([[added], [{ ...added, value: 10 }]]);
    const { out } = await commandLine(['why', `event:${fired.firstEvent}`, '-w', instance.workspace]);
    expect(out).toMatch(new RegExp(`${LEVEL} +9 +current value\\n`));
  });

  test('a request has its client, the firing of its event and the change that it made', async () => {
    await client.rules.save({ ...RULE, name: 'Level' });
    const fired = JSON.parse((await commandLine(['fire', 'Level', '--json', '-w', instance.workspace])).out);
    const event = `${instance.eventsApi}/api/events/${fired.firstEvent}`;
    const put = (active: boolean) =>
      fetch(event, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'user-agent': 'mes/2' },
        body: JSON.stringify({ Active: active }),
      });
    await put(false);
    await (await fetch(`${instance.eventsApi}/api/events`)).text();
    const path = `/api/events/${fired.firstEvent}`;
    const find = async (wanted: string) => (await client.eventsApi.requests({})).findLast((one) => one.path === wanted);
    await expect.poll(() => find('/api/events')).toBeDefined();
    const request = await find(path);
    const { causes, effects, problem } = await why(`request:${request?.seq}`);
    expect(problem).toBeNull();
    expect(causes).toMatchObject([
      { kind: 'request', entry: 0, action: `requested PUT ${path}: status 200`, event: fired.firstEvent },
      { kind: 'firing', depth: 1, event: fired.firstEvent },
    ]);
    expect(causes[0]?.actor).toMatch(/^127\.0\.0\.1:\d+, mes\/2$/);
    expect(effects).toMatchObject([{ kind: 'event', action: `disabled event ${fired.firstEvent}` }]);
    const list = await find('/api/events');
    expect(await why(`request:${list?.seq}`)).toMatchObject({ causes: [{ kind: 'request' }], effects: [] });
  });
});

test('a request is explained when no instance runs', async () => {
  const workspace = join(folder, 'plant');
  const instance = await startInstance({ workspace });
  await (await fetch(`${instance.eventsApi}/api/events`)).text();
  await expect.poll(async () => (await (await instance.client()).eventsApi.requests({})).length).toBe(1);
  await instance.close();
  const known = await commandLine(['why', 'request:1', '-w', workspace]);
  expect(known).toMatchObject({ code: 0, out: expect.stringContaining('requested GET /api/events: status 200') });
});
