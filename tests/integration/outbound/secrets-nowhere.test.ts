import { beforeAll, expect, test } from 'vitest';
import type { ApiOperation } from '#domain/mock/api-call';
import { API_OPERATIONS, API_PARAMETERS } from '#domain/mock/api-call';
import { remoteServer, rawRemoteServer } from '../../support/services/remote-server.ts';
import { type WiredOutbound, wiredOutbound } from '../../support/services/wired-outbound.ts';

/** All characters that are encoded in URLs, forms, JSON or Base64. */
const CANARY = 'canary/"s3cret"+ü &=';
const HELD = 's3cret';
const PLACEHOLDER = '{{secret:CANARY}}';
const FORMS = [
  HELD,
  Buffer.from(CANARY).toString('base64'),
  // The part that occurs in Base64 wherever the secret begins.
  ...['', 'u', 'us'].map((before) =>
    Buffer.from(before + HELD)
      .toString('base64')
      .slice(2, 8),
  ),
];

let forms: string[];
beforeAll(() => {
  forms = [...FORMS, ...FORMS.map(encodeURIComponent)];
});

/** Valid arguments of a method, with the placeholder wherever any text is allowed. */
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
    userName: 'u'.repeat(API_PARAMETERS[operation].length),
    password: PLACEHOLDER,
    customHeaders: set,
    mediaType: 'application/json',
  };
  return API_PARAMETERS[operation].map((name) => values[name] ?? '');
}

/** Arguments that are valid except for the content of their secret: a header name, a value with a line break. */
function wrongWith(operation: ApiOperation): [at: number, text: string][] {
  const signature = API_PARAMETERS[operation];
  const set = (key: string, value: string) => JSON.stringify([{ headerKey: key, headerValue: value }]);
  const sets = ['authHeaders', 'customHeaders'] as const;
  const headers = sets.map((name) => signature.indexOf(name)).filter((at) => at >= 0);
  const named = operation === 'GetOauthToken' ? [] : [set(PLACEHOLDER, 'x')];
  const wrong = [...named, set('X-Lines', '{{secret:LINES}}'), set('X-Gone', `${PLACEHOLDER} {{secret:GONE}}`)];
  const alone = (['token', 'apiKey'] as const).map((name) => signature.indexOf(name)).filter((at) => at >= 0);
  return [
    ...headers.flatMap((at) => wrong.map((text): [number, string] => [at, text])),
    ...alone.map((at): [number, string] => [at, '{{secret:LINES}}']),
  ];
}

/** The text around a forbidden text; '' if there is none. */
function around(text: string, form: string): string {
  const at = text.indexOf(form);
  return at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 200);
}

const unicode = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
/** As ASP.NET writes JSON, and HTML in JSON. */
const escapedTwice = (text: string) => escaped(text).replaceAll(/[^\w .]/g, unicode);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

async function outbound() {
  const wired = wiredOutbound({ 'api.mode': 'live', 'api.record': true, 'api.timeoutMs': 20_000 });
  await wired.secrets.set({ name: 'CANARY', value: CANARY });
  await wired.secrets.set({ name: 'PLAIN', value: `plain-${HELD}-value` });
  await wired.secrets.set({ name: 'LINES', value: `first-${HELD}\r\nX-${HELD}: 1` });
  return wired;
}

