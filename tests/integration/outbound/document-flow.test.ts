import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import type { Json } from '#domain/text/json';
import type { MockFault } from '#domain/mock/mock';
import type { SamplePlant } from '../plant/tags/sample-plant.ts';
import { samplePlant } from '../plant/tags/sample-plant.ts';
import type { Platform } from './document-service.ts';
import { PNG, startPlatform, USUAL } from './document-service.ts';

const FLOW = 'Show the label drawing';
const SERVICE = 'Bottling.Documents.Service';
const DRAWING = 'Bottling.Documents.LabelDrawing';
/** Represents everything that must never be shown. */
const CANARY = 'canary/"s3cret"+ü';

let plant: SamplePlant;
let platform: Platform;

const drawing = async (): Promise<Record<'Image' | 'DocumentId' | 'Error', Json>> => {
  const [Image, DocumentId, Error] = await plant.tags.get({
    paths: ['Image', 'DocumentId', 'Error'].map((name) => `${DRAWING}.${name}.Value`),
  });
  return { Image: Image?.value ?? null, DocumentId: DocumentId?.value ?? null, Error: Error?.value ?? null };
};

async function useAddresses(tokenUrl: string, apiUrl: string): Promise<void> {
  await plant.tags.set({
    items: [
      { tag: `${SERVICE}.TokenUrl.Value`, value: tokenUrl },
      { tag: `${SERVICE}.ApiUrl.Value`, value: apiUrl },
    ],
  });
}

/** What may fail, what the script then reports, and the fault of a mock if there is no response. */
const FAILURES: [string, () => void, string, MockFault?][] = [
  [
    'the token is refused',
    () => platform.refuseToken(401, { error: 'invalid_client', error_description: 'unknown' }),
    '{"error":"invalid_client","error_description":"unknown"}',
  ],
  [
    'the token answer has no token',
    () => platform.refuseToken(200, { token_type: 'Bearer', expires_in: 'soon' }),
    'token (argument 4 of FetchWithBearerToken) is missing',
  ],
  ['the search answers null', () => (platform.behavior.search = (response) => void response.end('null')), 'null'],
  [
    'the search finds nothing',
    () => (platform.behavior.search = (response) => void response.end('{"items":[]}')),
    'There is no drawing for "Still water 0.5 l".',
  ],
  [
    'the search answers no JSON',
    () => (platform.behavior.search = (response) => void response.end('<html>')),
    'is not valid JSON',
  ],
  [
    'the search is refused',
    () => (platform.behavior.search = (response) => void response.writeHead(403).end('no')),
    '"error":"Http403"',
  ],
  [
    'the image is missing',
    () => (platform.behavior.image = (response) => void response.writeHead(404).end('{"code":"gone"}')),
    '{"code":"gone"}',
  ],
  ['the image is slow', () => (platform.behavior.image = () => undefined), '"error":"Timeout"', 'timeout'],
  [
    'the image is cut off',
    () => (platform.behavior.image = (r) => void r.destroy()),
    '"error":"ConnectionReset"',
    'reset',
  ],
];

beforeAll(async () => {
  [plant, platform] = await Promise.all([samplePlant(), startPlatform()]);
  await plant.secrets.set({ name: 'DOCUMENTS_CLIENT', value: CANARY });
});
afterAll(async () => {
  await plant.close();
  await platform.close();
});

