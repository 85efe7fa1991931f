import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isDeepStrictEqual } from 'node:util';
import { type Mock, type MockRoute, answersOf, routeOf } from '#domain/mock/mock';
import { matchesGlob } from '../../../src-main/outbound/mocks/glob.ts';
import type { HttpRequest } from '../../../src-main/outbound/http/build-request.ts';
import { MockFiles } from '../../../src-main/outbound/mocks/mock-files.ts';
import { bodyOf } from '../../../src-main/outbound/mocks/recording/recorded-body.ts';
import { Recorder } from '../../../src-main/outbound/mocks/recording/recorder.ts';
import { SecretMask } from '../../../src-main/outbound/secrets/secret-mask.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const NONE = new SecretMask([]);
const JSON_ANSWER = { status: 200, headers: [['Content-Type', 'application/json']] as [string, string][] };

function request(url: string, body: string | null = null): HttpRequest {
  const method = body === null ? 'GET' : 'POST';
  return { method, url: new URL(url), headers: [], body, bodyIsSecret: false, secrets: [], named: [] };
}

/** A store that saves on request. */
function slowBook() {
  const saving: { route: MockRoute; done: () => void; fail: () => void }[] = [];
  const faults: string[] = [];
  const folder = join(temporaryFolder(), 'mock-files');
  const recorder = new Recorder({
    book: {
      find: () => null,
      save: (route) =>
        new Promise<Mock>((resolve, reject) => {
          const mock = { ...route, id: saving.length + 1, hits: 0, lastHitAt: null, position: 0 };
          saving.push({ route, done: () => resolve(mock), fail: () => reject(new Error('the disk is full')) });
        }),
    },
    files: new MockFiles(folder),
    fault: (where, thrown) => void faults.push(`${where}: ${String(thrown)}`),
  });
  return { recorder, saving, faults, folder };
}

test('a long payload is masked in turns, as at once, and equal ones create one mock', async () => {
  const { recorder, saving, faults } = slowBook();
  const mask = new SecretMask(['a-secret-value']);
  const rows = Array.from({ length: 20_000 }, (_, at) => ({
    path: `Plant.Line${at}.Level`,
    text: at % 7 === 0 ? 'is a-secret-value' : 'grün',
    password: at,
    list: at % 5 === 0 ? ['x', '{{secret:A}}'] : ['x', at],
  }));
  const body = JSON.stringify({ rows, 'a-secret-value': 1, none: null, on: true });
  const response = { ...JSON_ANSWER, body: Buffer.from('{}') };
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  for (const text of [body, body, `${body} `])
    void recorder.record(request('http://far.example/a', text), response, mask);
  expect(saving).toHaveLength(0);
  await expect.poll(() => saving.length).toBe(1);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
  const expected = rows.map(({ path, text, list }) => ({
    path,
    ...(text === 'grün' && { text }),
    ...(typeof list[1] === 'number' && { list }),
  }));
  const match = saving[0]?.route.request.body ?? {};
  expect(isDeepStrictEqual(match, { json: { rows: expected, none: null, on: true } })).toBe(true);
  // The others have ended by now, too.
  await new Promise((later) => setTimeout(later, 300));
  expect(saving).toHaveLength(1);
  expect(faults).toEqual([]);
});

test('equal concurrent calls create one mock, others one each', async () => {
  const { recorder, saving, faults } = slowBook();
  const response = { ...JSON_ANSWER, body: Buffer.from('{}') };
  for (let again = 0; again < 5; again += 1) void recorder.record(request('http://far.example/a'), response, NONE);
  void recorder.record(request('http://far.example/b'), response, NONE);
  void recorder.record(request('http://far.example/a', '{"n":1}'), response, NONE);
  void recorder.record(request('http://far.example/a', '{"n":2}'), response, NONE);
  expect(saving).toHaveLength(4);
  // A mock that could not be saved is retried with the next call.
  saving[0]?.fail();
  await expect.poll(() => faults).toEqual(['recording a mock: Error: the disk is full']);
  void recorder.record(request('http://far.example/a'), response, NONE);
  expect(saving).toHaveLength(5);
  // The same reason is reported once, until a save succeeds in between.
  saving[1]?.fail();
  saving[2]?.fail();
  saving[3]?.done();
  await turn();
  saving[4]?.fail();
  await expect.poll(() => faults).toHaveLength(2);
});

