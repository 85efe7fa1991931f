import { createServer } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenOnLoopback } from '../../../../src-main/platform/http/loopback.ts';
import { type FarRequest, rawRemoteServer, remoteServer } from '../../../support/services/remote-server.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { TABLE, testWebhooks, wiredWebhooks } from './wired-webhooks.ts';

const FAST = [20, 20, 20];
const WAIT = { timeout: 60_000, interval: 20 };

const folder = () => join(temporaryFolder(), 'plant');
const headersOf = ({ headers }: FarRequest) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
const idOf = (request: FarRequest) => headersOf(request)['webhook-id'];

test('every change arrives, signed, with the event and its data row', async () => {
  const far = await remoteServer((_, response) => response.writeHead(204).end());
  const { webhooks, events, fire, add, faults } = testWebhooks(folder());
  await fire();
  const { webhook, secret } = await add(`${far.base}/hook?x=1`);
  webhooks.start();
  const [id = 0] = await fire();
  await events.setActive(id, false);
  await events.setActive(id, true);
  await events.delete(id);
  await expect.poll(() => far.requests.length, WAIT).toBe(4);
  const verified = far.requests.map((request) => new Webhook(secret).verify(request.body, headersOf(request)));
  const ordered = verified.toSorted((a, b) => sequenceOf(a) - sequenceOf(b));
  expect(ordered.map((message) => (message as { type: string }).type)).toEqual([
    'event.created',
    'event.disabled',
    'event.reactivated',
    'event.deleted',
  ]);
  expect(ordered[0]).toMatchObject({
    data: {
      AggregationEventId: id,
      RuleId: 1,
      event: { AggregationEventId: id, Active: true, ResultTableName: TABLE },
      row: { id: 2, mean: 1.5 },
    },
  });
  expect(ordered[1]).toMatchObject({ data: { event: { Active: false } } });
  expect(far.requests[0]).toMatchObject({ method: 'POST', url: '/hook?x=1' });
  expect(headersOf(far.requests[0] ?? fail())).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Tagwright/1.0.0',
  });
  await expect
    .poll(() => webhooks.log({}).deliveries.map(({ state }) => state), WAIT)
    .toEqual(Array.from({ length: 4 }, () => 'delivered'));
  expect(webhooks.list().webhooks[0]).toMatchObject({ id: webhook.id, pending: 0, problem: null });
  expect(faults).toEqual([]);
});

const sequenceOf = (message: unknown) => (message as { data: { sequence: number } }).data.sequence;
const fail = (): never => {
  throw new Error('there is no request');
};

test('a webhook gets the changes and rules that it wants, thin or as CloudEvents', async () => {
  const far = await remoteServer((_, response) => response.end());
  const { webhooks, events, fire, add } = testWebhooks(folder());
  await add(`${far.base}/thin`, { content: 'thin', ruleIds: [2], changes: ['created'] });
  await add(`${far.base}/cloud`, { format: 'cloudevents', changes: ['disabled'] });
  webhooks.start();
  const [first = 0] = await fire(1, 1);
  const [second = 0] = await fire(1, 2);
  await events.setActive(first, false);
  await expect.poll(() => far.requests.length, WAIT).toBe(2);
  const thin = far.requests.find(({ url }) => url === '/thin') ?? fail();
  expect(JSON.parse(thin.body)).toEqual({
    type: 'event.created',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: { sequence: expect.any(Number), AggregationEventId: second, RuleId: 2 },
  });
  const cloud = far.requests.find(({ url }) => url === '/cloud') ?? fail();
  expect(headersOf(cloud)['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  expect(JSON.parse(cloud.body)).toMatchObject({
    specversion: '1.0',
    id: idOf(cloud),
    source: '/api/events',
    type: 'tagwright.event.disabled',
    subject: String(first),
    datacontenttype: 'application/json',
    data: { AggregationEventId: first, event: { Active: false }, row: { mean: 1.5 } },
  });
});

