import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench, type Workbench } from '../../../../src-main/workbench.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { type FarRequest, startRemoteServer } from '../../../support/services/remote-server.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const CACHE = 'Plant.Line.Cache.Value';
const TOKEN = 'tök/en+of=4711';
const NAMED = 'named-secret-0815';
const PASSWORD = 'feed-password-2342';

function respond({ url }: FarRequest, response: ServerResponse): void {
  const filler = 'x'.repeat(url === '/long' ? 200_000 : 1);
  const body = JSON.stringify(url.startsWith('/api') ? { fine: true } : { filler, access_token: TOKEN });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

let workbench: Workbench;
let remote: Awaited<ReturnType<typeof startRemoteServer>>;

beforeAll(async () => {
  await builtProduct();
  remote = await startRemoteServer(respond);
}, 180_000);
afterAll(() => remote.close());

beforeEach(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-'));
  const log = createLog({ level: 'error' });
  workbench = await openWorkbench({ directory, root: ROOT, createSample: false, eventsPort: 0, log });
  const { settings, tags, secrets } = workbench.services;
  await settings.update({ 'api.mode': 'live', 'updates.feed': `https://me:${PASSWORD}@updates.test/feed` });
  await secrets.set({ name: 'NAMED', value: NAMED });
  const tag = { description: '', unit: '', type: 'String' as const };
  await tags.definitions.save({ ...tag, path: CACHE, kind: 'storage', settings: {} });
  return async () => {
    await workbench.close();
    rmSync(directory, { recursive: true, force: true });
  };
});

const FETCHED = (path: string) =>
  `const token = JSON.parse(ApiValueManager.Fetch('${remote.base}${path}', 'get').ResponseObject).access_token;`;
const READ = `const [{ Value: token }] = TagValueManager.Get(['${CACHE}']).Value;`;
const get = (path: string) => `ApiValueManager.Fetch('${remote.base}/api/' + ${path}, 'get').StatusCode`;
const record = (body: string) => workbench.services.capsules.record({ body, context, dryRun: false });

/** Bodies that put a secret into the path of a URL. */
const BODIES: [string, () => string][] = [
  ['of an earlier response', () => `${FETCHED('/token')}\nreturn ${get(`encodeURIComponent(token) + '/x'`)};`],
  ['of a long response', () => `${FETCHED('/long')}\nreturn ${get(`encodeURIComponent(token) + '/x'`)};`],
  ['in Base64', () => `${FETCHED('/token')}\nreturn ${get(`btoa(unescape(encodeURIComponent(token))) + '/x'`)};`],
  ['that a tag has', () => `${READ}\nreturn ${get(`encodeURIComponent(token) + '/x'`)};`],
  ['with a name', () => `return ${get(`'${NAMED}/x'`)};`],
  ['of a setting', () => `return ${get(`'${PASSWORD}/x'`)};`],
];

test.each(BODIES)('a secret %s in the path of a URL is shown nowhere', async (_, body) => {
  const { calls, journal, mocks } = workbench.services;
  await record(`${FETCHED('/token')}\nTagValueManager.Set([{ tag: '${CACHE}', value: token }]);`);
  const { report, capsule } = await record(body());
  expect(report.result).toBe('200');
  const logged = calls.list({}).calls.at(-1);
  expect(logged?.url).toBe(`${remote.base}/api/***/x`);
  expect(report.apiCalls.at(-1)?.url).toBe(`${remote.base}/api/***/x`);
  const why = await journal.why({ thing: { kind: 'call', id: logged?.seq ?? 0 } });
  expect(why.causes[0]?.action).toContain(`GET ${remote.base}/api/***/x: status 200`);
  expect(mocks.ofCall({ seq: logged?.seq ?? 0 })).toMatchObject({ request: { url: `${remote.base}/api/*/x` } });
  const { runs } = await workbench.services.capsules.runs({ script: null, limit: 1 });
  const stored = await journal.capsule({ id: runs[0]?.id ?? 0 });
  const shown = [report.apiCalls, why, capsule, stored.capsule, (await journal.export({})).text, calls.list({})];
  const text = JSON.stringify(shown);
  for (const secret of [TOKEN, encodeURIComponent(TOKEN), NAMED, PASSWORD, Buffer.from(TOKEN).toString('base64')])
    expect(text).not.toContain(secret);
});

test('a mock that is recorded from such a call matches any secret', async () => {
  const { mocks, settings } = workbench.services;
  await settings.update({ 'api.record': true });
  await record(
    `${FETCHED('/token')}\n${get(`encodeURIComponent(token) + '/x'`)};\n${get(`'${NAMED}/y'`)};\n${get(`'${PASSWORD}/z'`)};`,
  );
  await expect.poll(() => mocks.list().mocks.length).toBe(4);
  const text = mocks.export().text;
  expect(mocks.list().mocks.map(({ request }) => request.url)).toEqual([
    `${remote.base}/token`,
    `${remote.base}/api/*/x`,
    `${remote.base}/api/*/y`,
    `${remote.base}/api/*/z`,
  ]);
  expect(text).not.toMatch(new RegExp(`${NAMED}|${PASSWORD}|4711`));
});
