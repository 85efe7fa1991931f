import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench, type Workbench } from '../../../../src-main/workbench.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { type FarRequest, startRemoteServer } from '../../../support/services/remote-server.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const CACHE = 'Plant.Line.Cache.Value';
const COPY = 'Plant.Line.Copy.Value';
const FRESH = 'Plant.Line.Fresh.Value';
const STATE = 'Plant.Line.State.Value';
const COUNT = 'Plant.Line.Count.Value';
const PIN = '90471108';

/** The paths of the server, with the length of their responses. */
const LENGTHS = { '/text': 150_000, '/bytes': 400_000, '/thread': 2_500_000, '/page': 400_000, '/image': 150_000 };
const tokenOf = (path: string) => `token-of${path.replace('/', '-')}-4711`;

function respond({ url }: FarRequest, response: ServerResponse): void {
  const [path = ''] = url.split('?');
  const filler = 'x'.repeat(Object.entries(LENGTHS).find(([name]) => name === path)?.[1] ?? 10);
  const status = path === '/page' ? 500 : 200;
  const bodies = { '/pin': { pin: PIN }, '/base64': { password: btoa(tokenOf('/base64')) } };
  const body = JSON.stringify(
    Object.entries(bodies).find(([name]) => name === path)?.[1] ?? { filler, inner: [{ access_token: tokenOf(path) }] },
  );
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

let directory: string;
let workbench: Workbench;
let remote: Awaited<ReturnType<typeof startRemoteServer>>;

const open = async () => {
  const log = createLog({ level: 'error' });
  workbench = await openWorkbench({ directory, root: ROOT, createSample: false, eventsPort: 0, log });
};

beforeAll(async () => {
  await builtProduct();
  remote = await startRemoteServer(respond);
}, 180_000);
afterAll(() => remote.close());

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tagwright-'));
  await open();
  const { settings, tags, scripts } = workbench.services;
  await settings.update({ 'api.mode': 'live' });
  const tag = { description: '', unit: '', type: 'String' as const };
  for (const path of [CACHE, COPY, STATE]) await tags.definitions.save({ ...tag, path, kind: 'storage', settings: {} });
  await scripts.save({
    group: 'Line',
    name: 'Token',
    description: '',
    body: `${fetched('/thread')}\nreturn 'Bearer ' + token;`,
  });
  await tags.definitions.save({ ...tag, path: FRESH, kind: 'script', settings: { readScript: 'Line/Token' } });
  return async () => {
    await workbench.close();
    rmSync(directory, { recursive: true, force: true });
  };
});

/** The start of a body: `token` from a response. */
const fetched = (path: string) => {
  if (path === '/image')
    return `const { Base64Image } = JSON.parse(ApiValueManager.GetImage('${remote.base}${path}').ResponseObject);
const token = /access_token":"([^"]+)/.exec(atob(Base64Image))[1];`;
  return `const { ResponseObject, ErrorMessage } = ApiValueManager.Fetch('${remote.base}${path}', 'get');
const token = JSON.parse(ResponseObject ?? ErrorMessage).inner[0].access_token;`;
};

const run = (body: string) => workbench.services.runs.execute({ body, context, dryRun: false });
const record = (body: string) => workbench.services.capsules.record({ body, context, dryRun: false });
const set = (path: string, value: string) => `TagValueManager.Set([{ tag: '${path}', value: ${value} }]);`;
const why = async (path: string) => (await workbench.services.journal.why({ thing: { kind: 'tag', path } })).causes;

/** Everything that the journal has, as text. */
async function recorded(): Promise<string> {
  const { journal, capsules } = workbench.services;
  const { text } = await journal.export({});
  const stored: string[] = [];
  const database = new Database(join(directory, 'workspace.db'), { readonly: true });
  try {
    for (const sql of ['SELECT entries FROM journal', 'SELECT details FROM journal_runs'])
      stored.push(...database.prepare<[], string>(sql).pluck().all());
  } finally {
    database.close();
  }
  const { runs } = await capsules.runs({ script: null });
  for (const { id } of runs) stored.push((await journal.capsule({ id })).capsule ?? '');
  return [text, ...stored].join('\n');
}

test.each(Object.keys(LENGTHS))('a token of the long response %s is in no entry and no capsule', async (path) => {
  const report = await run(`${fetched(path)}
console.log('got', token);
${set(CACHE, `'is ' + token`)}
throw new Error('ended with ' + token);`);
  expect(report.error?.message).toBe(`ended with ${tokenOf(path)}`);
  expect((await why(CACHE))[0]).toMatchObject({ before: null, after: 'is ***' });
  const text = await recorded();
  expect(text).toContain('ended with ***');
  expect(text).not.toContain(tokenOf(path));
});

test('a token of a long response is hidden in what the runs around the call write', async () => {
  const { report, capsule } = await record(`const [{ Value }] = TagValueManager.Get(['${FRESH}']).Value;
console.log(Value);
${set(CACHE, 'Value')}
return Value;`);
  expect(report.result).toBe(`Bearer ${tokenOf('/thread')}`);
  expect((await why(CACHE))[0]).toMatchObject({ after: 'Bearer ***' });
  expect(capsule).toContain('Bearer ***');
  expect(capsule + (await recorded())).not.toContain(tokenOf('/thread'));
});

