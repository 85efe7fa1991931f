import type { DesktopBridge } from '#contract/bridge';
import { connectIpc } from './ipc.ts';
import { connectWebSocket } from './websocket.ts';
import type { Transport } from './transport.ts';

declare global {
  interface Window {
    /** What the preload of the desktop window offers; a browser has none. */
    tagwright?: DesktopBridge;
  }
}

/** The way to main that this window has: the port of the desktop's preload, else a WebSocket to where it came from. */
export function connect(): Transport {
  if (window.tagwright) return connectIpc(window.tagwright);
  const { protocol, host, origin } = window.location;
  return connectWebSocket({
    url: `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/rpc`,
    sessionKnown: async () => {
      try {
        const { status } = await fetch(`${origin}/`, { method: 'HEAD', cache: 'no-store' });
        return status !== 401 && status !== 403;
      } catch {
        return true;
      }
    },
  });
}
