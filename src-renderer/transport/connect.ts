import type { DesktopBridge } from '#contract/bridge';
import { SESSION_PATH } from '#contract/browser-session';
import { connectIpc } from './ipc.ts';
import { oneOpening } from './one-opening.ts';
import { connectWebSocket } from './websocket.ts';
import { rpcProtocols, sessionKey, takeSessionKey } from './session-key.ts';
import type { Transport } from './transport.ts';

declare global {
  interface Window {
    /** The API of the preload in the desktop window; a browser has none. */
    tagwright?: DesktopBridge;
  }
}

/**
 * The connection of this window to main: the port of the desktop's preload, else a WebSocket to its origin.
 *
 * @param onReopened called when main has reopened its workspace: the page shows the former one and must be reloaded;
 * until then, nothing more is sent
 */
export function connect(onReopened: () => void): Transport {
  const admission = oneOpening(onReopened);
  if (window.tagwright) return connectIpc(window.tagwright, admission);
  takeSessionKey();
  const { protocol, host, origin } = window.location;
  return connectWebSocket({
    admission,
    url: `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/rpc`,
    protocols: rpcProtocols,
    sessionKnown: async () => {
      try {
        const headers = { Authorization: `Bearer ${sessionKey()}` };
        const { status } = await fetch(`${origin}${SESSION_PATH}`, { headers, cache: 'no-store' });
        return status !== 401;
      } catch {
        return true;
      }
    },
  });
}
