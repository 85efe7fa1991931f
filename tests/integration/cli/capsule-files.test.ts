import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { NUMBER, STATE, readCapsule, capsules } from './recorded-runs.ts';

const { folder, workspace, fileOf, record, replay } = capsules();

describe('a capsule', () => {
  test('is private, readable, and names what a replay needs', async () => {
    const { file, capsule } = await record(
      'console.log(Date.now());\nreturn 1',
      '--dry-run',
      '--diagram',
      'D',
      '--tag-value',
      '[1]',
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(capsule).toMatchObject({
      format: 'tagwright-capsule',
      version: 1,
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      script: { name: null, version: null, body: ['console.log(Date.now());', 'return 1'] },
      context: { tagScopeDiagram: 'D', tagValue: [1] },
      environment: { timeZone: expect.any(String), locale: 'en-US', seed: expect.stringMatching(/^[0-9a-f]{64}$/) },
      masked: { places: [], more: 0 },
    });
    expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(30);
  });

  test('replaces an existing file, which then is private', async () => {
    const target = fileOf('old', 'json');
    const ran = await commandLine(['run', fileOf('return 1'), '-w', workspace, '--dry-run', '--capsule', target]);
    expect([ran.code, statSync(target).mode & 0o777, readCapsule(target).version]).toEqual([0, 0o600, 1]);
  });

  test('a place that cannot be written is reported before the run', async () => {
    const nowhere = join(temporaryFolder(), 'none', 'a.json');
    for (const target of [nowhere, folder]) {
      const ran = await commandLine([
        'run',
        fileOf(`TagValueManager.Set([{ tag: '${NUMBER}', value: 99 }])`),
        '-w',
        workspace,
        '--capsule',
        target,
      ]);
      expect([ran.code, ran.out]).toEqual([2, '']);
    }
    const read = await commandLine(['tags', 'get', NUMBER, '--json', '-w', workspace]);
    expect(JSON.parse(read.out)[0].value).not.toBe(99);
  });

  test('has no secrets, and its replay still finds the calls', async () => {
    const plant = join(temporaryFolder(), 'plant');
    const mock = (name: string, url: string, json: object) =>
      fileOf(JSON.stringify({ name, request: { url }, answer: { body: { kind: 'json', json } } }), 'json');
    await commandLine(['secrets', 'set', 'erp', '-w', plant], { stdin: 'hidden-value-1\n' });
    await commandLine([
      'mocks',
      'add',
      mock('token', 'https://erp.test/token', { access_token: 'given-token-2' }),
      '-w',
      plant,
    ]);
    await commandLine([
      'mocks',
      'add',
      mock('orders', 'https://erp.test/orders', { ok: true, echo: 'hidden-value-1' }),
      '-w',
      plant,
    ]);
    const body = `
      const form = [{ headerKey: 'client_secret', headerValue: 'literal-secret-3' }];
      const token = JSON.parse(ApiValueManager.GetOauthToken('https://erp.test/token', JSON.stringify(form), 'application/json').ResponseObject).access_token;
      const answer = ApiValueManager.FetchWithBearerToken('https://erp.test/orders?api_key=key-in-url-4', 'post', '{"password":"in-payload-5"}', token);
      ApiValueManager.FetchWithUserCredentials('https://erp.test/orders', 'get', null, 'me', '{{secret:erp}}');
      console.log('got', token);
      return { token, answer: answer.ResponseObject, named: 'hidden-value-1' };`;
    const file = join(plant, 'a.json');
    const ran = await commandLine(['run', fileOf(body), '-w', plant, '--dry-run', '--json', '--capsule', file]);
    expect([ran.code, ran.err]).toEqual([0, `Recorded in ${file}\n`]);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/hidden-value-1|given-token-2|literal-secret-3|key-in-url-4|in-payload-5/);
    const { masked } = readCapsule(file);
    expect(masked.places).toEqual(expect.arrayContaining(['calls[0].args[1]', 'script.body', 'report.result.token']));
    const again = await replay(file);
    expect(again).toMatchObject({ code: 0, missing: null, report: { result: { token: '***', named: '***' } } });
    expect(again.comparison).toMatchObject({ equal: true });
    expect(again.warnings.join()).toContain('Secrets are masked');
  });

  test('changed by hand is replayed with a warning', async () => {
    const { file, capsule } = await record(`return TagValueManager.Get(['${STATE}']).Value[0].Value`, '--dry-run');
    const [get] = capsule.calls;
    if (get?.kind === 'get' && get.values?.[0]) get.values[0].value = 'Changed';
    const changed = fileOf(JSON.stringify(capsule, null, 1), 'json');
    const again = await replay(changed);
    expect(again).toMatchObject({
      code: 0,
      intact: false,
      report: { result: 'Changed' },
      comparison: { equal: false },
    });
    const reformatted = fileOf(JSON.stringify(readCapsule(file)), 'json');
    expect((await replay(reformatted)).intact).toBe(true);
  });

  test.each<[string, (text: string) => string, string]>([
    ['truncated', (text) => text.slice(0, text.length / 2), 'the text ends early; the file may be truncated, at line '],
    ['empty', () => '', 'the text ends early; the file may be truncated, at line 1, column 1.'],
    [
      'no JSON',
      (text) => text.replace('"product":', '"product"'),
      "it is not JSON: Expected ':' after property name, at line 5, column 13",
    ],
    [
      'another version',
      (text) => text.replace('"version": 1', '"version": 2'),
      'it was written in version 2 of the format by Tagwright 0.1.0; this Tagwright reads version 1.',
    ],
    ['another file', () => '{"a": 1}', 'it is not a capsule'],
    ['not an object', () => '[1]', 'it is not a capsule'],
    [
      'with __proto__',
      (text) => text.replace('"context": {', '"context": { "__proto__": {},'),
      'a member is called "__proto__", at line ',
    ],
    [
      'with an escaped __proto__',
      (text) => text.replace('"context": {', '"context": { "\\u005f_proto__" : {},'),
      'a member is called "__proto__", at line ',
    ],
    [
      'with an unknown member',
      (text) => text.replace('"product"', '"produkt"'),
      'product: is missing: write text in quotes, at line 1, column 1.',
    ],
    [
      'with an impossible time zone',
      (text) => text.replace(/"timeZone": "[^"]*"/, '"timeZone": "../etc/passwd"'),
      'environment.timeZone: Expected the name of a time zone, such as Europe/Paris, at line ',
    ],
    [
      'with an endless limit',
      (text) => text.replace(/"scriptMs": \d+/, '"scriptMs": 1e300'),
      'limits.scriptMs: must be at most 3600000, not 1e+300, at line 19, column 17.',
    ],
    [
      'nested too deeply',
      (text) => text.replace('"context": {', `"context": { "a": ${'['.repeat(1e5)}`),
      'it is nested more than 560 levels deep, at line ',
    ],
    [
      'with a call of another form',
      (text) => text.replace('"kind":"get"', '"kind":"put"'),
      'calls[0].kind: must be one of "get", "set", "api", not "put", at line ',
    ],
  ])('%s cannot be read: exit code 2 with the position', async (_, change, message) => {
    const { file } = await record(`return TagValueManager.Get(['${STATE}'])`, '--dry-run');
    const { code, out, err } = await commandLine(['replay', fileOf(change(readFileSync(file, 'utf8')), 'json')]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('of 100 MB, a folder, or missing is not read', async () => {
    const large = fileOf(`{"a":"${'x'.repeat(100 * 1_048_576)}"}`, 'json');
    mkdirSync(join(folder, 'dir'), { recursive: true });
    for (const [file, message] of [
      [large, 'is too large: it has 104,857,608 bytes, and a capsule at most 67,108,864.'],
      [join(folder, 'dir'), 'is a folder'],
      [join(folder, 'none.json'), 'There is no file'],
    ]) {
      const { code, err } = await commandLine(['replay', file ?? '']);
      expect([code, err]).toEqual([2, expect.stringContaining(message ?? '')]);
    }
    const many = fileOf(`{"format":"tagwright-capsule","a":[${'0,'.repeat(11_000_000)}0]}`, 'json');
    expect(await commandLine(['replay', many])).toMatchObject({
      code: 2,
      err: expect.stringContaining('10,000,000 parts'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('a pipe without an end', () => {
  test.each(['replay', 'run'])('is read up to the limit by %s', async (command) => {
    const pipe = join(folder, `endless-${command}`);
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'head -c 200000000 /dev/zero > "$0"', pipe], { stdio: 'ignore' });
    const { code, err } = await commandLine([command, pipe, ...(command === 'run' ? ['-w', workspace] : [])]);
    writer.kill();
    expect([code, err]).toEqual([2, expect.stringContaining('is too large')]);
  });
});

describe('tests add', () => {
  test('turns a capsule into a test that passes, and lists what it cannot hold', async () => {
    const plant = join(temporaryFolder(), 'plant');
    const body = `
      const api = ApiValueManager.Fetch('https://erp.test/orders', 'post', '{"order":1}');
      const state = TagValueManager.Get(['${STATE}']).Value[0].Value;
      TagValueManager.Set([{ tag: '${NUMBER}', value: 5 }]);
      return { state, order: JSON.parse(api.ResponseObject).order, odd: Date.now() % 1 }`;
    const answer = { body: { kind: 'json', json: { order: 17 } } };
    await commandLine(['scripts', 'save', 'Line 1/Own', fileOf(body), '-w', plant]);
    const mock = fileOf(
      JSON.stringify({ name: 'orders', request: { url: 'https://erp.test/orders' }, answer }),
      'json',
    );
    await commandLine(['mocks', 'add', mock, '-w', plant]);
    const file = join(plant, 'own.json');
    await commandLine(['run', '--script', 'Line 1/Own', '-w', plant, '--dry-run', '--capsule', file]);
    const { mocks } = JSON.parse((await commandLine(['mocks', 'list', '--json', '-w', plant])).out);
    for (const { id } of mocks) await commandLine(['mocks', 'delete', String(id), '-w', plant]);
    const added = await commandLine(['tests', 'add', '--capsule', file, '--name', 'as recorded', '-w', plant]);
    expect(added).toMatchObject({ code: 0, out: 'Test "as recorded" added to Line 1/Own\n' });
    expect(added.err).toBe(
      'The test does not have:\n  the time: the script reads the clock, and a test has the real one\n',
    );
    const ran = await commandLine(['test', '--filter', 'as recorded', '--json', '-w', plant]);
    const [{ outcome }] = JSON.parse(ran.out);
    expect([ran.code, outcome.failures]).toEqual([0, []]);
    expect(outcome.report.apiCalls[0]).toMatchObject({ source: 'mock', mock: '1 POST erp.test/orders' });
    const twice = await commandLine(['tests', 'add', '--capsule', file, '--name', 'as recorded', '-w', plant]);
    expect(twice.code).toBe(1);
  });

  test('a capsule without a saved script needs its name; a damaged one is not read', async () => {
    const { file } = await record('return 1', '--dry-run');
    expect(await commandLine(['tests', 'add', '--capsule', file, '-w', workspace])).toMatchObject({ code: 2 });
    const json = await commandLine([
      'tests',
      'add',
      '--capsule',
      file,
      '--script',
      'Line 1/Start an order',
      '--json',
      '-w',
      workspace,
    ]);
    expect(JSON.parse(json.out)).toMatchObject({
      test: { name: expect.stringMatching(/^Run of \d{4}-/), expect: { result: 1 } },
      lost: [],
    });
    const cut = fileOf('{', 'json');
    expect(
      (await commandLine(['tests', 'add', '--capsule', cut, '--script', 'Line 1/Start an order', '-w', workspace]))
        .code,
    ).toBe(2);
  });
});
