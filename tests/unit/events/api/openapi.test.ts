import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { raw, startApi, VERSION } from './start-api.ts';

const content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.unknown() })).optional(),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string().regex(/^\d{3}$/),
    z.object({
      description: z.string(),
      headers: z.record(z.string(), z.unknown()).optional(),
      content: content.optional(),
    }),
  ),
});
const methods = ['get', 'head', 'put', 'delete', 'options', 'post', 'patch'] as const;
const documentShape = z.object({
  openapi: z.string().startsWith('3.1.'),
  info: z.object({ title: z.string(), version: z.literal(VERSION) }),
  paths: z.record(z.string(), z.partialRecord(z.enum([...methods, 'parameters']), z.unknown())),
  components: z.looseObject({}),
});

type Api = Awaited<ReturnType<typeof startApi>>;

interface Documented {
  method: string;
  path: string;
  operation: z.infer<typeof operation>;
}

async function documentOf(api: Api) {
  const document = documentShape.parse(await (await api.call('/api/openapi.json')).json());
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): Documented[] =>
      item[method] === undefined
        ? []
        : [{ method: method.toUpperCase(), path, operation: operation.parse(item[method]) }],
    ),
  );
  return { document, operations };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Reads one response as raw bytes, so that HEAD and invalid HTTP are covered too. */
function parsed(text: string, method: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  let body = rest.join('\r\n\r\n');
  if (headers['transfer-encoding'] === 'chunked' && method !== 'HEAD') {
    body = body.replaceAll(/(?:^|\r\n)[\da-f]+\r\n/g, '').replace(/\r\n$/, '');
  }
  return { status: Number(first.split(' ')[1]), headers, body };
}

interface Sent {
  path?: string;
  headers?: string[];
  body?: string;
  /** Replaces the whole request. */
  text?: string;
  /** Of a response without an end: it has been received when this is in it. */
  until?: string;
}

