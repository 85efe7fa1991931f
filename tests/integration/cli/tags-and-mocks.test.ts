import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';
const folder = mkdtempSync(join(tmpdir(), 'tagwright-cli-'));
const workspace = join(folder, 'workspace');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: string[], stdin = '') => commandLine([...args, '--workspace', workspace], { stdin });
const json = async (args: string[], stdin = ''): Promise<unknown> =>
  JSON.parse((await run([...args, '--json'], stdin)).out);

beforeAll(async () => {
  await run(['tags', 'list']);
});

describe('tags', () => {
  test('are overridden, forced, cleared and released', async () => {
    await run(['tags', 'set', `${SPEED}=1.6`]);
    expect(await json(['tags', 'force', SPEED, 'badcommunicationerror'])).toMatchObject([
      { path: SPEED, value: null, quality: 'BadCommunicationError', reason: 'the quality is forced' },
    ]);
    const got = async () => (await run(['tags', 'get', SPEED])).out;
    const forced = / null +Double {2}BadCommunicationError {2}overridden, forced\n$/;
    expect(await got()).toMatch(forced);
    const set = await run(['tags', 'set', `${SPEED}=1.6`]);
    expect(set.code).toBe(0);
    expect(set.out).toMatch(/1\.6 +Double {2}GoodLocalOverride {2}overridden, forced\n$/);
    expect(set.err).toContain(`${SPEED}: its quality is forced`);
    expect(await json(['tags', 'set', `${SPEED}=1.6`])).toMatchObject([{ value: 1.6, forced: true }]);
    expect(await got()).toMatch(forced);
    expect(await json(['tags', 'clear', SPEED])).toMatchObject([{ value: 1.6, quality: 'GoodLocalOverride' }]);
    expect((await run(['tags', 'release', SPEED])).out).toMatch(/^Bottling\.\S+ {2}[\d.]+ +Double {2}Good\n$/);
    expect(await got()).toMatch(/Double {2}Good\n$/);
    expect(await run(['tags', 'force', SPEED, 'Worse'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"Worse" is not a quality. Enter one of: Good, GoodLocalOverride'),
    });
    const stored = await run(['tags', 'release', 'Bottling.Line1.Order.Number.Value']);
    expect(stored).toMatchObject({ code: 2, out: '' });
  });

  test('that write each other in a cycle: the whole path comes first in the error', async () => {
    const next = { A: 'B', B: 'C', C: 'A' };
    for (const [one, other] of Object.entries(next)) {
      const body = `TagValueManager.Set([{ tag: 'Ring.${other}.Value', value: tagValue }]);`;
      await run(['scripts', 'save', `Ring/${one}`, '-'], body);
    }
    const tags = Object.keys(next).map((one) => ({
      path: `Ring.${one}.Value`,
      kind: 'script',
      type: 'Double',
      settings: { writeScript: `Ring/${one}` },
    }));
    await run(['tags', 'import', '-', '--format', 'json'], JSON.stringify(tags));
    const cycle = ['A', 'B', 'C', 'A'].map((one) => `Ring.${one}.Value (write)`).join(' → ');
    const reason = `"Ring.A.Value": tags read or write each other in a cycle: ${cycle}, from line 1 of `;
    const set = await run(['tags', 'set', 'Ring.A.Value=1']);
    expect(set).toMatchObject({ code: 1, out: '' });
    expect(set.err.slice(0, set.err.indexOf(cycle))).toBe(
      'tagwright: Nothing was written: 1 of 1 item rejected: "Ring.A.Value": tags read or write each other in a cycle: ',
    );
    expect(set.err).toContain(reason);
    const ran = await run(['run', '-'], "TagValueManager.Set([{ tag: 'Ring.A.Value', value: 1 }]);");
    // The report of a run, with its error, goes to standard output.
    expect(ran).toMatchObject({ code: 1, err: '' });
    expect(ran.out.split('\n')[2]).toContain(`rejected: ${reason}`);
  });

  test('are listed with their problems, by cause', async () => {
    // The sample has a broken sensor.
    await run(['tags', 'clear', 'Bottling.Line2.Labeller.GlueTemperature.Value']);
    expect(await run(['tags', 'problems'])).toMatchObject({ code: 0, out: '' });
    await run(['tags', 'force', SPEED, 'BadNotConnected']);
    const found = await run(['tags', 'problems']);
    expect(found.code).toBe(1);
    expect(found.out).toContain(`BadNotConnected: the quality is forced (`);
    expect(found.out).toContain(`  ${SPEED}`);
    const listed = await run(['tags', 'problems', '--json']);
    expect(listed.code).toBe(1);
    expect(JSON.parse(listed.out)).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ path: SPEED, quality: 'BadNotConnected' })]),
    });
    await run(['tags', 'clear', SPEED]);
    expect(await run(['tags', 'problems'])).toMatchObject({ code: 0, out: '' });
  });

  test('are deleted; used ones only with --yes', async () => {
    const tags = [
      { path: 'Cli.A.Value', kind: 'Storage', type: 'Int' },
      { path: 'Cli.B.Value', kind: 'CALCULATION', type: 'Int', settings: { expression: "tag('Cli.A.Value')" } },
      { path: 'Cli.C.Value', kind: 'ERP', type: 'Json' },
    ];
    expect(await json(['tags', 'import', '-', '--format', 'json'], JSON.stringify(tags))).toMatchObject({ created: 3 });
    const used = await run(['tags', 'delete', 'Cli.A.Value', 'Cli.C.Value']);
    expect(used).toMatchObject({ code: 1, out: '' });
    expect(used.err).toContain('These 2 tags are used by 1 tag; nothing was deleted. Add --yes to delete them anyway.');
    expect(used.err).toContain('Cli.A.Value\ntag  Cli.B.Value  expression 1:5');
    expect(await run(['tags', 'delete', 'Cli.Missing.Value'])).toMatchObject({ code: 2, out: '' });
    expect(await json(['tags', 'delete', 'Cli.C.Value'])).toMatchObject({
      deleted: ['Cli.C.Value'],
      uses: { tags: 0 },
    });
    expect(await run(['tags', 'delete', 'Cli.A.Value', '--yes'])).toMatchObject({
      code: 0,
      out: 'Cli.A.Value is deleted\n',
      err: 'Still used by 1 tag: they read BadNodeIdUnknown now.\n',
    });
    expect((await run(['tags', 'list', 'Cli'])).out).not.toContain('Cli.A.Value');
  });

  test('show when their value last changed in JSON', async () => {
    await run(['tags', 'set', 'Bottling.Line1.Order.Number.Value=4711']);
    const read = await json(['tags', 'get', 'Bottling.Line1.Order.Number.Value']);
    expect(read).toMatchObject([{ value: 4711, changedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  });
});

describe('mocks', () => {
  const file = join(folder, 'mock.json');
  const request = { method: 'GET', url: 'https://cli.example/orders/*' };

  test('are added, shown, edited, disabled, enabled and tried', async () => {
    writeFileSync(
      file,
      JSON.stringify({ name: 'Cli order', request, answer: { body: { kind: 'json', json: { n: 1 } } } }),
    );
    const added = await json(['mocks', 'add', file]);
    expect(added).toMatchObject({ id: expect.any(Number), name: 'Cli order', enabled: true });
    const id = String((added as { id: number }).id);
    const tried = await run(['mocks', 'try', 'get', 'https://cli.example/orders/5']);
    expect(tried.code).toBe(0);
    expect(tried.out).toMatch(/^mock "Cli order" \(\d+\)\n200\n/);
    expect(tried.out).toContain('{"n":1}');
    expect((await run(['mocks', 'disable', id])).out).toBe(`mock "Cli order" (${id}) is disabled\n`);
    const off = await run(['mocks', 'try', 'GET', 'https://cli.example/orders/5']);
    expect(off).toMatchObject({ code: 1, out: expect.stringContaining('NoMock: No mock matches') });
    await run(['mocks', 'enable', id]);
    const edit = await run(['mocks', 'edit', id, '-'], '{"request":{"method":"POST"},"answer":{"status":201}}');
    expect(edit.out).toBe(`Changed mock "Cli order" (${id})\n`);
    const shown: unknown = JSON.parse((await run(['mocks', 'show', id])).out);
    expect(shown).toMatchObject({
      enabled: true,
      request: { ...request, method: 'POST' },
      answer: { status: 201, body: { json: { n: 1 } } },
    });
    const post = [
      'mocks',
      'try',
      'POST',
      'https://cli.example/orders/5',
      '--header',
      'Accept: text/plain',
      '--body',
      'x',
    ];
    expect(await json(post)).toMatchObject({ mock: { name: 'Cli order' }, answer: { status: 201 } });
    expect((await run(['mocks', 'add', '-'], JSON.stringify(shown))).code).toBe(0);
  });

  test('are imported from a folder of Bruno and from curl, after a preview', async () => {
    const bruno = join(folder, 'bruno', 'orders');
    mkdirSync(bruno, { recursive: true });
    writeFileSync(
      join(bruno, 'Order.bru'),
      'meta {\n  name: Order\n}\n\nget {\n  url: https://bru.example/orders/:id\n}\n',
    );
    const preview = await run(['mocks', 'import', join(folder, 'bruno'), '--dry-run']);
    expect(preview.out).toMatch(/GET https:\/\/bru\.example\/orders\/\{id\} +200 +orders +Order\n$/);
    expect(preview.err).toContain('1 mock (bruno), nothing was added');
    expect((await run(['mocks', 'import', join(folder, 'bruno'), '--dry-run', '--folder', 'ERP/v2'])).out).toMatch(
      /200 +ERP\/v2\/orders +Order\n$/,
    );
    const bad = await run(['mocks', 'import', join(folder, 'bruno'), '--folder', '/']);
    expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('--folder is not a folder: enter the name') });
    expect((await run(['mocks', 'import', join(folder, 'bruno')])).out).toBe('1 mock added (bruno)\n');
    expect((await run(['mocks', 'import', '-'], "curl 'https://curl.example/'")).out).toBe('1 mock added (curl)\n');
    const urls = (await run(['mocks', 'list'])).out;
    expect(urls).toContain('https://bru.example/orders/{id}');
    expect(urls).toContain('https://curl.example/');
    mkdirSync(join(folder, 'empty'));
    expect(await run(['mocks', 'import', join(folder, 'empty')])).toMatchObject({ code: 2 });
  });

  test('are in folders, which are listed, switched and changed', async () => {
    const given = { name: 'In a folder', request: { url: 'https://cli.example/f' } };
    const added = await json(['mocks', 'add', '-'], JSON.stringify({ ...given, folder: ' Cli / Inner/' }));
    const id = String((added as { id: number }).id);
    expect(added).toMatchObject({ folder: 'Cli/Inner' });
    expect((await run(['mocks', 'list'])).out).toMatch(/ANSWER +FOLDER +NAME\n/);
    expect((await run(['mocks', 'list'])).out).toMatch(/200 +Cli\/Inner +In a folder\n/);
    expect((await run(['mocks', 'disable', '--folder', 'Cli'])).out).toBe(`mock "In a folder" (${id}) is disabled\n`);
    expect(await json(['mocks', 'show', id])).toMatchObject({ enabled: false, folder: 'Cli/Inner' });
    expect(await json(['mocks', 'enable', '--folder', 'Cli/Inner'])).toMatchObject([{ enabled: true }]);
    await run(['mocks', 'edit', id, '-'], '{"folder":"Cli"}');
    expect(await json(['mocks', 'show', id])).toMatchObject({ folder: 'Cli', enabled: true });
    await run(['mocks', 'edit', id, '-'], '{"folder":null}');
    expect(await json(['mocks', 'show', id])).not.toHaveProperty('folder');
    expect(await run(['mocks', 'enable', '--folder', 'Cli'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no folder "Cli"'),
    });
  });

  test('have sequences of responses, which can be tried and restarted', async () => {
    const mock = { name: 'Cli sequence', request: { url: 'https://cli.example/state' }, answer: { status: 500 } };
    const added = await json(['mocks', 'add', '-'], JSON.stringify({ ...mock, sequence: { answers: [{}] } }));
    const id = String((added as { id: number }).id);
    const fetched = async () => {
      const body = "return ApiValueManager.Fetch('https://cli.example/state', 'get', null).StatusCode";
      return (await json(['run', '-'], body)) as { result: unknown };
    };
    expect(await fetched()).toMatchObject({ result: '500' });
    expect((await run(['mocks', 'list'])).out).toMatch(/500, 200 \(next: 2\) +Cli sequence/);
    const tried = ['mocks', 'try', 'GET', 'https://cli.example/state'];
    expect((await run(tried)).out).toContain(`(${id}), response 2 of 2\n200\n`);
    expect((await run([...tried, '--response', '1'])).out).toContain(`(${id}), response 1 of 2\n500\n`);
    expect(await run(['mocks', 'restart', id])).toMatchObject({ code: 0, out: '1 sequence restarted\n' });
    expect(await fetched()).toMatchObject({ result: '500' });
    expect(await fetched()).toMatchObject({ result: '200' });
    await run(['mocks', 'edit', id, '-'], '{"sequence":null}');
    expect(await json(['mocks', 'show', id])).not.toHaveProperty('sequence');
  });

  test.each([
    [['mocks', 'try', 'GET', 'https://a.example/', '--response', '0'], '', '--response must be a number from 1 to 100'],
    [['mocks', 'add', '-'], '[]', 'To add several, use "mocks import"'],
    [['mocks', 'add', '-'], '{"name":"x"}', 'This is not a mock. request: '],
    [['mocks', 'add', '-'], '{"name":"x","request":{"url":"https://a.example/"},"nme":1}', 'nme'],
    [['mocks', 'edit', '99999', '-'], '{}', 'There is no mock 99999'],
    [['mocks', 'enable'], '', 'Enter the ids of mocks, or --folder.'],
    [
      ['mocks', 'add', '-'],
      '{"name":"x","request":{"url":"https://a.example/"},"folder":"/"}',
      'folder: enter the name',
    ],
    [['mocks', 'enable', 'one'], '', 'Run "tagwright mocks list" to see the ids.'],
    [['mocks', 'try', 'PATCH', 'https://a.example/'], '', 'Enter one of: GET, POST, PUT, DELETE.'],
    [['mocks', 'try', 'GET', 'nowhere'], '', 'is not a URL'],
    [['mocks', 'try', 'GET', 'https://a.example/', '--header', 'x'], '', 'is not a header'],
  ])('%s is rejected with what to enter instead', async (args, stdin, message) => {
    const { code, out, err } = await run(args, stdin);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  test('mode live says that a recording continues', async () => {
    await run(['mocks', 'mode', '--record']);
    expect((await run(['mocks', 'mode', 'live'])).err).toContain('Recording continues');
    expect((await run(['mocks', 'mode', 'live', '--no-record'])).err).toBe('');
    expect((await run(['mocks', 'mode', 'mockFirst'])).err).toBe('');
  });

  test('recorded mocks go into a folder that is kept until another one is chosen', async () => {
    const { out } = await run(['mocks', 'mode', 'record', '--folder', ' ERP / Orders/']);
    expect(out).toContain('live calls become mocks in the folder ERP/Orders');
    expect((await run(['mocks', 'list'])).err).toContain('live calls are recorded in the folder ERP/Orders');
    expect((await run(['mocks', 'mode', 'live'])).err).toContain('in the folder ERP/Orders');
    expect(await json(['mocks', 'mode'])).toEqual({ mode: 'live', record: true, folder: 'ERP/Orders' });
    expect(await run(['mocks', 'mode', '--folder', 'a/b/c/d/e/f/g/h/i/j/k'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('at most 10 levels of folders'),
    });
    await run(['mocks', 'mode', 'mockFirst', '--no-record']);
    expect((await run(['mocks', 'mode', '--folder', 'ERP'])).err).toContain('Nothing is recorded yet.');
    await run(['mocks', 'mode', '--folder', '']);
    expect(await json(['mocks', 'mode'])).toEqual({ mode: 'mockFirst', record: false });
  });
});