test('a failed delivery is retried with the same id and body until it succeeds', async () => {
  let responses = 0;
  const far = await remoteServer((_, response) => {
    responses += 1;
    response.writeHead(responses < 3 ? 500 : 200).end('answer');
  });
  const { webhooks, fire, add, events } = testWebhooks(folder(), { delays: FAST });
  await add(far.base);
  webhooks.start();
  const [id = 0] = await fire();
  await expect.poll(() => webhooks.log({}).deliveries[0]?.state, WAIT).toBe('delivered');
  expect(far.requests).toHaveLength(3);
  expect(new Set(far.requests.map(idOf)).size).toBe(1);
  expect(new Set(far.requests.map(({ body }) => body)).size).toBe(1);
  const [delivery] = webhooks.log({}).deliveries;
  expect(delivery).toMatchObject({ attempts: 3, status: 200, eventId: id, nextAttemptAt: null });
  const details = webhooks.delivery({ id: delivery?.id ?? 0 });
  expect(details.response).toMatchObject({ body: 'answer', bytes: 6 });
  expect(details.request.headers.map(([name]) => name)).toContain('webhook-signature');
  expect(details.request.body).toBe(far.requests[0]?.body);
  expect(events.get(id)?.Active).toBe(true);
});

test('after the last attempt a delivery has failed, and can be sent again with its id', async () => {
  let status = 404;
  const far = await remoteServer((_, response) => response.writeHead(status).end());
  const { webhooks, fire, add } = testWebhooks(folder(), { delays: FAST });
  await add(far.base);
  webhooks.start();
  await fire();
  await expect.poll(() => webhooks.log({}).deliveries[0]?.state, WAIT).toBe('failed');
  const [failed] = webhooks.log({}).deliveries;
  expect(failed).toMatchObject({ attempts: 4, status: 404 });
  expect(webhooks.list().webhooks[0]).toMatchObject({ enabled: true, problem: 'The last response had status 404.' });
  status = 200;
  expect(await webhooks.resend({ id: failed?.id ?? 0 })).toMatchObject({
    state: 'delivered',
    attempts: 5,
    status: 200,
  });
  expect(new Set(far.requests.map(idOf)).size).toBe(1);
  expect(webhooks.list().webhooks[0]?.problem).toBeNull();
});

test('410 disables the webhook, and enabling it continues with what has changed since', async () => {
  let status = 410;
  const far = await remoteServer((_, response) => response.writeHead(status).end());
  const { webhooks, fire, add } = testWebhooks(folder(), { delays: FAST });
  const { webhook } = await add(far.base);
  webhooks.start();
  await fire();
  await expect.poll(() => webhooks.list().webhooks[0]?.enabled, WAIT).toBe(false);
  expect(webhooks.list().webhooks[0]?.problem).toContain('410');
  expect(webhooks.log({}).deliveries).toMatchObject([{ state: 'failed', status: 410, attempts: 1 }]);
  const [missed] = await fire();
  status = 200;
  await webhooks.save({ ...webhook, enabled: true });
  await expect.poll(() => webhooks.log({}).deliveries[0]?.state, WAIT).toBe('delivered');
  expect(webhooks.log({}).deliveries[0]?.eventId).toBe(missed);
  expect(far.requests).toHaveLength(2);
});

test('a pause that a receiver asked for lasts across a restart', async () => {
  let seconds = '3600';
  const far = await remoteServer((_, response) => response.writeHead(503, { 'Retry-After': seconds }).end());
  const directory = folder();
  const before = wiredWebhooks(directory, { delays: FAST });
  await before.add(far.base);
  before.webhooks.start();
  await before.fire();
  await expect.poll(() => before.webhooks.log({}).deliveries[0]?.attempts, WAIT).toBe(1);
  await before.close();
  const { webhooks, fire } = testWebhooks(directory, { delays: FAST });
  webhooks.start();
  await fire();
  await expect.poll(() => webhooks.list().webhooks[0]?.pending, WAIT).toBe(2);
  // The turn that collects the new delivery also sends due ones.
  expect(webhooks.log({}).deliveries.map(({ attempts }) => attempts)).toEqual([0, 1]);
  expect(far.requests).toHaveLength(1);
  // Saving forgets the pause.
  seconds = '0';
  const webhook = webhooks.list().webhooks[0] ?? fail();
  await webhooks.save({ ...webhook });
  await expect.poll(() => far.requests.length, WAIT).toBeGreaterThan(1);
});

