import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_RECORDED_TEXT } from '#domain/run/capsule';
import { abbreviate } from '#domain/text/abbreviate';
import { createLog } from '../../../../src-main/platform/log.ts';
import { replay } from '../../../../src-main/replay.ts';
import { readCapsule } from '../../../../src-main/scripting/capsules/capsule-file.ts';
import { openWorkbench, type Workbench } from '../../../../src-main/workbench.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { type FarRequest, startRemoteServer } from '../../../support/services/remote-server.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const NAMED = 'hidden-value-1';
/** What a remote server or the script itself reveals. */
const SEEN = ['given-token-2', 'page-token-3', 'passed-key-4', 'in-payload-5'];
const LETTERS = 'Größe € \u{1f600} ';
const IMAGE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(300_000)]);
/** It does not become shorter when it is compressed. */
const NOISE = randomBytes(9 * 1_048_576).toString('base64');

/** Of a page that was cut before the halves of a character. */
const ERROR_LENGTH = abbreviate(`<p>*** ${LETTERS.repeat(90_000)}`, 1_000_000).length;

const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: LETTERS, echo: `is ${NAMED}` }));
const long = JSON.stringify({ access_token: 'given-token-2', items: items(8_000) });

function respond({ url }: FarRequest, response: ServerResponse): void {
  const send = (status: number, type: string, body: string | Buffer) =>
    response.writeHead(status, { 'content-type': type }).end(body);
  if (url === '/long') send(200, 'application/json', long);
  else if (url === '/latin') send(200, 'text/plain; charset=iso-8859-1', Buffer.from('ü'.repeat(400_000), 'latin1'));
  else if (url === '/image') send(200, 'image/png', IMAGE);
  else if (url === '/page')
    send(500, 'application/json', JSON.stringify({ token: 'page-token-3', items: items(6_000) }));
  else if (url === '/html') send(502, 'text/html', `<p>${NAMED} ${LETTERS.repeat(90_000)}`);
  else if (url === '/noise') send(200, 'text/plain', NOISE);
  else if (url === '/most') send(200, 'text/plain', 'x'.repeat(MAX_RECORDED_TEXT));
  else send(200, 'application/json', '{"ok":true}');
}

let workbench: Workbench;
let remote: Awaited<ReturnType<typeof startRemoteServer>>;
let directory: string;

beforeAll(async () => {
  await builtProduct();
  remote = await startRemoteServer(respond);
  directory = mkdtempSync(join(tmpdir(), 'tagwright-'));
  const log = createLog({ level: 'error' });
  workbench = await openWorkbench({ directory, root: ROOT, createSample: false, eventsPort: 0, log });
  await workbench.services.settings.update({ 'api.mode': 'live', 'limits.memoryMb': 512 });
  await workbench.services.secrets.set({ name: 'erp', value: NAMED });
}, 600_000);
afterAll(async () => {
  await workbench.close();
  await remote.close();
  rmSync(directory, { recursive: true, force: true });
});

const BODY = () => `const base = '${remote.base}';
const long = ApiValueManager.Fetch(base + '/long', 'get').ResponseObject;
const { access_token } = JSON.parse(long);
const page = ApiValueManager.Fetch(base + '/page', 'get').ErrorMessage;
const html = ApiValueManager.Fetch(base + '/html', 'get');
const payload = JSON.stringify({ password: 'in-payload-5', text: ${JSON.stringify(LETTERS)}.repeat(40_000) });
ApiValueManager.FetchWithApiKey(base + '/small', 'post', payload, 'passed-key-4');
const latin = ApiValueManager.Fetch(base + '/latin', 'get').ResponseObject;
const image = ApiValueManager.GetImage(base + '/image').ResponseObject;
ApiValueManager.FetchWithBearerToken(base + '/small?{{secret:erp}}', 'get', null, access_token);
console.log(access_token, page.slice(0, 10));
const { error, body } = JSON.parse(html.errorMessage);
const failed = { item: JSON.parse(page).items[5_999], html: [html.Success, html.ResponseObject, error, body.length, body.slice(0, 20)] };
return { failed, lengths: [latin.length, image.length], items: JSON.parse(long).items.length, latin, image: image.slice(0, 200) };`;

