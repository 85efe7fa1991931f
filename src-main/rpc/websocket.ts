import type { WebSocket } from 'ws';
import { messageOf } from '../platform/errors.ts';
import type { Channel } from './dispatcher.ts';
import type { FaultLog } from './errors.ts';

/** Maximum size of a message from a client in bytes: an import of some 300,000 tags. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A client that leaves more than this unread is dropped, in bytes; streams wait long before. */
const MAX_UNREAD_BYTES = 4 * MAX_MESSAGE_BYTES;

/** The close code for a client that sent an invalid message: RFC 6455, data that does not match its type. */
const INVALID_PAYLOAD = 1007;

/** A channel over a WebSocket of the `ws` package. */
export function webSocketChannel(socket: WebSocket, log: FaultLog): Channel {
  // Without a listener, an error (a frame over the limit, a reset connection) would end the process; close follows.
  socket.on('error', (error) => log('the connection of a client', messageOf(error)));
  return {
    send: (message) =>
      new Promise((resolve) => {
        // The client has disconnected, which the close event reports.
        if (socket.readyState !== socket.OPEN) return resolve();
        socket.send(message, () => resolve());
        if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
      }),
    onMessage: (listener) => {
      socket.on('message', (data, isBinary) => {
        const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
        listener(isBinary ? bytes : bytes.toString('utf8'));
      });
    },
    onClose: (listener) => {
      socket.on('close', listener);
    },
    refuse: (reason) => socket.close(INVALID_PAYLOAD, reason),
  };
}