test('429 with Retry-After pauses the whole webhook', async () => {
  const far = await remoteServer((_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end());
  const { webhooks, fire, add, store } = testWebhooks(folder(), { delays: FAST });
  const { webhook } = await add(far.base);
  webhooks.start();
  await fire();
  await expect.poll(() => webhooks.log({}).deliveries[0]?.attempts, WAIT).toBe(1);
  const next = Date.parse(webhooks.log({}).deliveries[0]?.nextAttemptAt ?? '') - store.clock.now();
  expect(next).toBeGreaterThan(3_500_000);
  expect(next).toBeLessThanOrEqual(3_600_000);
  await fire();
  await expect.poll(() => webhooks.list().webhooks[0]?.pending, WAIT).toBe(2);
  // The turn that collects the new delivery also sends due ones.
  expect(webhooks.log({}).deliveries.map(({ attempts }) => attempts)).toEqual([0, 1]);
  expect(far.requests).toHaveLength(1);
  // Saving forgets the pause.
  await webhooks.save({ ...webhook });
  await expect.poll(() => far.requests.length, WAIT).toBe(2);
});

test('a redirect is a failure and is not followed', async () => {
  const other = await remoteServer((_, response) => response.end());
  const far = await remoteServer((_, response) => response.writeHead(307, { Location: `${other.base}/inside` }).end());
  const { webhooks, add } = testWebhooks(folder());
  const { webhook } = await add(far.base);
  expect(await webhooks.test({ id: webhook.id })).toMatchObject({ state: 'failed', status: 307 });
  expect(other.requests).toEqual([]);
});

test('hosts that API calls may not reach get nothing', async () => {
  const far = await remoteServer((_, response) => response.end());
  const { webhooks, add, settings } = testWebhooks(folder(), { settings: { 'api.allowedHosts': ['example.com'] } });
  const { webhook } = await add(far.base);
  const refused = await webhooks.test({ id: webhook.id });
  expect(refused).toMatchObject({ state: 'failed', status: null, response: null });
  expect(refused.error).toContain('HostNotAllowed');
  expect(far.requests).toEqual([]);
  settings['api.allowedHosts'] = ['127.0.0.1'];
  expect(await webhooks.test({ id: webhook.id })).toMatchObject({
    state: 'delivered',
    status: 200,
    type: 'webhook.test',
  });
  settings['api.mode'] = 'offline';
  await expect(webhooks.test({ id: webhook.id })).rejects.toThrow('API calls are offline');
});

test('a webhook cannot reach a port of its own instance, unless the setting allows it', async () => {
  const received: string[] = [];
  const own = createServer((request, response) => {
    received.push(request.url ?? '');
    response.end();
  });
  const port = await listenOnLoopback(own, 0);
  onTestFinished(() => void own.close());
  const { webhooks, add, settings } = testWebhooks(folder());
  for (const host of ['127.0.0.1', 'localhost']) {
    const { webhook } = await add(`http://${host}:${port}`);
    const refused = await webhooks.test({ id: webhook.id });
    expect(refused).toMatchObject({ state: 'failed', error: expect.stringContaining('OwnPortRefused') });
  }
  expect(received).toEqual([]);
  settings['api.allowOwnPorts'] = true;
  expect(await webhooks.test({ id: 1 })).toMatchObject({ state: 'delivered' });
  expect(received).toEqual(['/']);
});

test('the log keeps the newest ended deliveries, and drops old ones', async () => {
  const { webhooks, add, store } = testWebhooks(folder());
  const { webhook } = await add('https://example.com');
  const now = store.clock.now();
  const delivery = {
    webhookId: webhook.id,
    type: 'event.created',
    eventId: 1,
    error: null,
    requestBody: '{}',
  } as const;
  await store.commits.run(() => {
    for (let n = 1; n <= 20; n += 1) {
      const ended = { state: 'delivered', nextMs: null } as const;
      store.webhooks.addDelivery({ ...delivery, ...ended, messageId: `msg_${n}`, atMs: now - (n <= 5 ? 10_000 : 0) });
    }
    store.webhooks.addDelivery({
      ...delivery,
      messageId: 'msg_waits',
      state: 'pending',
      nextMs: now,
      atMs: now - 10_000,
    });
    store.webhooks.trim(webhook.id, { before: now - 5_000, keep: 10 });
  });
  expect(webhooks.log({}).deliveries.map(({ messageId }) => messageId)).toEqual([
    'msg_waits',
    ...Array.from({ length: 10 }, (_, n) => `msg_${20 - n}`),
  ]);
});

test('a receiver that never responds times out, and others are not delayed', async () => {
  const silent = await rawRemoteServer(() => undefined);
  const slow = await rawRemoteServer((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1'));
  const far = await remoteServer((_, response) => response.end());
  const { webhooks, fire, add } = testWebhooks(folder(), { settings: { 'api.timeoutMs': 5_000 }, delays: [3_600_000] });
  const [first, second, third] = [await add(silent), await add(slow), await add(far.base)];
  webhooks.start();
  await fire(20);
  await expect.poll(() => far.requests.length, WAIT).toBe(20);
  const errorOf = ({ webhook }: { webhook: { id: number } }) =>
    webhooks.log({ webhookId: webhook.id }).deliveries.find(({ attempts }) => attempts > 0)?.error ?? '';
  await expect.poll(() => errorOf(first), WAIT).toContain('Timeout');
  await expect.poll(() => errorOf(second), WAIT).toContain('Timeout');
  await expect.poll(() => webhooks.list().webhooks.find(({ id }) => id === third.webhook.id)?.pending, WAIT).toBe(0);
});

test('a connection that is reset is retried, and a huge response is cut', async () => {
  let calls = 0;
  const base = await rawRemoteServer((socket) => {
    socket.once('data', () => {
      calls += 1;
      if (calls === 1) {
        socket.resetAndDestroy();
        return;
      }
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000000000\r\n\r\n');
      socket.write('x'.repeat(2_000_000));
    });
  });
  const { webhooks, fire, add, faults } = testWebhooks(folder(), { delays: FAST });
  await add(base);
  webhooks.start();
  await fire();
  await expect.poll(() => webhooks.log({}).deliveries[0]?.state, WAIT).toBe('delivered');
  const { response, attempts } = webhooks.delivery({ id: webhooks.log({}).deliveries[0]?.id ?? 0 });
  expect(attempts).toBe(2);
  expect(response?.body?.length).toBeLessThanOrEqual(16_384);
  expect(response?.bytes).toBe(65_536);
  expect(faults).toEqual([]);
});

test('a compressed response is not decompressed', async () => {
  const far = await remoteServer((_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(Buffer.from('no gzip at all'));
  });
  const { webhooks, add } = testWebhooks(folder());
  const { webhook } = await add(far.base);
  expect(await webhooks.test({ id: webhook.id })).toMatchObject({ state: 'delivered', status: 200 });
});

test('after a rotation both secrets verify until the overlap ends', async () => {
  const far = await remoteServer((_, response) => response.end());
  const { webhooks, add } = testWebhooks(folder());
  const { webhook, secret: old } = await add(far.base);
  const { secret, webhook: rotated } = await webhooks.rotate({ id: webhook.id, overlapHours: 24 });
  expect(rotated.oldSecretUntil).not.toBeNull();
  await webhooks.test({ id: webhook.id });
  const [first] = far.requests;
  for (const one of [old, secret]) new Webhook(one).verify(first?.body ?? '', headersOf(first ?? fail()));
  const { secret: newest } = await webhooks.rotate({ id: webhook.id, overlapHours: 0 });
  await webhooks.test({ id: webhook.id });
  const [, second] = far.requests;
  new Webhook(newest).verify(second?.body ?? '', headersOf(second ?? fail()));
  expect(() => new Webhook(secret).verify(second?.body ?? '', headersOf(second ?? fail()))).toThrow('No matching');
  expect(JSON.stringify([webhooks.list(), webhooks.log({})])).not.toContain('whsec_');
});

test('a webhook that is disabled while it retries sends nothing until it is enabled', async () => {
  let status = 500;
  const far = await remoteServer((_, response) => response.writeHead(status).end());
  const { webhooks, fire, add } = testWebhooks(folder(), { delays: [3_600_000] });
  const { webhook } = await add(far.base);
  webhooks.start();
  await fire();
  await expect.poll(() => webhooks.log({}).deliveries[0]?.attempts, WAIT).toBe(1);
  await webhooks.save({ ...webhook, enabled: false });
  status = 200;
  await fire();
  expect(webhooks.log({}).deliveries).toMatchObject([{ state: 'pending', attempts: 1 }]);
  await webhooks.save({ ...webhook, enabled: true });
  await expect
    .poll(() => webhooks.log({}).deliveries.map(({ state }) => state), WAIT)
    .toEqual(['delivered', 'delivered']);
  expect(far.requests).toHaveLength(3);
});

test('a clock that is set back does not delay what waits', async () => {
  let status = 503;
  const far = await remoteServer((_, response) => response.writeHead(status, { 'Retry-After': '3600' }).end());
  const { webhooks, fire, add } = testWebhooks(folder(), { delays: [1_000] });
  await add(far.base);
  const [real, now] = [Date.now(), vi.spyOn(Date, 'now')];
  onTestFinished(() => now.mockRestore());
  now.mockReturnValue(real + 86_400_000);
  webhooks.start();
  await fire();
  await expect.poll(() => webhooks.log({}).deliveries[0]?.attempts, WAIT).toBe(1);
  now.mockRestore();
  status = 200;
  await fire();
  await expect
    .poll(() => webhooks.log({}).deliveries.map(({ state }) => state), WAIT)
    .toEqual(['delivered', 'delivered']);
});

test('changes that the feed no longer has are an entry of the log', async () => {
  const far = await remoteServer((_, response) => response.end());
  const { webhooks, fire, add, events } = testWebhooks(folder());
  const { webhook } = await add(far.base);
  await fire(10);
  await events.expireChanges({ before: Number.POSITIVE_INFINITY, keep: 0 }, () => true);
  const [last] = await fire();
  webhooks.start();
  await expect.poll(() => far.requests.length, WAIT).toBe(1);
  const { deliveries } = webhooks.log({ webhookId: webhook.id });
  expect(deliveries.map(({ state, eventId }) => [state, eventId])).toEqual([
    [expect.stringMatching(/pending|delivered/), last],
    ['gap', null],
  ]);
  expect(deliveries[1]?.error).toContain('Changes 1 to 10 were not sent');
  await expect(webhooks.resend({ id: deliveries[1]?.id ?? 0 })).rejects.toThrow('A gap has no message');
});

test('waiting deliveries are bounded: further changes stay in the feed', async () => {
  let status = 503;
  const far = await remoteServer((_, response) => response.writeHead(status).end());
  // None of them is given up, however long the test takes.
  const { webhooks, fire, add } = testWebhooks(folder(), { delays: Array.from({ length: 500 }, () => 3_000) });
  await add(far.base);
  webhooks.start();
  await fire(1_500);
  await expect.poll(() => webhooks.list().webhooks[0]?.pending, WAIT).toBe(1_000);
  const seq = webhooks.list().webhooks[0]?.seq ?? 0;
  expect(seq).toBe(1_000);
  status = 200;
  await expect.poll(() => webhooks.list().webhooks[0]?.seq, WAIT).toBe(1_500);
  await expect.poll(() => webhooks.list().webhooks[0]?.pending, WAIT).toBe(0);
});

test('invalid webhooks are rejected, and a save from an old state is a conflict', async () => {
  const { webhooks, add } = testWebhooks(folder());
  for (const url of ['', 'ftp://example.com', 'example.com', 'https://user:pass@example.com']) {
    await expect(add(url)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  await expect(add('https://example.com', { changes: [] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const { webhook } = await add('https://example.com/a');
  await expect(
    webhooks.save({ ...webhook, url: 'https://example.com/b', baseSavedAt: '2020-01-01T00:00:00.000Z' }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(webhooks.save({ ...webhook, id: undefined, secret: 'whsec_c2hvcnQ=' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await webhooks.delete({ id: webhook.id });
  await expect(webhooks.delete({ id: webhook.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(webhooks.list().webhooks).toEqual([]);
});
