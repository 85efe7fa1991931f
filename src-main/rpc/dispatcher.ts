import type { AnyRouter } from '@orpc/server';
import { ORPCError } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import type { DecodedResponseMessage, EncodedMessage } from '@orpc/standard-server-peer';
import {
  decodeRequestMessage,
  encodeResponseMessage,
  experimental_ServerPeerWithoutCodec as ServerPeer,
  MessageType,
} from '@orpc/standard-server-peer';
import type { Cause } from '#domain/run/journal';
import { calledBy } from '../platform/caller.ts';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import type { FaultLog } from './errors.ts';

/** A transport only sends, receives and closes. Everything else is shared. */
export interface Channel {
  /**
   * Sends one message. If it returns a promise that settles when the message has left this process, streams wait for
   * the reader: the next value is taken from a stream after the previous one was sent.
   */
  send(message: EncodedMessage): MaybePromise<void>;
  onMessage(listener: (message: EncodedMessage) => void): void;
  onClose(listener: () => void): void;
  /** Closes the channel because of an invalid message; `reason` is for the client's author. */
  refuse(reason: string): void;
}

/** Why a channel is closed, in a few words for the author of the client. */
const NO_MESSAGE = 'not a message of the Tagwright RPC';

/** Responds to messages on channels with the procedures of the router. */
export interface Dispatcher {
  /**
   * Serves a channel until it closes: then its running calls are aborted and its streams ended. What they change has the
   * caller as its cause.
   *
   * @returns does the same at once, for channels that do not report when this side closes them
   */
  serve(channel: Channel, caller: Cause): () => void;
}

export function createDispatcher(router: AnyRouter, log: FaultLog): Dispatcher {
  const handle = createServerPeerHandleRequestFn(new StandardRPCHandler(router), {});
  return {
    serve(channel, caller) {
      let closed = false;
      const peer = new ServerPeer(async (message) => {
        const [id, type, payload] = message;
        let text: EncodedMessage;
        try {
          text = await encodeResponseMessage(id, type, payload);
        } catch (fault) {
          // Larger than the longest text: the caller gets an error instead of waiting.
          await channel.send(await encodedFailure(message));
          throw fault;
        }
        await channel.send(text);
      });
      const end = () => {
        if (closed) return;
        closed = true;
        peer.close();
      };
      const take = async (message: EncodedMessage): Promise<void> => {
        const request = await decodeRequestMessage(message).catch(() => null);
        if (closed) return;
        if (request !== null) {
          // A failure here concerns a response that the other side did not wait for.
          calledBy(caller, () => peer.message(request, handle)).catch(
            (fault: unknown) => closed || log('the connection of a client', fault),
          );
          return;
        }
        log('the connection of a client', `it sent data that is ${NO_MESSAGE}, and was closed`);
        end();
        channel.refuse(NO_MESSAGE);
      };
      // One after another: reading a call takes longer than reading its cancellation, which would overtake it.
      let taken = Promise.resolve();
      channel.onMessage((message) => {
        taken = taken.then(() => take(message));
      });
      channel.onClose(end);
      return end;
    },
  };
}

function encodedFailure([id, type]: DecodedResponseMessage): Promise<EncodedMessage> {
  const error = new ORPCError('INTERNAL', {
    message: 'The response is too large to be sent. Request less at once.',
    data: {},
  });
  const body = { json: { ...error.toJSON(), defined: true } };
  return type === MessageType.RESPONSE
    ? encodeResponseMessage(id, type, { status: error.status, headers: {}, body })
    : encodeResponseMessage(id, MessageType.EVENT_ITERATOR, { event: 'error', data: body });
}
