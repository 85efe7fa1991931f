import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Mock, MockRoute } from '#domain/mock/mock';
import type { HttpRequest } from '../../../src-main/outbound/http/build-request.ts';
import { MockFiles } from '../../../src-main/outbound/mocks/mock-files.ts';
import { Recorder } from '../../../src-main/outbound/mocks/recorder.ts';
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
  const recorder = new Recorder({
    book: {
      find: () => null,
      save: (route) =>
        new Promise<Mock>((resolve, reject) => {
          const mock = { ...route, id: saving.length + 1, hits: 0, lastHitAt: null };
          saving.push({ route, done: () => resolve(mock), fail: () => reject(new Error('the disk is full')) });
        }),
    },
    files: new MockFiles(join(temporaryFolder(), 'mock-files')),
    fault: (where, thrown) => void faults.push(`${where}: ${String(thrown)}`),
  });
  return { recorder, saving, faults };
}

test('equal concurrent calls create one mock, others one each', async () => {
  const { recorder, saving, faults } = slowBook();
  const response = { ...JSON_ANSWER, body: Buffer.from('{}') };
  for (let again = 0; again < 5; again += 1) recorder.record(request('http://far.example/a'), response, NONE);
  recorder.record(request('http://far.example/b'), response, NONE);
  recorder.record(request('http://far.example/a', '{"n":1}'), response, NONE);
  recorder.record(request('http://far.example/a', '{"n":2}'), response, NONE);
  expect(saving).toHaveLength(4);
  // A mock that could not be saved is retried with the next call.
  saving[0]?.fail();
  await expect.poll(() => faults).toEqual(['recording a mock: Error: the disk is full']);
  recorder.record(request('http://far.example/a'), response, NONE);
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
  recorder.record(request('http://far.example/a'), { ...JSON_ANSWER, status: 999, body: Buffer.from('{}') }, NONE);
  recorder.record(request(`http://far.example/${'a'.repeat(9_000)}`), { ...JSON_ANSWER, body: Buffer.alloc(0) }, NONE);
  expect([saving, faults]).toEqual([[], []]);
});

test('secrets are in no part of a mock: name, URL, request, texts and other bytes', () => {
  const { recorder, saving } = slowBook();
  const mask = new SecretMask(['Canary-token']);
  const headers: [string, string][] = [['Content-Type', 'image/png']];
  const bytes = Buffer.from('\0Canary-token\0');
  recorder.record(
    request('http://far.example/Canary-token/x?t=Canary-token'),
    { status: 200, headers, body: bytes },
    mask,
  );
  const body = Buffer.from('{"note":"Canary-token"}');
  recorder.record(request('http://far.example/y', '{"a":"Canary-token","b":1}'), { ...JSON_ANSWER, body }, mask);
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
  recorder.record(sent, { ...JSON_ANSWER, body: Buffer.from('{"Canary-token":1}') }, mask);
  expect(saving[0]?.route.request.body).toEqual({ json: { page: '2' } });
  expect(JSON.stringify(saving)).not.toContain('Canary');
});

test('a deeply nested body is recorded, and compared up to the depth limit', () => {
  const { recorder, saving, faults } = slowBook();
  const deep = `{"line":3,"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  recorder.record(request('http://far.example/x', deep), { ...JSON_ANSWER, body: Buffer.from(deep) }, NONE);
  expect(faults).toEqual([]);
  expect(saving[0]?.route.request.body).toEqual({ json: { line: 3 } });
});