describe('with a real OAuth server and a real document service', () => {
  beforeEach(async () => {
    await plant.settings.update({ 'api.mode': 'live', 'api.timeoutMs': 10_000 });
    await useAddresses(platform.tokenUrl, platform.apiUrl);
  });
  afterEach(() => Object.assign(platform.behavior, USUAL));

  test('the drawing of the product is stored for the Diagram', async () => {
    const report = await plant.run(FLOW);
    expect(report).toMatchObject({ status: 'ok', result: 'LBL-0042' });
    expect(await drawing()).toEqual({ Image: PNG.toString('base64'), DocumentId: 'LBL-0042', Error: '' });
    expect(report.apiCalls.map(({ operation, statusCode, source }) => [operation, statusCode, source])).toEqual([
      ['GetOauthToken', '200', 'live'],
      ['FetchWithBearerToken', '200', 'live'],
      ['GetImageWithBearerToken', '200', 'live'],
    ]);
    expect(platform.tokenRequests.at(-1)).toMatchObject({ client_id: 'bottling-plant', client_secret: CANARY });
    expect(platform.documents.requests[0]?.url).toBe('/api/documents?search=Still%20water%200.5%20l');
  });

  test.each(FAILURES)('%s: the script reports it in its tag', async (_, misbehave, message) => {
    misbehave();
    const report = await plant.run(FLOW);
    expect(report).toMatchObject({ status: 'ok', result: null });
    expect((await drawing()).Error).toContain(message);
  });

  // A recorded mock has a mask in place of any token.
  test.each<[string, Json, string]>([
    ['a number', 12_345, 'token (argument 4 of FetchWithBearerToken) is a number'],
    ['an object', { value: 'abc' }, 'is an object'],
    ['empty', '', 'is empty'],
    ['of two lines', 'abc\ndef', 'has a line break'],
    ['of other letters', 'tök€n', 'has a character that is not allowed in a header'],
    ['longer than a header', 'x'.repeat(100_000), 'is longer than 65536 characters'],
  ])('a token that is %s: the script reports it in its tag, and nothing is sent', async (_, token, message) => {
    platform.refuseToken(200, { access_token: token });
    const before = platform.documents.requests.length;
    const report = await plant.run(FLOW);
    expect(report).toMatchObject({ status: 'ok', result: null });
    expect((await drawing()).Error).toContain(message);
    expect(report.apiCalls.map(({ error }) => error)).toEqual([null, 'InvalidArgument']);
    expect(JSON.stringify(report)).not.toMatch(/12345|abc|tök|xxxxx/);
    expect(platform.documents.requests).toHaveLength(before);
  });

  test('no server listens at the token address', async () => {
    await useAddresses('http://127.0.0.1:1/token', platform.apiUrl);
    expect(await plant.run(FLOW)).toMatchObject({ status: 'ok', result: null });
    expect((await drawing()).Error).toContain('"error":"ConnectionRefused"');
  });
});

describe('a recorded flow', () => {
  test('returns the same offline, without the remote servers', async () => {
    await plant.settings.update({ 'api.mode': 'live', 'api.record': true, 'api.timeoutMs': 10_000 });
    await useAddresses(platform.tokenUrl, platform.apiUrl);
    const live = await plant.run(FLOW);
    const stored = await drawing();
    await plant.settings.update({ 'api.mode': 'offline', 'api.record': false });
    const before = platform.documents.requests.length;
    const offline = await plant.run(FLOW);
    expect(offline).toMatchObject({ status: 'ok', result: live.result });
    expect(offline.apiCalls.map(({ source }) => source)).toEqual(['mock', 'mock', 'mock']);
    expect(await drawing()).toEqual(stored);
    expect(platform.documents.requests).toHaveLength(before);
    const { text } = plant.mocks.export();
    expect(text).not.toContain('s3cret');
    // A recorded token is masked: none of them contains the header of a JWT.
    expect(text).not.toContain('eyJ');
  });
});

