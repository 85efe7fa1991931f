import { MessageChannel } from 'node:worker_threads';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { RouterClient } from '@orpc/server';
import { os } from '@orpc/server';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatcher } from '../../../src-main/rpc/dispatcher.ts';
import { portChannel } from '../../../src-main/rpc/port.ts';

/** Like JSON.stringify for a result that exceeds the longest text. */
class Endless {
  toJSON(): string {
    throw new RangeError('Invalid string length');
  }
}

const router = {
  whole: os.handler(() => new Endless()),
  parts: os.handler(async function* () {
    yield 'first';
    yield new Endless();
    yield 'never seen';
  }),
  small: os.handler(() => 'well'),
};

function open() {
  const { port1, port2 } = new MessageChannel();
  const faults: unknown[] = [];
  createDispatcher(router, (_, fault) => faults.push(fault)).serve(portChannel(port1), { by: 'person' });
  const client = createORPCClient<RouterClient<typeof router>>(new RPCLink({ port: port2 }));
  port2.start();
  onTestFinished(() => port2.close());
  return { client, faults };
}

test('a response too large to send is an error for its caller; the next call works', async () => {
  const { client, faults } = open();
  const error = await client.whole().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ORPCError);
  expect(error).toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('too large to be sent') });
  expect(faults).toEqual([new RangeError('Invalid string length')]);
  expect(await client.small()).toBe('well');
});

test('a value of a stream that is too large ends the stream with an error', async () => {
  const { client } = open();
  const seen: unknown[] = [];
  const reading = async () => {
    for await (const part of await client.parts()) seen.push(part);
  };
  await expect(reading()).rejects.toThrow('too large to be sent');
  expect(seen).toEqual(['first']);
  expect(await client.small()).toBe('well');
});
