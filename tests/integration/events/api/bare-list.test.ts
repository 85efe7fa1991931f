import { once } from 'node:events';
import { get } from 'node:http';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildWhenStale } from '../../../../resources/bin/build-when-stale.mjs';
import { NEW_WEBHOOK } from '#domain/event/webhook';
import { ROOT } from '../../../support/product/product.ts';
import { startInstance } from '../../../support/product/served-instance.ts';
import { raw } from '../../../unit/events/api/start-api.ts';

beforeAll(async () => {
  const problem = await buildWhenStale(ROOT, process.execPath);
  if (problem !== null) throw new Error(problem);
});

test('a bare list has the same bytes with streams, webhooks and faults', async () => {
  const instance = await startInstance();
  onTestFinished(async () => void (await instance.close()));
  const rpc = await instance.client();
  for (const { id } of await rpc.rules.list()) {
    await rpc.rules.save({ ...(await rpc.rules.get({ id })), enabled: false });
  }
  await rpc.events.createTest({ count: 100 });
  const { host } = new URL(instance.eventsApi);
  const bareList = async () => {
    const text = await raw(
      instance.eventsApi,
      `GET /api/events HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    return text.replace(/^Date: .*\r\n/m, '');
  };
  const before = await bareList();
  expect(before).toMatch(/^HTTP\/1\.1 200 OK\r\n/);

  const send = (path: string, headers: Record<string, string>) => {
    const request = get(`${instance.eventsApi}/api/events${path}`, { headers }).on('error', () => undefined);
    onTestFinished(() => void request.destroy());
    return once(request, 'response');
  };
  const [stream] = await send('', { Accept: 'text/event-stream', 'User-Agent': 'stream' });
  expect(stream.headers['content-type']).toContain('text/event-stream');
  void send('?after=1000000', { Prefer: 'wait=60' }).catch(() => undefined);
  // Nothing listens there.
  await rpc.webhooks.save({ ...NEW_WEBHOOK, name: 'Receiver', url: 'http://127.0.0.1:1/events' });
  const plan = { share: 1, latencyMs: 0, seed: 1, requests: null, seconds: 60 };
  // The program whose request still waits is not listed yet.
  const consumer = await vi.waitFor(async () => {
    const found = (await rpc.consumers.list()).find(({ program }) => program === 'stream');
    expect(found).toBeDefined();
    return found?.name ?? '';
  });
  await rpc.consumers.inject({ ...plan, consumer, faults: ['500'] });

  expect(await bareList()).toBe(before);
});
