import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { EventStreamClient } from '../../../support/hub/event-stream.ts';
import { eventOf } from './fake-event-source.ts';
import { startApi } from './start-api.ts';

async function open(url: string, query = '', lastId = '') {
  const client = await EventStreamClient.open(`${url}/api/events${query}`, lastId);
  onTestFinished(() => client.close());
  return client;
}

test('a client that does not read is dropped, and the others get everything', async () => {
  const api = await startApi({ events: 0, limits: { stallMs: 100 } });
  const { port, host } = new URL(api.url());
  const slow = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void slow.destroy());
  await once(slow, 'connect');
  slow.on('error', () => {});
  slow.pause();
  slow.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`);
  const client = await open(api.url());
  const name = 'x'.repeat(100_000);
  let id = 0;
  const dropped = async () => {
    for (let n = 0; n < 20; n += 1) api.source.add({ ...eventOf((id += 1)), ResultTableName: name });
    await expect.poll(() => client.messages.length).toBe(id);
    return api.service.requests({}).some(({ outcome, status }) => outcome === 'aborted' && status === 200);
  };
  await expect.poll(dropped).toBe(true);
  expect(client.isEnded).toBe(false);
});

test('stopping the API ends the streams', async () => {
  const api = await startApi();
  const client = await open(api.url());
  api.settings.update({ 'events.enabled': false });
  await expect.poll(() => client.isEnded).toBe(true);
});

test('a fault while streaming ends the stream, so that its client reconnects', async () => {
  const api = await startApi({ events: 1 });
  const client = await open(api.url());
  await expect.poll(() => client.messages.length).toBe(1);
  api.source.failNext = new Error('the disk is gone');
  api.source.add(eventOf(2));
  await expect.poll(() => client.isEnded).toBe(true);
  expect(api.logged.join('\n')).toContain('the disk is gone');
  const again = await open(api.url(), '', client.lastId);
  await expect.poll(() => again.changes).toEqual(['created 2']);
});
