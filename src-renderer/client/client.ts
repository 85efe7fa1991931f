import { createORPCClient } from '@orpc/client';
import type { ClientContext, ClientOptions } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import KINDS from 'virtual:procedure-kinds';
import type { Contract } from '#contract';
import type { Link, Transport } from '../transport/transport.ts';
import { ConnectionLostError } from './errors.ts';

export type { ConnectionState } from '../transport/transport.ts';

export type Client = ContractRouterClient<Contract>;

type CallOptions = ClientOptions<ClientContext>;

/**
 * The typed client. What it does after a lost connection depends on the kind of the procedure, see `ProcedureKind`: it
 * sends reads again and continues streams of state as soon as there is a connection. Everything else fails with
 * ConnectionLostError and is never sent twice. Streams end when their signal aborts.
 */
export function createClient(transport: Transport): Client {
  const link: Link = {
    call: async (path, input, options) => {
      switch (KINDS[path.join('.')]) {
        case 'read':
          return repeated(transport, path, input, options);
        case 'watch':
          return continued(transport, path, input, options);
        case 'changes':
          return notified(transport, path, input, options);
        default:
          return once(transport, path, input, options);
      }
    },
  };
  return createORPCClient<Client>(link);
}

async function once(transport: Transport, path: readonly string[], input: unknown, options: CallOptions) {
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

async function repeated(transport: Transport, path: readonly string[], input: unknown, options: CallOptions) {
  for (;;) {
    const session = await transport.connected(options.signal);
    try {
      return await session.link.call(path, input, options);
    } catch (error) {
      if (!session.closed.aborted || options.signal?.aborted) throw error;
    }
  }
}

async function* continued(transport: Transport, path: readonly string[], input: unknown, options: CallOptions) {
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

/** Waits for a connection; ends with ConnectionLostError when that one is lost, since notifications may be missed then. */
async function notified(transport: Transport, path: readonly string[], input: unknown, options: CallOptions) {
  const session = await transport.connected(options.signal);
  const lost = () => new ConnectionLostError('The connection was lost. Changes may have been missed.');
  const passOn = async function* (stream: AsyncIterable<unknown>) {
    try {
      yield* stream;
    } catch (error) {
      if (!session.closed.aborted || options.signal?.aborted) throw error;
    }
    if (session.closed.aborted) throw lost();
  };
  try {
    const stream = await session.link.call(path, input, options);
    if (!isStream(stream)) throw new TypeError(`${path.join('.')} did not answer with a stream`);
    return passOn(stream);
  } catch (error) {
    throw session.closed.aborted && !options.signal?.aborted ? lost() : error;
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
