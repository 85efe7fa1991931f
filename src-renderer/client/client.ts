import { createORPCClient } from '@orpc/client';
import type { ClientContext, ClientOptions } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '#contract';
import type { Link, Transport } from '../transport/transport.ts';
import { READS, STREAMS } from './calls.ts';
import { ConnectionLostError } from './errors.ts';

export type { ConnectionState } from '../transport/transport.ts';

export type Client = ContractRouterClient<Contract>;

type Options = ClientOptions<ClientContext>;

/**
 * The typed client. After a lost connection, reads are retried and streams continue as soon as there is a connection;
 * all other calls fail with ConnectionLostError and are never sent twice. Streams end when their signal aborts.
 */
export function createClient(transport: Transport): Client {
  const link: Link = {
    call: async (path, input, options) => {
      const name = path.join('.');
      if (STREAMS.has(name)) return continued(transport, path, input, options);
      if (READS.has(name)) return repeated(transport, path, input, options);
      return once(transport, path, input, options);
    },
  };
  return createORPCClient<Client>(link);
}

async function once(transport: Transport, path: readonly string[], input: unknown, options: Options) {
  const session =
    transport.state.get().kind === 'connecting' ? await transport.connected(options.signal) : transport.current();
  if (!session) throw new ConnectionLostError('Not connected to Tagwright. Try again when the connection is back.');
  try {
    return await session.link.call(path, input, options);
  } catch (error) {
    if (session.closed.aborted && !options.signal?.aborted) {
      throw new ConnectionLostError(
        'The connection was lost before the response arrived. Check whether the change took effect before retrying.',
      );
    }
    throw error;
  }
}

async function repeated(transport: Transport, path: readonly string[], input: unknown, options: Options) {
  for (;;) {
    const session = await transport.connected(options.signal);
    try {
      return await session.link.call(path, input, options);
    } catch (error) {
      if (!session.closed.aborted || options.signal?.aborted) throw error;
    }
  }
}

async function* continued(transport: Transport, path: readonly string[], input: unknown, options: Options) {
  for (;;) {
    const session = await transport.connected(options.signal);
    try {
      const stream = await session.link.call(path, input, options);
      if (!isStream(stream)) throw new TypeError(`${path.join('.')} did not return a stream`);
      yield* stream;
      if (!session.closed.aborted) return;
    } catch (error) {
      if (!session.closed.aborted || options.signal?.aborted) throw error;
    }
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