test.each(API_OPERATIONS)('%s never shows secrets in its arguments, however it ends', async (operation) => {
  const { mocks, calls, secrets, call, settings, faults } = await outbound();
  // Remote servers that echo every request: as JSON, as text, in headers and in the status line.
  const echo = (status: number, type: string) =>
    remoteServer((request, response) => {
      const all = JSON.stringify(request);
      const { authorization, 'x-session': session } = request.headers;
      response.writeHead(status, String(authorization ?? session ?? 'fine'), {
        'Content-Type': type,
        'X-Echo': encodeURIComponent(request.url),
      });
      const basic = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64').toString();
      if (type === 'application/json') response.end(all);
      else
        response.end(
          `<p title="${escaped(basic)}">${request.url} ${request.body} ${all} ${escaped(all)} ${escapedTwice(all)}</p>`,
        );
    });
  const ends = [
    await echo(200, 'application/json'),
    await echo(400, 'application/json'),
    await echo(500, 'text/html'),
    await echo(200, 'image/png'),
  ];
  const [, , other] = ends;
  const away = await remoteServer(({ url }, response) => {
    response.writeHead(307, { Location: `${other?.base}${url}` }).end();
  });
  const loop = await remoteServer(
    ({ url }, response) => void response.writeHead(302, { Location: `${url}&again` }).end(),
  );
  const broken = await rawRemoteServer((socket) => socket.on('data', () => socket.end('no HTTP')));
  const silent = await rawRemoteServer(() => undefined);
  const addresses = [
    ...ends.map(({ base }) => base),
    away.base,
    loop.base,
    ends[0]?.base.replace('http:', 'https:') ?? '',
    broken,
    silent,
    'http://127.0.0.1:1',
    'http://no.invalid',
    'ftp://x',
  ];
  const seen: string[] = [];
  for (const address of addresses) {
    settings['api.timeoutMs'] = address === silent ? 200 : 20_000;
    const args = argumentsOf(operation, address);
    const { result, exchange } = await call(operation, args);
    const { image, ...rest } = result;
    seen.push(JSON.stringify([rest, exchange]), Buffer.from(image ?? []).toString());
  }
  // Each argument is invalid in turn: the message names the argument, but not its value.
  const good = argumentsOf(operation, addresses[0] ?? '');
  for (const index of good.keys()) {
    const args = good.with(index, `\u0000 ${PLACEHOLDER} [not good\r\n`);
    const { result, exchange } = await call(operation, args);
    // Any text is valid as a payload.
    expect(result.success).toBe(API_PARAMETERS[operation][index] === 'payload');
    seen.push(JSON.stringify([{ ...result, image: null }, exchange]));
  }
  // A message never shows it either.
  for (const [at, wrong] of wrongWith(operation)) {
    const args = good.with(at, wrong);
    const { result, exchange } = await call(operation, args);
    expect(result).toMatchObject({ statusCode: '0', errorMessage: expect.stringContaining('InvalidArgument') });
    seen.push(JSON.stringify([result, exchange]));
  }
  seen.push(JSON.stringify(calls.list({})), JSON.stringify(secrets.list()));
  seen.push(mocks.export().text, ...faults);
  for (const text of seen) {
    for (const form of forms) expect(around(text, form), form).toBe('');
  }

  // Proves that it was sent: the remote server received the masked text.
  expect(decodeURIComponent(ends[0]?.requests[0]?.url.replaceAll('+', ' ') ?? '')).toContain(HELD);
});

test.each<[string, (secrets: WiredOutbound['secrets']) => Promise<void>]>([
  ['deleted', (secrets) => secrets.delete({ name: 'PLAIN' })],
  ['replaced', (secrets) => secrets.set({ name: 'PLAIN', value: 'another-value' })],
])('a secret that is %s during a call stays masked, also in later responses', async (_, change) => {
  const { mocks, calls, secrets, call } = await outbound();
  const requested = Promise.withResolvers<() => void>();
  let echo = '';
  const end = await remoteServer(({ url, headers }, response) => {
    if (url !== '/later') echo = `you sent ${headers.authorization}`;
    const respond = () => void response.end(echo);
    if (url === '/later') respond();
    else requested.resolve(respond);
  });
  const first = call('GetImageWithBearerToken', [end.base, '{{secret:PLAIN}}']);
  const respond = await requested.promise;
  await change(secrets);
  respond();
  const seen = [await first, await call('Fetch', [`${end.base}/later`, 'get'])];
  expect(echo).toBe(`you sent Bearer plain-${HELD}-value`);
  expect(seen.map((one) => String(one.result.responseObject ?? Buffer.from(one.result.image ?? [])))).toEqual([
    'you sent Bearer ***',
    'you sent Bearer ***',
  ]);
  const shown = JSON.stringify([seen.map(({ exchange }) => exchange), calls.list({})]);
  expect(shown + mocks.export().text).not.toContain(HELD);
});
