import { RPCLink } from '@orpc/client/websocket';
import { SIGNED_OUT_CODE } from '#contract/browser-session';
import { lenientWire } from '#contract/lenient-wire';
import { backoffMs } from './backoff.ts';
import type { LinkCheck } from './session-holder.ts';
import { SessionHolder } from './session-holder.ts';
import type { Transport } from './transport.ts';

const OPEN_WITHIN_MS = 10_000;

export interface WebSocketOptions {
  /** The address of the RPC endpoint, `ws://127.0.0.1:4861/rpc`. */
  url: string;
  /** The offered protocols, computed for every attempt: they include the session key. */
  protocols?: () => string[];
  /** Checks whether main still knows this session; called when a connection could not be opened. */
  sessionKnown: () => Promise<boolean>;
  admission?: LinkCheck;
}

/** Connects to main over a WebSocket and reconnects after every loss, first after 250 ms, finally every 5 s. */
export function connectWebSocket({ url, protocols, sessionKnown, admission }: WebSocketOptions): Transport {
  const holder = new SessionHolder(admission);
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const socket = new WebSocket(url, protocols?.());
    let opened = false;
    if (attempt > 0) holder.state.set({ kind: 'lost', nextTryAt: null, attempt });
    const tooLate = setTimeout(() => socket.close(), OPEN_WITHIN_MS);
    socket.addEventListener('open', () => {
      clearTimeout(tooLate);
      opened = true;
      attempt = 0;
      holder.begin(new RPCLink({ websocket: lenientWire(socket) }));
    });
    const closed = ({ code }: CloseEvent) => {
      clearTimeout(tooLate);
      if (opened) holder.end();
      if (code === SIGNED_OUT_CODE) {
        holder.state.set({ kind: 'session-ended' });
        return;
      }
      void again(opened);
    };
    socket.addEventListener('close', closed, { once: true });
  };

  const again = async (wasOpen: boolean): Promise<void> => {
    attempt += 1;
    if (!wasOpen && !(await sessionKnown())) {
      holder.state.set({ kind: 'session-ended' });
      return;
    }
    const wait = backoffMs(attempt, Math.random());
    holder.state.set({ kind: 'lost', nextTryAt: Date.now() + wait, attempt });
    timer = setTimeout(open, wait);
  };

  open();
  return {
    state: holder.state,
    current: () => holder.current(),
    connected: (signal) => holder.connected(signal),
    reconnect: () => {
      if (timer !== undefined || holder.state.get().kind === 'session-ended') open();
    },
  };
}