test('calls that no mock can represent are not recorded: a restart would drop them', () => {
  const { recorder, saving, faults } = slowBook();
  void recorder.record(request('http://far.example/a'), { ...JSON_ANSWER, status: 999, body: Buffer.from('{}') }, NONE);
  void recorder.record(
    request(`http://far.example/${'a'.repeat(9_000)}`),
    { ...JSON_ANSWER, body: Buffer.alloc(0) },
    NONE,
  );
  expect([saving, faults]).toEqual([[], []]);
});

test('secrets are in no part of a mock: name, URL, request, texts and other bytes', () => {
  const { recorder, saving } = slowBook();
  const mask = new SecretMask(['Canary-token']);
  const headers: [string, string][] = [['Content-Type', 'image/png']];
  const bytes = Buffer.from('\0Canary-token\0');
  void recorder.record(
    request('http://far.example/Canary-token/x?t=Canary-token'),
    { status: 200, headers, body: bytes },
    mask,
  );
  const body = Buffer.from('{"note":"Canary-token"}');
  void recorder.record(request('http://far.example/y', '{"a":"Canary-token","b":1}'), { ...JSON_ANSWER, body }, mask);
  expect(saving.map(({ route }) => [route.name, route.request.url, route.request.body, route.answer.body])).toEqual([
    [
      'GET far.example/***/x',
      'http://far.example/*/x?t=*',
      null,
      { kind: 'base64', base64: Buffer.from('\0***\0').toString('base64') },
    ],
    ['POST far.example/y', 'http://far.example/y', { json: { b: 1 } }, { kind: 'text', text: '{"note":"***"}' }],
  ]);
});

test('secrets are not in field names, which foreign files may have', () => {
  const { recorder, saving } = slowBook();
  const mask = new SecretMask(['Canary-token']);
  const sent = request('http://far.example/x', 'Canary-token=1&page=2');
  void recorder.record(sent, { ...JSON_ANSWER, body: Buffer.from('{"Canary-token":1}') }, mask);
  expect(saving[0]?.route.request.body).toEqual({ json: { page: '2' } });
  expect(JSON.stringify(saving)).not.toContain('Canary');
});

