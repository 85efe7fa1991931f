import { describe, expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import type { GivenTrial } from '../../../src-main/outbound/mocks/mock-trial.ts';
import { remoteServer } from '../../support/services/remote-server.ts';
import { thrownBy } from '../../support/thrown-by.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const GET: Omit<GivenTrial, 'url'> = { method: 'GET', headers: [], body: null, draft: null };
const json = (value: number) => ({ body: { kind: 'json', json: { value } } });

describe('trying a request on the mocks', () => {
  test('returns the response of the first match, and counts and logs nothing', async () => {
    const { mocks, calls, add } = wiredOutbound();
    const template = { body: { kind: 'json', json: { id: '{{request.path.id}}', hits: '{{hits}}' } }, template: true };
    const { id } = await add('Document', { request: { url: 'https://a.example/docs/{id}' }, answer: template });
    const tried = await mocks.try({ ...GET, url: 'https://a.example/docs/7#part' });
    expect(tried).toMatchObject({ mock: { id, name: 'Document' }, miss: null, error: null });
    expect(tried.answer).toMatchObject({ status: 200, text: '{"id":"7","hits":"1"}', base64: null });
    expect(mocks.list().mocks[0]?.hits).toBe(0);
    expect(calls.list({}).calls).toEqual([]);
  });

  test('says which mock responds instead of the edited one, and why', async () => {
    const { mocks, add } = wiredOutbound();
    const url = 'https://a.example/x';
    const first = await add('First', { request: { url }, answer: json(1) });
    const tryDraft = (given: object, id: number | null = null) =>
      mocks.try({ ...GET, url, draft: { id, route: mockRoute().parse({ name: 'Draft', ...given }) } });
    expect(await tryDraft({ request: { url } })).toMatchObject({
      mock: { id: first.id, name: 'First' },
      miss: '“First” also matches and is older',
    });
    expect(await tryDraft({ request: { url }, priority: 1 })).toMatchObject({
      mock: { id: null, name: 'Draft' },
      miss: null,
    });
    expect(await tryDraft({ request: { url }, enabled: false })).toMatchObject({ miss: 'it is not enabled' });
    expect(await tryDraft({ request: { url, method: 'PUT' } })).toMatchObject({ miss: 'it matches PUT, not GET' });
    expect(await tryDraft({ request: { url, headers: [['X-Line', '7']] } })).toMatchObject({
      miss: 'it requires the header X-Line: 7',
    });
    expect(await tryDraft({ request: { url, body: { contains: 'a' } } })).toMatchObject({
      miss: 'the body does not contain what it requires',
    });
    // It replaces the saved one, which no longer matches.
    expect(await tryDraft({ request: { url: 'https://b.example/' } }, first.id)).toMatchObject({
      mock: null,
      miss: 'its URL pattern does not match the URL',
      error: { name: 'NoMock' },
    });
  });

  test('shows faults and images, and rejects an invalid URL', async () => {
    const { mocks, add } = wiredOutbound();
    await add('Down', { request: { url: 'https://a.example/down' }, answer: { fault: 'refused' } });
    const base64 = PNG.toString('base64');
    await add('Picture', { request: { url: 'https://a.example/png' }, answer: { body: { kind: 'base64', base64 } } });
    expect(await mocks.try({ ...GET, url: 'https://a.example/down' })).toMatchObject({
      mock: { name: 'Down' },
      answer: null,
      error: { name: 'ConnectionRefused' },
    });
    const { answer } = await mocks.try({ ...GET, url: 'https://a.example/png' });
    expect(answer).toMatchObject({ text: null, base64, bytes: PNG.length });
    for (const url of ['', 'a.example', 'ftp://a.example/']) {
      // oxlint-disable-next-line no-await-in-loop -- one by one
      expect(await thrownBy(() => mocks.try({ ...GET, url }))).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});

test('a check reports problems of the URL pattern and missing files', () => {
  const { mocks } = wiredOutbound();
  const check = (given: object) => mocks.check(mockRoute().parse({ name: 'A', ...given })).issues;
  expect(check({ request: { url: 'https://a.example/x?y=*' } })).toEqual([]);
  expect(check({ request: { url: 'a.example' } })).toMatchObject([{ path: ['request', 'url'] }]);
  expect(check({ request: { url: 'https://*.bücher.example:8443/x' } })).toEqual([]);
  for (const url of ['https://{tenant}.example/x', 'https://a b/x', 'https://[::1/x']) {
    expect(check({ request: { url } })).toMatchObject([
      { path: ['request', 'url'], message: expect.stringContaining('No call has the host') },
    ]);
  }
  for (const file of ['no.png', '..', '../workspace.db']) {
    expect(check({ request: { url: '//*' }, answer: { body: { kind: 'file', file } } })).toMatchObject([
      { path: ['answer', 'body', 'file'] },
    ]);
  }
});

test('deleted mocks return with ids, hits and order while others are deleted', async () => {
  const { mocks, add, call } = wiredOutbound({ 'api.mode': 'offline' });
  const url = 'https://a.example/x';
  const first = await add('First', { request: { url }, answer: json(1) });
  await add('Second', { request: { url }, answer: json(2) });
  await call('Fetch', [url, 'get', '']);
  const before = mocks.list().mocks;
  await mocks.delete({ ids: [first.id] });
  const { ids } = await mocks.import({
    format: 'tagwright',
    text: JSON.stringify({ mocks: [{ name: 'Third', request: { url } }] }),
    replace: false,
  });
  expect(ids).toHaveLength(1);
  expect(await mocks.restore({ mocks: before, remove: ids })).toEqual({ restored: 1, removed: 1 });
  expect(mocks.list().mocks).toEqual(before);
  expect(before.map(({ name, hits }) => [name, hits])).toEqual([
    ['First', 1],
    ['Second', 0],
  ]);
});

describe('a mock created from the call log', () => {
  test('responds like the remote server, without its secrets', async () => {
    const end = await remoteServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"documents":[{"id":7}],"access_token":"very-secret-1"}');
    });
    const { mocks, calls, call } = wiredOutbound({ 'api.mode': 'live' });
    await call('FetchWithBearerToken', [`${end.base}/find?code=secret-code`, 'post', '{"q":"x"}', 'token-1234']);
    const [logged] = calls.list({}).calls;
    const route = mocks.ofCall({ seq: logged?.seq ?? 0 });
    expect(route).toMatchObject({
      request: { method: 'POST', url: `${end.base}/find?code=*`, body: { json: { q: 'x' } } },
      answer: { status: 200, body: { kind: 'text', text: '{"documents":[{"id":7}],"access_token":"***"}' } },
    });
    expect(JSON.stringify(route)).not.toMatch(/very-secret|token-1234|secret-code/);
    calls.clear();
    expect(await thrownBy(() => mocks.ofCall({ seq: logged?.seq ?? 0 }))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is rejected if a mock cannot respond like that', async () => {
    const end = await remoteServer((_request, response) => void response.writeHead(999).end());
    const { mocks, call } = wiredOutbound({ 'api.mode': 'live' });
    await call('Fetch', [end.base, 'get']);
    expect(() => mocks.ofCall({ seq: 1 })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining('answer.status') }),
    );
  });

  test('fails as the call failed, and responds where no mock matched', async () => {
    const { mocks, calls, call, add } = wiredOutbound({ 'api.mode': 'offline' });
    await add('Down', { request: { url: 'https://a.example/down' }, answer: { fault: 'reset' } });
    await call('Fetch', ['https://a.example/down', 'get', '']);
    await call('Fetch', ['https://a.example/missing', 'get', '']);
    const [down, missing] = calls.list({}).calls.map(({ seq }) => mocks.ofCall({ seq }));
    expect(down?.answer.fault).toBe('reset');
    expect(missing).toMatchObject({
      request: { method: 'GET', url: 'https://a.example/missing' },
      answer: { status: 200, fault: null, body: { kind: 'json', json: {} } },
    });
  });
});

test('keeps an image, and mistakes no other body for one', async () => {
  const { calls, call, add } = wiredOutbound({ 'api.mode': 'offline' });
  const body = { kind: 'base64', base64: PNG.toString('base64') };
  await add('Picture', { request: { url: 'https://a.example/png' }, answer: { body } });
  await add('Text', { request: { url: 'https://a.example/text' }, answer: json(1) });
  await call('GetImage', ['https://a.example/png']);
  await call('Fetch', ['https://a.example/text', 'get', '']);
  const [picture, text] = calls.list({}).calls.map(({ seq }) => calls.image({ seq }).base64);
  expect(picture).toBe(PNG.toString('base64'));
  expect(text).toBeNull();
});