test('a secret in Base64 is hidden where the script writes it decoded', async () => {
  const body = `const { password } = JSON.parse(ApiValueManager.Fetch('${remote.base}/base64', 'get').ResponseObject);
const plain = atob(password);
console.log(plain);
${set(CACHE, `'is ' + plain`)}`;
  const { capsule } = await record(body);
  expect((await why(CACHE))[0]).toMatchObject({ after: 'is ***' });
  expect(capsule).toContain('is ***');
  expect(capsule + (await recorded())).not.toContain(tokenOf('/base64'));
});

test('a capsule has no token of a script of a tag whose response was not searched', async () => {
  const { capsule } = await record(`return TagValueManager.Get(['${FRESH}']).Value[0].Value;`);
  expect(capsule).toContain('Bearer ***');
  expect(capsule + (await recorded())).not.toContain(tokenOf('/thread'));
});

const LATER_TEXT = 'atob(decodeURIComponent(JSON.parse(Value).a)).slice(3)';
/** What later runs do with a value that an earlier run stored. */
const LATER: [string, string, string][] = [
  ['as it is', 'token', 'Value'],
  ['within other text', `'is ' + token + ' now'`, 'Value.slice(3, -4)'],
  ['as a member', 'JSON.stringify({ access_token: token, "line é": "x" })', 'JSON.parse(Value).access_token'],
  ['in Base64', 'btoa("user:" + token)', 'Value'],
  ['in Base64, which it decodes', 'btoa("user:" + token)', 'atob(Value).slice(5)'],
  ['in escaped Base64', 'JSON.stringify({ a: encodeURIComponent(btoa("me:" + token)) })', LATER_TEXT],
  ['in a long text', `token + ' '.repeat(3_000)`, 'Value.trim()'],
  ['in a very long text', `' '.repeat(200_000) + token`, 'Value.trim()'],
];

test.each(LATER)('a token that an earlier run stored %s is hidden in later runs', async (_, stored, read) => {
  const secret = tokenOf('/short');
  await run(`${fetched('/short')}\n${set(CACHE, stored)}`);
  // Another process knows only the stored state.
  await workbench.close();
  await open();
  const { capsule, report } = await record(`const [{ Value }] = TagValueManager.Get(['${CACHE}']).Value;
const token = ${read};
console.log('read', token);
${set(COPY, `'again ' + token`)}
${set(CACHE, `'replaced'`)}
throw new Error('ended with ' + token);`);
  expect(report.error?.message).toMatch(/^ended with /);
  expect((await why(COPY))[0]).toMatchObject({ after: expect.stringMatching(/^again (?:dXNlcjp)?\*\*\*$/) });
  const text = capsule + (await recorded());
  expect(text).not.toContain(secret);
  expect(text).not.toContain(btoa(`user:${secret}`));
});

test('a secret that is a number is hidden also as a number, and in later runs', async () => {
  await workbench.services.tags.definitions.save({
    path: COUNT,
    kind: 'storage',
    type: 'Int',
    description: '',
    unit: '',
    settings: {},
  });
  await run(`const pin = Number(JSON.parse(ApiValueManager.Fetch('${remote.base}/pin', 'get').ResponseObject).pin);
${set(COUNT, 'pin')}
${set(CACHE, '({ pin, count: 1234567 })')}`);
  expect((await why(COUNT))[0]).toMatchObject({ before: null, after: '***' });
  await workbench.close();
  await open();
  const { capsule } = await record(`const [{ Value }] = TagValueManager.Get(['${COUNT}']).Value;
${set(COPY, `'is ' + Value`)}
${set(COUNT, `1234567`)}
return Value;`);
  expect(JSON.parse(capsule ?? '')).toMatchObject({
    report: {
      result: '***',
      reads: [{ value: '***' }],
      writes: [{ value: 'is ***' }, { before: '***', value: 1_234_567 }],
    },
    masked: { places: expect.arrayContaining(['calls[0].values[0].value', 'report.result']) },
  });
  expect((await why(COUNT))[0]).toMatchObject({ before: '***', after: 1_234_567 });
  expect((await why(COPY))[0]).toMatchObject({ after: 'is ***' });
  expect(capsule + (await recorded())).not.toContain(PIN);
});

test('the value before of a Set that reads nothing is hidden in its capsule', async () => {
  await run(`${fetched('/short')}\n${set(CACHE, `'is ' + token`)}`);
  await workbench.close();
  await open();
  const { capsule } = await record(set(CACHE, `'new'`));
  expect(JSON.parse(capsule ?? '')).toMatchObject({
    calls: [{ written: [{ value: 'new', before: 'is ***' }] }],
    masked: { places: expect.arrayContaining(['calls[0].written[0].before']) },
  });
  expect(capsule).not.toContain(tokenOf('/short'));
});

test('values without secrets stay as they are', async () => {
  await run(`${fetched('/short')}\n${set(CACHE, 'token')}\n${set(STATE, `'fine'`)}`);
  const { capsule } = await record(`return TagValueManager.Get(['${STATE}', '${CACHE}']).Value[0].Value;`);
  expect(JSON.parse(capsule ?? '')).toMatchObject({
    report: { result: 'fine' },
    calls: [{ values: [{ value: 'fine' }, { value: '***' }] }],
  });
});
