/** The part of a WebSocket that oRPC uses. */
type Wire = Pick<WebSocket, 'addEventListener' | 'removeEventListener' | 'send' | 'readyState'>;

/**
 * A socket that accepts messages while it closes and afterwards: they are dropped, and callers see from `close` that
 * there is no response. Without it, oRPC fails, even if no caller waits, for example when it cancels an abandoned
 * call on the far side. Only code other than oRPC listens to `close` once.
 */
export function lenientWire(socket: WebSocket): Wire {
  return {
    readyState: WebSocket.OPEN,
    addEventListener: socket.addEventListener.bind(socket),
    removeEventListener: socket.removeEventListener.bind(socket),
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
      // Listeners that are added after the end are also notified.
      else if (socket.readyState === WebSocket.CLOSED) setTimeout(() => socket.dispatchEvent(new Event('close')), 0);
    },
  };
}
