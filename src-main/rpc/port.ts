import type { Channel } from './dispatcher.ts';

/** The common interface of Electron's MessagePortMain and Node's MessagePort (Node's passes the data directly). */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: unknown) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

/** A channel over a message port: Electron's, which wraps data in an event, or Node's, which does not. */
export function portChannel(port: Port): Channel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', (event) => {
        const data = typeof event === 'object' && event !== null && 'data' in event ? event.data : event;
        if (typeof data === 'string' || data instanceof Uint8Array || data instanceof ArrayBuffer) listener(data);
      });
      port.start();
    },
    onClose: (listener) => {
      port.on('close', listener);
    },
    refuse: () => port.close(),
  };
}
