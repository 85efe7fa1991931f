import { RPCLink } from '@orpc/client/message-port';
import { PORT_MESSAGE } from '#contract/bridge';
import type { DesktopBridge } from '#contract/bridge';
import { backoffMs } from './backoff.ts';
import type { LinkCheck } from './session-holder.ts';
import { SessionHolder } from './session-holder.ts';
import type { Transport } from './transport.ts';

/**
 * Connects to main through the port that the preload of the desktop window provides, and requests another when it
 * closes.
 */
export function connectIpc(bridge: DesktopBridge, admission?: LinkCheck): Transport {
  const holder = new SessionHolder(admission);
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const connect = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (attempt > 0) holder.state.set({ kind: 'lost', nextTryAt: null, attempt });
    bridge.connect();
  };

  window.addEventListener('message', ({ source, data, ports }: MessageEvent) => {
    const [port] = ports;
    if (source !== window || data !== PORT_MESSAGE || !port) return;
    holder.end();
    port.addEventListener('close', () => {
      if (!holder.holds(link)) return;
      holder.end();
      attempt += 1;
      const wait = backoffMs(attempt, Math.random());
      holder.state.set({ kind: 'lost', nextTryAt: Date.now() + wait, attempt });
      timer = setTimeout(connect, wait);
    });
    // Before `start`, so that no waiting message is missed.
    const link = new RPCLink({ port });
    port.start();
    attempt = 0;
    holder.begin(link);
  });

  connect();
  return {
    state: holder.state,
    current: () => holder.current(),
    connected: (signal) => holder.connected(signal),
    reconnect: () => {
      if (timer !== undefined) connect();
    },
  };
}