const newest = async () => (await workbench.services.capsules.runs({ script: null, limit: 1 })).runs[0]?.id ?? 0;
const saved = async (id: number) => (await workbench.services.journal.capsule({ id })).capsule ?? '';

test('a long run is stored, saved and recorded as the same capsule, without secrets', async () => {
  const { report, capsule, problem } = await workbench.services.capsules.record({
    body: BODY(),
    context,
    dryRun: false,
  });
  expect({ status: report.status, problem }).toEqual({ status: 'ok', problem: null });
  expect(capsule === (await saved(await newest()))).toBe(true);
  const gzip = (await workbench.services.journal.capsule({ id: await newest(), gzip: true })).capsule ?? '';
  expect(gunzipSync(Buffer.from(gzip, 'base64')).toString() === capsule).toBe(true);
  for (const secret of [NAMED, ...SEEN]) expect({ secret, at: capsule?.indexOf(secret) }).toEqual({ secret, at: -1 });

  const read = readCapsule(Buffer.from(capsule ?? ''));
  const { calls, masked } = read.capsule;
  expect(read.intact).toBe(true);
  expect(calls.map(({ call, kind }) => [call, kind])).toEqual([1, 2, 3, 4, 5, 6, 7].map((call) => [call, 'api']));
  const [first] = calls;
  const expected = long.replace('given-token-2', '***').replaceAll(NAMED, '***');
  expect(first?.kind === 'api' && first.response?.responseObject === expected).toBe(true);
  expect(Object.keys(first ?? {})).toEqual([
    'kind',
    'call',
    'line',
    'clock',
    'operation',
    'args',
    'response',
    'exchange',
  ]);
  expect(masked.places).toEqual(
    expect.arrayContaining(['calls[0].response', 'calls[3].args[2]', 'calls[3].args[3]', 'script.body']),
  );
  const image = calls[5]?.kind === 'api' ? calls[5].response?.image : '';
  expect(image === IMAGE.toString('base64')).toBe(true);
});

test('a run that a person starts is stored the same way, and its replay is equal', async () => {
  const run = await workbench.services.runs.execute({ body: BODY(), context, dryRun: false });
  const text = await saved(await newest());
  for (const secret of [NAMED, ...SEEN]) expect({ secret, at: text.indexOf(secret) }).toEqual({ secret, at: -1 });
  const { missing, comparison, report } = await replay(readCapsule(Buffer.from(text)), null);
  expect({ status: run.status, missing, ...comparison }).toMatchObject({ status: 'ok', missing: null, equal: true });
  expect(report.result).toEqual(run.result);
  expect(report.result).toMatchObject({
    items: 8_000,
    latin: 'ü'.repeat(400_000),
    failed: {
      item: { id: 5_999, name: LETTERS, echo: 'is ***' },
      html: [false, null, 'Http502', ERROR_LENGTH, `<p>*** ${LETTERS.repeat(2)}`.slice(0, 20)],
    },
  });
});

test('a run that is too large compressed is recorded, but not stored in full', async () => {
  const body = `return ApiValueManager.Fetch('${remote.base}/noise', 'get').ResponseObject.length`;
  const before = await newest();
  const { capsule } = await workbench.services.capsules.record({ body, context, dryRun: false });
  expect(capsule?.includes(NOISE)).toBe(true);
  expect(await newest()).toBe(before);
});

test('a run that gets too much is not recorded', async () => {
  const body = `return ApiValueManager.Fetch('${remote.base}/most', 'get').ResponseObject.length`;
  const { report, capsule, problem } = await workbench.services.capsules.record({ body, context, dryRun: false });
  expect({ status: report.status, capsule, problem }).toEqual({
    status: 'ok',
    capsule: null,
    problem: 'the run got more than 33,554,432 characters from its calls',
  });
});
