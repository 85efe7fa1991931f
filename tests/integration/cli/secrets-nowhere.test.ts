import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ApiOperation } from '#domain/mock/api-call';
import { API_OPERATIONS, API_PARAMETERS } from '#domain/mock/api-call';
import { remoteServer } from '../../support/services/remote-server.ts';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct } from '../../support/product/product.ts';
import { serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** Occurs in every form of the secret except Base64, which has its own needles. */
const HELD = 'S3cretCanaryOfThePlant';
const CANARY = `"${HELD}"/ü&=+`;
const NEEDLES = [
  HELD,
  ...['', 'u', 'us'].map((before) =>
    Buffer.from(before + HELD)
      .toString('base64')
      .slice(4, 24),
  ),
].map((text) => Buffer.from(text));
const HEADERS = JSON.stringify([
  { headerKey: 'client_id', headerValue: 'plant' },
  { headerKey: 'X-Note', headerValue: '{{secret:PLAIN}}' },
  { headerKey: 'client_secret', headerValue: '{{secret:CANARY}}' },
]);
const VALUES: Record<string, string> = {
  url: '/x?key={{secret:CANARY}}',
  authHeaders: HEADERS,
  httpMethod: 'post',
  payload: '{"note":"{{secret:CANARY}}"}',
  token: '{{secret:PLAIN}}',
  apiKey: '{{secret:PLAIN}}',
  userName: 'plant',
  password: '{{secret:CANARY}}',
  customHeaders: JSON.stringify([{ headerKey: 'X-Session', headerValue: '{{secret:PLAIN}}' }]),
};

const NOWHERE = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };

beforeAll(builtProduct, 180_000);

/** The files that contain a needle, with the surrounding text. */
function found(name: string, bytes: Buffer): string[] {
  return NEEDLES.flatMap((needle) => {
    const at = bytes.indexOf(needle);
    return at < 0 ? [] : [`${name}: ${bytes.subarray(Math.max(0, at - 100), at + 60).toString()}`];
  });
}

function foundIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => found(file, readFileSync(file)));
}

/** A script that calls a method at every address, with secrets in every argument, and stores the responses in tags. */
function bodyOf(operation: ApiOperation, addresses: readonly string[]): string {
  const args = API_PARAMETERS[operation].slice(1).flatMap((name) => (VALUES[name] === undefined ? [] : [VALUES[name]]));
  return `
    const seen = ${JSON.stringify(addresses)}.map((address) => {
      const args = [address + ${JSON.stringify(VALUES['url'])}, ...${JSON.stringify(args)}];
      const answers = [ApiValueManager.${operation}(...args)];
      // Each argument wrong in turn.
      for (const at of args.keys()) answers.push(ApiValueManager.${operation}(...args.with(at, '\\u0000{{secret:CANARY}}[')));
      return answers.map((answer) => JSON.stringify(answer));
    });
    TagValueManager.Set([{ tag: 'Bottling.Documents.LabelDrawing.Error.Value', value: seen.flat().join('\\n').slice(0, 60000) }]);
    return seen;`;
}

/** Servers that echo the whole request, redirect it, or send an unreadable response. */
async function addressesOf(): Promise<{ addresses: string[]; requests: readonly unknown[] }> {
  const echo = (status: number, type: string) =>
    remoteServer((request, response) => {
      response.writeHead(status, { 'Content-Type': type, 'X-Echo': encodeURIComponent(request.url) });
      response.end(type === 'text/plain' ? `${request.url} ${request.body}` : JSON.stringify(request));
    });
  const ends = [
    await echo(200, 'application/json'),
    await echo(403, 'application/json'),
    await echo(502, 'text/plain'),
  ];
  const [first] = ends;
  const away = await remoteServer(({ url }, response) => {
    response.writeHead(307, { Location: `${first?.base}${url}` }).end();
  });
  const loop = await remoteServer(
    ({ url }, response) => void response.writeHead(302, { Location: `${url}&more` }).end(),
  );
  const broken = await remoteServer((_, response) => void response.destroy());
  const bases = [...ends, away, loop, broken].map(({ base }) => base);
  const unreachable = [bases[0]?.replace('http:', 'https:') ?? '', 'http://127.0.0.1:1', 'http://no.invalid'];
  return { addresses: [...bases, ...unreachable], requests: first?.requests ?? [] };
}

