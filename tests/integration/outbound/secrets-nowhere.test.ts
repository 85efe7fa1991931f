import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ApiOperation } from '#domain/api-call';
import { API_OPERATIONS } from '#domain/api-call';
import { DEFAULT_SETTINGS } from '#domain/settings';
import { SIGNATURES } from '../../../src-main/outbound/arguments.ts';
import { openOutbound } from '../../../src-main/outbound/outbound.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace-store.ts';
import { farEnd, rawFarEnd } from '../../support/far-end.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** Every sign that is written in another way in URLs, forms, JSON or Base64. */
const CANARY = 'canary/"s3cret"+ü &=';
const HELD = 's3cret';
const PLACEHOLDER = '{{secret:CANARY}}';
const FORMS = [HELD, Buffer.from(CANARY).toString('base64'), Buffer.from(`plant:${CANARY}`).toString('base64')];
const NEVER = new AbortController().signal;

let forms: string[];
beforeAll(() => {
  forms = [...FORMS, ...FORMS.map(encodeURIComponent)];
});

/** Good arguments of a method, with the placeholder wherever a text is free. */
function argumentsOf(operation: ApiOperation, url: string): string[] {
  const set = JSON.stringify([{ headerKey: 'X-Session', headerValue: `of ${PLACEHOLDER.replace('CANARY', 'PLAIN')}` }]);
  const values: Record<string, string> = {
    url: `${url}/x?key=${PLACEHOLDER}&q=${PLACEHOLDER}`,
    authHeaders: JSON.stringify([
      { headerKey: 'client_secret', headerValue: PLACEHOLDER },
      { headerKey: 'scope', headerValue: PLACEHOLDER },
    ]),
    httpMethod: 'post',
    payload: `{"note":"${PLACEHOLDER}"}`,
    token: '{{secret:PLAIN}}',
    apiKey: '{{secret:PLAIN}}',
    userName: 'plant',
    password: PLACEHOLDER,
    customHeaders: set,
    mediaType: 'application/json',
  };
  return SIGNATURES[operation].map((name) => values[name] ?? '');
}

async function outbound(timeoutMs = 400) {
  const store = openWorkspaceStore(join(temporaryFolder(), 'plant'));
  const settings = {
    get: () => ({ ...DEFAULT_SETTINGS, 'api.mode': 'live' as const, 'api.record': true, 'api.timeoutMs': timeoutMs }),
    onChange: () => () => undefined,
  };
  const faults: string[] = [];
  const opened = openOutbound({
    ...store,
    settings,
    fault: (where, thrown) => faults.push(`${where}: ${String(thrown)}`),
  });
  onTestFinished(async () => {
    await opened.close();
    store.close();
  });
  await opened.services.secrets.set({ name: 'CANARY', value: CANARY });
  await opened.services.secrets.set({ name: 'PLAIN', value: `plain-${HELD}-value` });
  return { opened, faults };
}

test.each(API_OPERATIONS)(
  '%s with secrets in its arguments shows them to nobody, whatever comes of it',
  async (operation) => {
    const { opened, faults } = await outbound();
    // Far ends that tell everything that they were sent: as JSON, as text, in headers and in the status line.
    const echo = (status: number, type: string) =>
      farEnd((asked, response) => {
        const all = JSON.stringify(asked);
        response.writeHead(status, { 'Content-Type': type, 'X-Echo': encodeURIComponent(asked.url) });
        response.end(type === 'application/json' ? all : `${asked.url} ${asked.body} ${all}`);
      });
    const ends = [
      await echo(200, 'application/json'),
      await echo(400, 'application/json'),
      await echo(500, 'text/plain'),
    ];
    const broken = await rawFarEnd((socket) => socket.on('data', () => socket.end('no HTTP')));
    const silent = await rawFarEnd(() => undefined);
    const addresses = [
      ...ends.map(({ base }) => base),
      broken,
      silent,
      'http://127.0.0.1:1',
      'http://no.invalid',
      'ftp://x',
    ];
    const seen: string[] = [];
    for (const address of addresses) {
      const args = argumentsOf(operation, address);
      const { answer, exchange } = await opened.api.call({ operation, args, dryRun: false, tag: '', signal: NEVER });
      const { image, ...rest } = answer;
      seen.push(JSON.stringify([rest, exchange]), Buffer.from(image ?? []).toString());
    }
    // Each argument wrong in turn: the message tells which, not what.
    const good = argumentsOf(operation, addresses[0] ?? '');
    for (const index of good.keys()) {
      const args = good.with(index, `\u0000 ${PLACEHOLDER} [not good\r\n`);
      const { answer, exchange } = await opened.api.call({ operation, args, dryRun: false, tag: '', signal: NEVER });
      // A payload may be any text.
      expect(answer.success).toBe(SIGNATURES[operation][index] === 'payload');
      seen.push(JSON.stringify([{ ...answer, image: null }, exchange]));
    }
    seen.push(JSON.stringify(opened.services.calls.list({})), JSON.stringify(opened.services.secrets.list()));
    seen.push(opened.services.mocks.export().text, ...faults);
    for (const text of seen) for (const form of forms) expect(text).not.toContain(form);
    expect(faults).toEqual([]);

    // It was really sent: what is hidden here is what the far end got.
    expect(decodeURIComponent(ends[0]?.asked[0]?.url.replaceAll('+', ' ') ?? '')).toContain(HELD);
  },
);