test('the document matches the server: everything documented occurs, and vice versa', async () => {
  const api = await startApi({
    settings: { 'events.apiKey': 'the-right-key' },
    limits: { lists: 1, headersMs: 2_000, requestMs: 2_000, checkMs: 20 },
    events: 20,
  });
  const host = new URL(api.url()).host;
  const key = 'X-API-Key: the-right-key';
  api.settings.update({ 'events.apiKey': '' });
  const { document, operations } = await documentOf(api);
  api.settings.update({ 'events.apiKey': 'the-right-key' });

  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'doc', components: document.components });
  const validator = (schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/')));

  const seen = new Set<string>();
  const complaints: string[] = [];
  /** The undocumented parts of the response. */
  const complaintOf = ({ method, path, operation: { responses } }: Documented, reply: Answer): string | null => {
    const what = `${method} ${path} ${reply.status}`;
    const response = responses[reply.status];
    seen.add(what);
    if (!response) return `${what} is not documented: ${reply.body}`;
    for (const name of Object.keys(response.headers ?? {})) {
      if (reply.headers[name.toLowerCase()] !== undefined) seen.add(`${what} header ${name}`);
    }
    if (method === 'HEAD' || reply.status === 204 || reply.status === 304) {
      if (response.content !== undefined) return `${what} is documented with a body`;
      // Until all its headers are read, a request is not known to be a HEAD.
      return reply.body === '' || [400, 408, 431].includes(reply.status) ? null : `${what} has a body`;
    }
    const type = reply.headers['content-type']?.split(';')[0] ?? '';
    const media = response.content?.[type];
    if (!media) return `${what} answers ${type}, which is not documented`;
    seen.add(`${what} ${type}`);
    const validate = validator(media.schema);
    for (const text of type === 'application/x-ndjson' ? reply.body.trim().split('\n') : [reply.body]) {
      const isText = type === 'text/html' || type === 'text/event-stream';
      const value: unknown = isText ? text : JSON.parse(text);
      if (!validate(value)) return `${what}: ${ajv.errorsText(validate.errors)} in ${text}`;
    }
    const repeated = type !== 'application/problem+json' || reply.body.includes(`"status":${reply.status},`);
    return repeated ? null : `${what}: its problem names another status: ${reply.body}`;
  };
  const send = async (documented: Documented, { path, headers = [], body = '', text, until }: Sent) => {
    const { method } = documented;
    const target = path ?? documented.path.replace('{aggregationEventId}', '1');
    const lines = [...headers, ...(body === '' ? [] : [`Content-Length: ${body.length}`]), 'Connection: close'];
    const hosts = headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: ${host}`];
    const request = text ?? `${method} ${target} HTTP/1.1\r\n${[...hosts, ...lines].join('\r\n')}\r\n\r\n${body}`;
    const reply = await raw(
      api.url(),
      request,
      until === undefined ? {} : { until: (received) => received.includes(until) },
    );
    const complaint = complaintOf(documented, parsed(reply, method));
    if (complaint !== null) complaints.push(complaint);
  };
  const find = (id: string) => {
    const found = operations.find((documented) => documented.operation.operationId === id);
    if (!found) throw new Error(`${id} is not documented`);
    return found;
  };

  // The responses of every operation.
  const json = 'Content-Type: application/json';
  const body = '{"Active": false}';
  for (const documented of operations) {
    const put = documented.method === 'PUT' ? { body } : {};
    const right = documented.method === 'PUT' ? [key, json] : [key];
    await send(documented, { ...put });
    await send(documented, { ...put, headers: [...right, 'Host: evil.example'] });
    await send(documented, { ...put, headers: [...right, 'Origin: http://evil.example'] });
    await send(documented, { ...put, headers: [...right, `X-Large: ${'x'.repeat(20_000)}`] });
    await send(documented, { text: `${documented.method} ${documented.path} HTTP/1.1\r\nHost : x\r\n\r\n` });
    await send(documented, { text: `${documented.method} / HTTP/1.1\r\nHost: ${host}\r\n` });
    if (documented.method !== 'DELETE') await send(documented, { ...put, headers: right });
  }

  // Lists.
  for (const id of ['listEvents', 'headEvents']) {
    const list = find(id);
    const { headers } = await api.call('/api/events', { headers: { 'X-API-Key': 'the-right-key' } });
    await send(list, { headers: [key, `If-None-Match: ${headers.get('etag')}`] });
    await send(list, { path: '/api/events?limit=5', headers: [key, 'Prefer: wait=1'] });
    // The list before may still have the only place.
    const whole = `${list.method} /api/events 200`;
    seen.delete(whole);
    for (let tried = 0; tried < 50 && !seen.has(whole); tried += 1)
      await send(list, { headers: [key, 'Accept: application/x-ndjson'] });
    await send(list, { path: '/api/events?limit=5', headers: [key] });
    await send(list, { path: '/api/events?limit=none', headers: [key] });
    const until = list.method === 'GET' ? { until: 'event: created' } : {};
    await send(list, { headers: [key, 'Accept: text/event-stream'], ...until });
    // A HEAD opens a list only for a page, whose Link it has.
    api.source.failNext = new Error('a fault');
    await send(list, { path: '/api/events?limit=5', headers: [key] });
    api.source.failNext = new TagwrightError('UNAVAILABLE', 'The workspace is closed.');
    await send(list, { path: '/api/events?limit=5', headers: [key] });
  }

  // One event.
  const faults = [
    new Error('a fault'),
    new TagwrightError('UNAVAILABLE', 'The workspace is closed.'),
    new TagwrightError('STORAGE_FULL', 'The disk is full.'),
  ];
  for (const id of ['getEvent', 'headEvent', 'putEvent', 'deleteEvent']) {
    const one = find(id);
    const sent: Sent = one.method === 'PUT' ? { headers: [key, json], body } : { headers: [key] };
    for (const path of ['/api/events/0x1', '/api/events/999']) await send(one, { ...sent, path });
    for (const fault of one.method === 'GET' || one.method === 'HEAD' ? faults.slice(0, 2) : faults) {
      api.source.failNext = fault;
      await send(one, sent);
    }
    if (one.method === 'DELETE') await send(one, sent);
  }
  const put = find('putEvent');
  await send(put, { headers: [key, json], body: '[]', path: '/api/events/2' });
  await send(put, { headers: [key, 'Content-Type: text/plain'], body });
  await send(put, { headers: [key, json], body: 'x'.repeat(70_000) });

  expect(complaints).toEqual([]);

  // Every documented status, media type and header has occurred.
  const documented = operations.flatMap(({ method, path, operation: { responses } }) =>
    Object.entries(responses).flatMap(([status, { content: types = {}, headers = {} }]) =>
      [
        '',
        ...Object.keys(types).map((type) => ` ${type}`),
        ...Object.keys(headers).map((name) => ` header ${name}`),
      ].map((part) => `${method} ${path} ${status}${part}`),
    ),
  );
  expect(documented.length).toBeGreaterThan(120);
  expect(documented.filter((what) => !seen.has(what))).toEqual([]);
});

test('the documented parameters are those the server reads, within documented limits', async () => {
  const api = await startApi();
  const { operations } = await documentOf(api);
  const list = operations.find(({ operation: { operationId } }) => operationId === 'listEvents');
  const schemas = z.array(
    z.object({
      name: z.string(),
      in: z.string(),
      schema: z.object({
        type: z.string(),
        minimum: z.int().optional(),
        maximum: z.int().optional(),
        enum: z.array(z.string()).optional(),
      }),
    }),
  );
  const inQuery = schemas.parse(list?.operation.parameters).filter((parameter) => parameter.in === 'query');
  expect(inQuery.map(({ name }) => name)).toEqual(['limit', 'after', 'ruleId', 'from', 'to', 'active']);
  const wanted = inQuery.flatMap(
    ({ name, schema: { type, minimum, maximum, enum: values } }): [string, string, number][] => {
      if (values) return values.map((value) => [name, value, 200]);
      if (type === 'string') return [[name, '2026-01-01T00:00:00Z', 200]];
      const [low, high] = [BigInt(minimum ?? 0), BigInt(maximum ?? 0)];
      return [
        [name, `${low}`, 200],
        [name, `${high}`, 200],
        [name, `${low - 1n}`, 400],
        [name, `${high + 1n}`, 400],
      ];
    },
  );
  const found = await Promise.all(
    wanted.map(async ([name, value]) => [name, value, (await api.call(`/api/events?${name}=${value}`)).status]),
  );
  expect(found).toEqual(wanted);
  expect(wanted).toHaveLength(17);
});

test('methods that are not documented are not allowed', async () => {
  const api = await startApi();
  const { operations, document } = await documentOf(api);
  for (const path of Object.keys(document.paths)) {
    const allowed = operations.filter((documented) => documented.path === path).map(({ method }) => method);
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'].filter((name) => !allowed.includes(name))) {
      const reply = await api.call(path.replace('{aggregationEventId}', '1'), { method });
      expect([path, method, reply.status, reply.headers.get('allow')]).toEqual([path, method, 405, allowed.join(', ')]);
    }
  }
});

test('the reference page is self-contained, with every operation and problem', async () => {
  const api = await startApi();
  const reply = await api.call('/api/docs');
  const page = await reply.text();
  expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\(|javascript:/i);
  expect(page.match(/https?:\/\/[^\s<"]+/g)?.every((url) => url.startsWith(new URL(reply.url).origin))).toBe(true);
  expect(reply.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  for (const text of [
    'GET /api/events',
    'PUT /api/events/{aggregationEventId}',
    'ResultTableRecordId',
    'id="problem-not-json"',
  ]) {
    expect(page).toContain(text);
  }
});