describe('offline, with the mocks of the sample', () => {
  beforeAll(async () => {
    await plant.settings.update({ 'api.mode': 'offline' });
    await useAddresses('https://login.bottling.example/oauth2/token', 'https://documents.bottling.example/api');
  });

  test('the flow returns the same, with a valid image', async () => {
    const report = await plant.run(FLOW);
    expect(report).toMatchObject({ status: 'ok', result: 'LBL-0042' });
    const { Image, Error } = await drawing();
    expect(Error).toBe('');
    expect(Buffer.from(typeof Image === 'string' ? Image : '', 'base64').subarray(0, 8)).toEqual(PNG.subarray(0, 8));
  });

  test('the other scripts that call APIs work too', async () => {
    expect(await plant.run('Latest water analysis')).toMatchObject({ status: 'ok', result: /^7.4 °dH/ });
    expect(await plant.run('Order caps')).toMatchObject({ status: 'ok', result: 'Order C-1: 12 boxes of caps.' });
  });

  test('an API without a mock gets a response that names the missing mock', async () => {
    await useAddresses('https://login.bottling.example/other', 'https://documents.bottling.example/api');
    await plant.run(FLOW);
    expect((await drawing()).Error).toContain('no mock matches POST https://login.bottling.example/other');
  });

  test('a dry run reaches only mocks, in every mode', async () => {
    await plant.settings.update({ 'api.mode': 'live' });
    await useAddresses(platform.tokenUrl.replace('token', 'never'), platform.apiUrl);
    const before = platform.tokenRequests.length;
    const report = await plant.run(FLOW, {}, true);
    expect(report.apiCalls).toMatchObject([
      { source: 'none', error: 'NoMock', reason: expect.stringMatching(/^no mock/i) },
    ]);
    expect(platform.tokenRequests).toHaveLength(before);
  });
});

describe('a secret', () => {
  test('is in no report, log, export or file of the workspace', async () => {
    await plant.settings.update({ 'api.mode': 'live' });
    await useAddresses(platform.tokenUrl, platform.apiUrl);
    // A remote server that echoes its request.
    platform.behavior.search = (response, request) =>
      void response.writeHead(400).end(JSON.stringify({ echo: [request, CANARY] }));
    const reports = [await plant.run(FLOW), await plant.run(FLOW, {}, true)];
    const shown = [
      JSON.stringify(reports),
      JSON.stringify(plant.calls.list({})),
      JSON.stringify(plant.secrets.list()),
      JSON.stringify(plant.logged),
      plant.mocks.export().text,
      JSON.stringify(plant.settings.get()),
      JSON.stringify(plant.scripts.list()),
    ];
    const forms = [CANARY, 's3cret', encodeURIComponent(CANARY), Buffer.from(CANARY).toString('base64')];
    for (const text of shown) for (const form of forms) expect(text).not.toContain(form);
    for (const file of readdirSync(plant.directory, { recursive: true, encoding: 'utf8', withFileTypes: true })) {
      if (!file.isFile()) continue;
      const bytes = readFileSync(join(file.parentPath, file.name));
      for (const form of forms) expect(bytes.includes(form), `${file.name} holds ${form}`).toBe(false);
    }
  });
});

describe('offline, with the calls of a failed flow as mocks', () => {
  test.each(FAILURES)('%s: the script reports the same', async (_, misbehave, message, fault) => {
    Object.assign(platform.behavior, USUAL);
    await plant.mocks.delete({ ids: null });
    await plant.settings.update({ 'api.mode': 'live', 'api.record': true, 'api.timeoutMs': 10_000 });
    await useAddresses(platform.tokenUrl, platform.apiUrl);
    misbehave();
    const live = await plant.run(FLOW);
    const stored = await drawing();
    expect(stored.Error).toContain(message);
    Object.assign(platform.behavior, USUAL);
    if (fault !== undefined) {
      const url = `${platform.apiUrl}/documents/LBL-0042/stream`;
      await plant.mocks.save(mockRoute().parse({ name: 'Fault', request: { url }, answer: { fault } }));
    }

    await plant.settings.update({ 'api.mode': 'offline', 'api.record': false });
    const before = platform.documents.requests.length;
    const offline = await plant.run(FLOW);
    expect(offline).toMatchObject({ status: live.status, result: live.result });
    const outcome = ({ operation, statusCode, error }: (typeof live.apiCalls)[number]) => [
      operation,
      statusCode,
      error,
    ];
    expect(offline.apiCalls.map(outcome)).toEqual(live.apiCalls.map(outcome));
    const again = await drawing();
    expect(again.Error).toContain(message);
    // A mock's fault says that it is one; the rest is identical.
    if (fault === undefined) expect(again).toEqual(stored);
    expect(platform.documents.requests).toHaveLength(before);
  });
});
