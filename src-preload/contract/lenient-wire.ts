/** The part of a WebSocket that oRPC works with. */
type Wire = Pick<WebSocket, 'addEventListener' | 'removeEventListener' | 'send' | 'readyState'>;

/**
 * A socket to which things may still be sent while it closes and afterwards: they go nowhere, and whoever waits for an
 * answer learns from `close` that there is none. oRPC fails otherwise, also where nobody hears of it: when a call that
 * nobody waits for any more is to be ended on the far side. `close` must be heard only once by others than oRPC.
 */
export function lenientWire(socket: WebSocket): Wire {
  return {
    readyState: WebSocket.OPEN,
    addEventListener: socket.addEventListener.bind(socket),
    removeEventListener: socket.removeEventListener.bind(socket),
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
      // What was begun after the end hears of the end too.
      else if (socket.readyState === WebSocket.CLOSED) setTimeout(() => socket.dispatchEvent(new Event('close')), 0);
    },
  };
}
