import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** A proxy in front of a server that cuts connections. */
export interface CuttingProxy {
  port: number;
  /** Cuts after the nth message to the server: before the server gets it, or when the server responds to it. */
  cutAt: (message: number, when: 'request' | 'response') => void;
  /** Whether it has cut since `cutAt`. */
  hasCut: () => boolean;
  /** Cuts all connections now. */
  cutNow: () => void;
  close: () => void;
}

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let plan: { left: number; when: 'request' | 'response' } | null = null;
  let isCut = false;
  const server = createServer((client) => {
    const upstream = createConnection(target, '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    let isDropping = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (data) => {
      if (plan) plan.left -= 1;
      if (plan && plan.left <= 0) {
        isCut = true;
        if (plan.when === 'request') end();
        else isDropping = true;
        plan = null;
      }
      if (!upstream.destroyed) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isDropping) end();
      else client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutNow = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cutAt: (message, when) => {
      isCut = false;
      plan = { left: message, when };
    },
    hasCut: () => isCut,
    cutNow,
    close: () => {
      cutNow();
      server.close();
    },
  };
}
