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
import type { MaybePromise } from '../platform/maybe-promise.ts';
import type { FaultLog } from './errors.ts';

/** What a transport has to be: it sends, it receives, it ends. Everything else is the same for all of them. */
export interface Channel {
  /**
   * Sends one message. A promise that settles when the message has left this process makes streams wait for the
   * reader: the next value is taken from a stream when the one before is gone.
   */
  send(message: EncodedMessage): MaybePromise<void>;
  onMessage(listener: (message: EncodedMessage) => void): void;
  onClose(listener: () => void): void;
  /** Ends the channel because of what its client sent; `reason` is for the client's author. */
  refuse(reason: string): void;
}

/** Why a channel is ended, in the fewest words that help whoever wrote the client. */
const NO_MESSAGE = 'not a message of the Tagwright RPC';

/** Answers what arrives on channels with the procedures of the router. */
export interface Dispatcher {
  /**
   * Serves a channel until it closes: then its running calls are aborted and its streams ended.
   *
   * @returns does the same at once, for channels that do not tell when this side closes them
   */
  serve(channel: Channel): () => void;
}

export function createDispatcher(router: AnyRouter, log: FaultLog): Dispatcher {
  const handle = createServerPeerHandleRequestFn(new StandardRPCHandler(router), {});
  return {
    serve(channel) {
      let closed = false;
      const peer = new ServerPeer(async (message) => {
        const [id, type, payload] = message;
        let text: EncodedMessage;
        try {
          text = await encodeResponseMessage(id, type, payload);
        } catch (fault) {
          // Larger than any text can be: whoever asked is told so, and not left to wait.
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
          // What fails here is about an answer that the other side did not wait for.
          peer.message(request, handle).catch((fault: unknown) => closed || log('the connection of a client', fault));
          return;
        }
        log('the connection of a client', `it sent what is ${NO_MESSAGE} and was closed`);
        end();
        channel.refuse(NO_MESSAGE);
      };
      // One after another: reading a call takes longer than reading that it is given up, which would come first.
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
    message: 'The answer is too large to be sent. Ask for less at once.',
    data: {},
  });
  const body = { json: { ...error.toJSON(), defined: true } };
  return type === MessageType.RESPONSE
    ? encodeResponseMessage(id, type, { status: error.status, headers: {}, body })
    : encodeResponseMessage(id, MessageType.EVENT_ITERATOR, { event: 'error', data: body });
}
