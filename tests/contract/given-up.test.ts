import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { EncodedMessage } from '@orpc/standard-server-peer';
import { expect, test, vi } from 'vitest';
import type { InstanceClient } from '../../src-main/host/instance-client.ts';
import { createDispatcher } from '../../src-main/rpc/dispatcher.ts';
import { createRouter } from '../../src-main/rpc/router.ts';
import { fakeServices } from './fake-services.ts';

/** The messages that a client sends when it does this. */
async function saidBy(acts: ((client: InstanceClient) => void)[]): Promise<EncodedMessage[]> {
  const { port1, port2 } = new MessageChannel();
  const said: EncodedMessage[] = [];
  port1.on('message', (message: EncodedMessage) => said.push(message));
  const client = createORPCClient<InstanceClient>(new RPCLink({ port: port2 }));
  port2.start();
  for (const [place, act] of acts.entries()) {
    act(client);
    await vi.waitFor(() => expect(said).toHaveLength(place + 1));
  }
  port1.close();
  return said;
}

/** A network may deliver messages sent in quick succession as one piece. */
test('calls cancelled right after they were sent are cancelled', async () => {
  const run = new AbortController();
  const watch = new AbortController();
  const context = { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null };
  const options = { signal: run.signal };
  const said = await saidBy([
    (client) => void client.runs.execute({ body: 'wait', context, dryRun: false }, options).catch(() => {}),
    () => run.abort(),
    (client) => void client.tags.watch({ paths: ['A.B.C'] }, { signal: watch.signal }).catch(() => {}),
    () => watch.abort(),
    (client) => void client.app.info().catch(() => {}),
  ]);

  const services = fakeServices();
  const faults: unknown[] = [];
  const responses: EncodedMessage[] = [];
  let hand: (message: EncodedMessage) => void = () => {};
  const end = createDispatcher(
    createRouter(services, () => {}),
    (_, fault) => faults.push(fault),
  ).serve(
    {
      send: (message) => void responses.push(message),
      onMessage: (listener) => (hand = listener),
      onClose: () => {},
      refuse: (reason) => faults.push(reason),
    },
    { by: 'person' },
  );
  for (const message of said) hand(message);
  await vi.waitFor(() => expect(responses).toHaveLength(1));
  await vi.waitFor(() =>
    expect({ running: services.running, watches: services.watches }).toEqual({ running: 0, watches: 0 }),
  );
  expect(faults).toEqual([]);
  end();
});