test('secrets of calls are in no file, log, export, version, report or output', async () => {
  const folder = temporaryFolder();
  const workspace = join(folder, 'plant');
  const served = await serve(workspace);
  const said: string[] = [];
  const run = async (args: string[], stdin = '') => {
    const { code, out, err } = await commandLine([...args, '--workspace', workspace], { stdin });
    said.push(out, err);
    expect(code, `${args.join(' ')}: ${err}`).toBe(0);
    return out;
  };
  await run(['secrets', 'set', 'CANARY'], `${CANARY}\n`);
  await run(['secrets', 'set', 'PLAIN'], `plain-${HELD}\n`);
  await run(['settings', 'set', 'api.timeoutMs=2000', 'api.proxy="http://plant:{{secret:PLAIN}}@127.0.0.1:1"']);
  await run(['mocks', 'mode', 'live', '--record']);
  const { addresses, requests } = await addressesOf();
  const client = await served.client();
  for (const operation of API_OPERATIONS) {
    const body = bodyOf(operation, addresses);
    await client.scripts.save({ group: 'Calls', name: operation, body, description: '' });
    const report = await client.runs.execute({ body, context: NOWHERE, dryRun: false });
    expect(report).toMatchObject({ status: 'ok' });
    expect(report.apiCalls.length).toBeGreaterThanOrEqual(addresses.length);
    said.push(JSON.stringify(report));
  }
  // Proves that they were sent: the remote servers received them.
  expect(found('', Buffer.from(JSON.stringify(requests)))).toHaveLength(2);
  // A browser recording with the secret in unnamed places.
  const entry = {
    request: { method: 'GET', url: `http://far.example/${HELD}/plain-${HELD}` },
    response: { status: 200, content: { text: `It was ${CANARY} and plain-${HELD}.`, mimeType: 'text/plain' } },
  };
  await run(['mocks', 'import', '-'], JSON.stringify({ log: { entries: [entry] } }).replace(`/${HELD}/`, '/x/'));
  expect(JSON.parse(await run(['calls', 'list', '--limit', '1000', '--json'])).length).toBeGreaterThan(100);
  await run(['mocks', 'export', join(folder, 'mocks.json')]);
  await run(['mocks', 'list']);
  await run(['calls', 'list', '--limit', '1000']);
  await run(['settings', 'list', '--json', '--show-secrets']);
  await run(['tags', 'get', 'Bottling.Documents.LabelDrawing.Error.Value']);
  await run(['run', '--script', 'Calls/Fetch']);
  await run(['export', join(folder, 'text')]);
  await run(['backups', 'create']);
  await run(['doctor', '--full']);
  await run(['doctor', '--json', '--support', join(folder, 'support.json')]);
  const support = readFileSync(join(folder, 'support.json'), 'utf8');
  expect(JSON.parse(support)).toMatchObject({ settings: { 'api.proxy': 'set' }, counts: { secrets: 2 } });
  // Names of scripts, tags and secrets must not be disclosed either.
  for (const name of ['Calls/', 'Bottling', 'CANARY', 'plain-']) expect(support).not.toContain(name);

  const { calls } = await client.calls.list({});
  const scripts = await client.scripts.list();
  const kept = await Promise.all(
    calls.map(async ({ seq }) => [
      await client.calls.image({ seq }),
      await client.mocks.ofCall({ seq }).catch((refused: unknown) => String(refused)),
    ]),
  );
  said.push(JSON.stringify([calls, scripts, kept, await client.mocks.list(), await client.secrets.list()]));

  expect(found('what commands and the RPC said', Buffer.from(said.join('\n')))).toEqual([]);
  expect(found('what the instance said', Buffer.from(served.command.out + served.command.err))).toEqual([]);
  // First with the data in the write-ahead logs, then with those merged into the databases.
  expect(foundIn(folder)).toEqual([]);
  expect((await served.close()).code).toBe(0);
  expect(foundIn(folder)).toEqual([]);
});
