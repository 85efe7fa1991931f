import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../support/cpu-time.ts';
import { remoteServer } from '../../support/services/remote-server.ts';
import { type WiredOutbound, wiredOutbound } from '../../support/services/wired-outbound.ts';

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000);

let outbound: WiredOutbound;

beforeEach(() => {
  outbound = wiredOutbound({ 'api.mode': 'live', 'api.record': true });
});

const fetched = (url: string, body: string | null = null) => {
  const args = [url, body === null ? 'get' : 'post', body];
  return outbound.call('Fetch', args);
};

/** Responses that are valid HTTP, but slow or deeply nested for code that shows them. */
const STRANGE: [string, (response: ServerResponse) => void, string][] = [
  ['JSON in JSON without limit', (r) => void r.end(DEEP), '200'],
  ['an error that is JSON in JSON', (r) => void r.writeHead(400).end(DEEP), '400'],
  ['objects in objects', (r) => void r.end('{"a":'.repeat(30_000) + '1' + '}'.repeat(30_000)), '200'],
  ['a repeated name of a secret', (r) => void r.writeHead(500).end('token'.repeat(50_000)), '500'],
  [
    'a header of question marks',
    (r) => void r.writeHead(200, { 'Content-Location': '?'.repeat(60_000) }).end('x'),
    '200',
  ],
  ['an invalid address of question marks', (r) => void r.writeHead(300, { Location: '?'.repeat(60_000) }).end(), '300'],
  ['a reason phrase that is not text', (r) => void r.writeHead(299, '\u00ff\u0080').end('x'), '299'],
];

describe('a response that is', () => {
  test.each(STRANGE)(
    '%s: the script gets it, it is shown masked, and it costs little',
    async (_, respond, statusCode) => {
      const end = await remoteServer((_request, response) => respond(response));
      const spent = await cpuMsOf(async () => {
        const { result: got, exchange } = await fetched(end.base);
        expect(got).toMatchObject({ statusCode, success: statusCode.startsWith('2') });
        expect(exchange).toMatchObject({ statusCode, source: 'live', error: null });
      });
      expect(spent).toBeLessThan(3_000);
      expect(outbound.calls.list({}).calls).toHaveLength(1);
      expect(outbound.mocks.ofCall({ seq: 1 })).toMatchObject({ answer: { status: Number(statusCode) } });
    },
  );
});

test('a script gets the beginning of a long error page, and the whole of JSON', async () => {
  const end = await remoteServer(({ url }, response) => {
    response.writeHead(503).end(url === '/json' ? JSON.stringify('x'.repeat(2_000_000)) : '"'.repeat(4_000_000));
  });
  /** As the host of the script decodes it. */
  const messageOf = async (path: string) => {
    const { text } = (await fetched(`${end.base}${path}`)).result;
    return new TextDecoder(text?.charset).decode(text?.bytes);
  };
  const { body } = JSON.parse(await messageOf('/page')) as { body: string };
  expect([body.length, body.at(-1)]).toEqual([1_000_000, '…']);
  expect(await messageOf('/json')).toHaveLength(2_000_002);
});

test.each<[string, string, string | null]>([
  ['a URL of marks', `/${'?'.repeat(60_000)}`, null],
  ['a URL of parameters', `/?${'a=b&'.repeat(15_000)}`, null],
  ['a payload in payloads', '/', DEEP],
])('a request with %s costs little', async (_, path, body) => {
  const end = await remoteServer((_asked, response) => void response.end('{}'));
  // Node rejects a URL longer than its header limit, and sends the response itself.
  const spent = await cpuMsOf(async () => {
    const { result } = await fetched(end.base + path, body);
    expect(['200', '431', '0']).toContain(result.statusCode);
  });
  expect(spent).toBeLessThan(3_000);
});