test('a deeply nested body is recorded, and compared up to the depth limit', () => {
  const { recorder, saving, faults } = slowBook();
  const deep = `{"line":3,"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  void recorder.record(request('http://far.example/x', deep), { ...JSON_ANSWER, body: Buffer.from(deep) }, NONE);
  expect(faults).toEqual([]);
  expect(saving[0]?.route.request.body).toEqual({ json: { line: 3 } });
});

/** A store in memory, in the order of matching. */
function wholeBook() {
  const mocks: Mock[] = [];
  const recorder = new Recorder({
    book: {
      find: ({ method, headers }) => {
        const fits = ({ request: wanted }: Mock) =>
          wanted.method === method &&
          wanted.headers.every(([name, value]) =>
            headers.some(([other, text]) => other === name && matchesGlob(value, text)),
          );
        const mock = mocks.toSorted((a, b) => b.priority - a.priority || a.id - b.id).find(fits);
        return mock ? { mock, path: {} } : null;
      },
      save: async ({ id = mocks.length + 1, base, ...route }) => {
        const mock = { ...route, id, hits: 0, lastHitAt: null, position: 0 };
        expect(base === undefined || isDeepStrictEqual(routeOf(mocks[id - 1] ?? mock), base)).toBe(true);
        mocks[id - 1] = mock;
        return mock;
      },
    },
    files: new MockFiles(join(temporaryFolder(), 'mock-files')),
    fault: (_where, thrown) => expect.unreachable(String(thrown)),
  });
  return { recorder, mocks };
}

test('calls that differ in chosen headers become mocks that are all matched', async () => {
  const { recorder, mocks } = wholeBook();
  const answer = (text: string) => ({ ...JSON_ANSWER, body: Buffer.from(text) });
  const sent = (accept: string) => ({
    ...request('http://far.example/x'),
    headers: [
      ['Accept', accept],
      ['Authorization', 'Bearer canary'],
      ['X-Tenant', 'canary-tenant'],
      ['X-Other', '1'],
    ] as [string, string][],
  });
  const more = { headers: ['accept', 'authorization', 'x-tenant'], sequences: false, folder: '' };
  const mask = new SecretMask(['canary-tenant']);
  for (const accept of ['*/*', 'text/csv', '*/*', 'text/csv', 'application/json']) {
    void recorder.record(sent(accept), answer(accept), mask, more);
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await turn();
  }
  expect(mocks.map(({ priority, request: { headers } }) => [priority, headers])).toEqual([
    [0, [['Accept', '*/*']]],
    [1, [['Accept', 'text/csv']]],
    [1, [['Accept', 'application/json']]],
  ]);
});

test('further responses to a recorded call become its sequence, in order', async () => {
  const { recorder, mocks } = wholeBook();
  const more = { headers: [], sequences: true, folder: '' };
  for (const status of [500, 500, 503, 200]) {
    const response = { ...JSON_ANSWER, status, body: Buffer.from('{}') };
    void recorder.record(request('http://far.example/x'), response, NONE, more);
  }
  const statuses = () => mocks.map((mock) => answersOf(mock).map(({ status }) => status));
  await expect.poll(statuses).toEqual([[500, 503, 200]]);
  // Without the option, and for a mock of someone else, nothing is added.
  void recorder.record(request('http://far.example/x'), { ...JSON_ANSWER, status: 404, body: Buffer.from('{}') }, NONE);
  const others = wholeBook();
  others.mocks.push(...mocks);
  void others.recorder.record(request('http://far.example/x'), { ...JSON_ANSWER, body: Buffer.from('1') }, NONE, more);
  await turn();
  expect([statuses(), others.mocks.map((mock) => answersOf(mock).length)]).toEqual([[[500, 503, 200]], [3]]);
});

test('new mocks go into the chosen folder, further responses to where the mock is', async () => {
  const { recorder, mocks } = wholeBook();
  const into = (folder: string, status: number) => {
    const response = { ...JSON_ANSWER, status, body: Buffer.from('{}') };
    void recorder.record(request('http://far.example/x'), response, NONE, { headers: [], sequences: true, folder });
  };
  into('ERP/Orders', 500);
  into('', 200);
  await expect.poll(() => mocks.map((mock) => answersOf(mock).length)).toEqual([2]);
  expect(mocks.map(({ folder }) => folder)).toEqual(['ERP/Orders']);
  void recorder.record(
    { ...request('http://far.example/x'), method: 'DELETE' },
    { ...JSON_ANSWER, body: Buffer.from('{}') },
    NONE,
  );
  await expect.poll(() => mocks.length).toBe(2);
  expect(mocks[1]).not.toHaveProperty('folder');
});

/** Rows of JSON with a secret in every third one. */
const LONG_JSON = Buffer.from(
  JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, text: at % 3 ? 'grün' : 'Canary-token', pin: at }))),
);

test('a long response is masked and written in a thread, as a short one is at once', async () => {
  const { recorder, saving, faults, folder } = slowBook();
  const mask = new SecretMask(['Canary-token']);
  const png: [string, string][] = [['Content-Type', 'image/png']];
  const image = Buffer.concat([Buffer.from('\0Canary-token'), Buffer.alloc(400_000, 7)]);
  void recorder.record(request('http://far.example/rows'), { ...JSON_ANSWER, body: LONG_JSON }, mask);
  void recorder.record(request('http://far.example/image'), { status: 200, headers: png, body: image }, mask);
  await expect.poll(() => saving.length).toBe(2);
  const kept = new Map<string, Buffer>();
  const collect = {
    keep: (body: Buffer, extension: string) => {
      kept.set(extension, body);
      return extension;
    },
  };
  bodyOf({ ...JSON_ANSWER, body: LONG_JSON }, mask, collect);
  bodyOf({ headers: png, body: image }, mask, collect);
  for (const [place, extension] of ['json', 'png'].entries()) {
    const { body } = saving[place]?.route.answer ?? {};
    const file = body?.kind === 'file' ? body.file : '';
    expect(file).toMatch(new RegExp(`^[0-9a-f]{24}\\.${extension}$`));
    const written = readFileSync(join(folder, file));
    expect(written.equals(kept.get(extension) ?? Buffer.alloc(0))).toBe(true);
    expect(written.includes('Canary')).toBe(false);
  }
  expect(faults).toEqual([]);
});

test('a call waits while many long responses are in memory to be recorded', async () => {
  const { recorder, saving } = slowBook();
  const record = (at: number) =>
    recorder.record(request(`http://far.example/${at}`), { ...JSON_ANSWER, body: LONG_JSON }, NONE);
  await Promise.all([record(1), record(2)]);
  let isThird = false;
  const third = record(3).then(() => (isThird = true));
  await expect.poll(() => saving.length).toBe(3);
  expect(isThird).toBe(false);
  saving[0]?.done();
  await third;
});

test('a long response that cannot be written is reported', async () => {
  const { recorder, saving, faults, folder } = slowBook();
  writeFileSync(folder, 'a file where the folder should be');
  await recorder.record(request('http://far.example/a'), { ...JSON_ANSWER, body: LONG_JSON }, NONE);
  await expect.poll(() => faults).toEqual([expect.stringContaining('mock-files')]);
  expect(saving).toEqual([]);
});
