import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '#contract';
import { lenientWire } from '#contract/lenient-wire';
import { TagwrightError } from '../platform/errors.ts';
import { importHeaders } from './client-caller.ts';

/** The contract from a client's point of view, independent of the transport. */
export type InstanceClient = ContractRouterClient<Contract>;

export interface InstanceConnection {
  readonly client: InstanceClient;
  /** Aborts if the connection was lost. */
  readonly lost: AbortSignal;
  close(): void;
}

/** The address of a running instance, and the token for its programs. */
export interface InstanceAddress {
  /** `http://127.0.0.1:PORT` */
  url: string;
  token: string;
}

const OPEN_WITHIN_MS = 5_000;

/**
 * Connects to a running instance over its WebSocket.
 * @param importing the name of the file or folder that the client imports
 * @throws TagwrightError UNAVAILABLE if it does not respond or does not accept the token.
 */
export async function connectInstance(
  { url, token }: InstanceAddress,
  importing?: string,
): Promise<InstanceConnection> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc`, {
    headers: {
      Authorization: `Bearer ${token}`,
      ...importHeaders(importing),
    },
  });
  const opened = Promise.withResolvers<void>();
  const tooLate = setTimeout(() => socket.close(), OPEN_WITHIN_MS);
  const lost = new AbortController();
  let closing = false;
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('close', () => {
    opened.reject(
      new TagwrightError(
        'UNAVAILABLE',
        `The instance of Tagwright that holds this workspace does not respond at ${url}. Try again in a moment; if that fails, restart that instance.`,
      ),
    );
    if (!closing) lost.abort();
  });
  await opened.promise.finally(() => clearTimeout(tooLate));
  return {
    client: createORPCClient<InstanceClient>(new RPCLink({ websocket: lenientWire(socket) })),
    lost: lost.signal,
    close: () => {
      closing = true;
      socket.close();
    },
  };
}
