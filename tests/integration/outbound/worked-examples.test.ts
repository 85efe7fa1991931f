import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiOperation } from '#domain/mock/api-call';
import { API_OPERATIONS } from '#domain/mock/api-call';
import { productRoot } from '../../../src-main/platform/files/paths.ts';
import type { RemoteServer } from '../../support/services/remote-server.ts';
import { startRemoteServer } from '../../support/services/remote-server.ts';
import type { SamplePlant } from '../plant/tags/sample-plant.ts';
import { samplePlant } from '../plant/tags/sample-plant.ts';

const PAGE = readFileSync(join(productRoot(), 'docs', 'scripting', 'api-calls.md'), 'utf8');
const SECRETS = ['DOCUMENTS_CLIENT', 'CAPS_KEY', 'WAREHOUSE', 'CAMERA', 'CAMERA_PASSWORD'];
const valueOf = (name: string) => `value-of-${name}`;
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The request that the remote server must receive for each example. */
const SENT: Record<ApiOperation, { target: string; headers?: Record<string, string>; body?: string }> = {
  GetOauthToken: {
    target: 'POST /oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: `client_id=bottling-plant&client_secret=${valueOf('DOCUMENTS_CLIENT')}&grant_type=client_credentials`,
  },
  Fetch: { target: 'GET /api/samples/latest?line=Line1', headers: { accept: 'application/json' } },
  FetchWithBearerToken: {
    target: 'GET /api/documents?search=label',
    headers: { authorization: 'Bearer the-token' },
  },
  FetchWithApiKey: {
    target: 'POST /api/orders',
    headers: { 'x-api-key': valueOf('CAPS_KEY'), 'content-type': 'application/json' },
    body: '{"article":"CAP-28-BLUE","boxes":12}',
  },
  FetchWithUserCredentials: {
    target: 'PUT /api/stock/caps',
    headers: { authorization: basic('plant', valueOf('WAREHOUSE')) },
    body: '{"boxes":3}',
  },
  GetImage: { target: 'GET /public/logo.png', headers: { accept: 'image/png' } },
  GetImageWithBearerToken: {
    target: 'GET /api/documents/LBL-0042/stream',
    headers: { authorization: 'Bearer the-token', accept: 'image/png' },
  },
  GetImageWithApiKey: { target: 'GET /labeller.jpg', headers: { 'x-api-key': valueOf('CAMERA') } },
  GetImageWithUserCredentials: {
    target: 'GET /capper.jpg',
    headers: { authorization: basic('plant', valueOf('CAMERA_PASSWORD')) },
  },
};

let plant: SamplePlant;
let end: RemoteServer;

beforeAll(async () => {
  [plant, end] = await Promise.all([
    samplePlant(),
    startRemoteServer((_, response) => void response.end('{"hardness":7.4,"access_token":"the-token","items":[]}')),
  ]);
  for (const name of SECRETS) await plant.secrets.set({ name, value: valueOf(name) });
});
afterAll(async () => {
  await plant.close();
  await end.close();
});

/** The example of a method from the page; the token that it may use exists. */
function exampleOf(operation: ApiOperation): string {
  const section = PAGE.split(/^### /m).find((text) => text.startsWith(`${operation}(`)) ?? '';
  const code = /```js\n(.*?)```/s.exec(section)?.[1];
  if (code === undefined) throw new Error(`docs/scripting/api-calls.md has no example of ${operation}`);
  return `${operation === 'GetOauthToken' ? '' : `const token = 'the-token';`}\n${code}`;
}

async function runOf(operation: ApiOperation, body: string) {
  const name = `Example ${plant.index.length}`;
  await plant.scripts.save({ group: 'Examples', name, body, description: '' });
  plant.index.push({
    group: 'Examples',
    name,
    context: { name: 'Label', tagName: 'Bottling.Documents.LabelDrawing.Image.Value', diagram: null, location: null },
  });
  const report = await plant.run(name);
  expect(report, operation).toMatchObject({ status: 'ok', error: null });
  return report;
}

test.each(API_OPERATIONS)(
  'the example of %s works as documented, live and with its call as a mock',
  async (operation) => {
    await plant.settings.update({ 'api.mode': 'live', 'api.record': true });
    const before = end.requests.length;
    const body = exampleOf(operation).replaceAll(/https:\/\/[a-z]+\.bottling\.example/g, end.base);
    const live = await runOf(operation, body);
    expect(live.apiCalls).toMatchObject([{ operation, statusCode: '200', source: 'live', error: null }]);
    const requests = end.requests.slice(before);
    expect(requests).toHaveLength(1);
    const [one] = requests;
    const { target: line, headers = {}, body: sent = '' } = SENT[operation];
    expect(`${one?.method} ${one?.url}`).toBe(line);
    expect(one?.headers).toMatchObject(headers);
    expect(one?.body).toBe(sent);

    await plant.settings.update({ 'api.mode': 'offline', 'api.record': false });
    const offline = await runOf(operation, body);
    expect(offline.apiCalls).toMatchObject([{ operation, statusCode: '200', source: 'mock', error: null }]);
    expect(offline.result).toEqual(live.result);
    expect(end.requests).toHaveLength(before + 1);
    // Neither its displayed nor its stored form contains a secret.
    const seen = JSON.stringify([live, offline, plant.calls.list({})]) + plant.mocks.export().text;
    for (const name of SECRETS) {
      expect(seen).not.toContain(valueOf(name));
      expect(seen).not.toContain(basic('plant', valueOf(name)).slice('Basic '.length));
    }
  },
);
