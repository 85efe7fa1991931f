import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { createRouterClient } from '@orpc/server';
import { startHostServer } from '../../src-main/host/host-server.ts';
import type { InstanceClient } from '../../src-main/host/instance-client.ts';
import { connectInstance } from '../../src-main/host/instance-client.ts';
import { createDispatcher } from '../../src-main/rpc/dispatcher.ts';
import type { FaultLog } from '../../src-main/rpc/errors.ts';
import { portChannel } from '../../src-main/rpc/port.ts';
import { createRouter } from '../../src-main/rpc/router.ts';
import type { Services } from '../../src-main/rpc/services.ts';

export interface OpenTransport {
  client: InstanceClient;
  /** The client disappears without closing, like a reloaded window or a killed command; impossible in process. */
  vanish(): void;
  close(): Promise<void>;
}

export type OpenedBy = (services: Services, log: FaultLog) => Promise<OpenTransport>;

const inProcess: OpenedBy = async (services, log) => {
  const direct: InstanceClient = createRouterClient(createRouter(services, log));
  return { client: direct, vanish: () => {}, close: async () => {} };
};

const webSocket: OpenedBy = async (services, log) => {
  const server = await startHostServer({ router: createRouter(services, log), files: null, port: 0, log });
  const connection = await connectInstance(server);
  return {
    client: connection.client,
    vanish: () => connection.close(),
    close: async () => {
      connection.close();
      await server.close();
    },
  };
};

/** A pair of ports replaces the relay of Electron. */
const ports: OpenedBy = async (services, log) => {
  const { port1, port2 } = new MessageChannel();
  createDispatcher(createRouter(services, log), log).serve(portChannel(port1), { by: 'person' });
  port2.start();
  const client = createORPCClient<InstanceClient>(new PortLink({ port: port2 }));
  return { client, vanish: () => port2.close(), close: async () => port2.close() };
};

/** Transports to another process. */
export const REMOTE_TRANSPORTS: readonly (readonly [string, OpenedBy])[] = [
  ['over WebSocket', webSocket],
  ['over message ports', ports],
];

export const TRANSPORTS: readonly (readonly [string, OpenedBy])[] = [['in process', inProcess], ...REMOTE_TRANSPORTS];
