import type { ClientContext, ClientLink } from '@orpc/client';
import type { Store } from '../support/store.ts';

/** The state of the connection to main. */
export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  /** Lost; the next attempt is at `nextTryAt` (ms of Date.now), null during an attempt. */
  | { kind: 'lost'; nextTryAt: number | null; attempt: number }
  /** Main responds, but does not know this session: a new link is required. */
  | { kind: 'session-ended' };

export type Link = ClientLink<ClientContext>;

/** An open connection. `closed` aborts when it ends; it is never reused. */
export interface Session {
  link: Link;
  closed: AbortSignal;
}

/** A reconnecting connection to main. */
export interface Transport {
  readonly state: Store<ConnectionState>;
  /** The current session, if any. */
  current(): Session | null;
  /** The session as soon as there is one; rejects only when `signal` aborts. */
  connected(signal?: AbortSignal): Promise<Session>;
  /** Retries now instead of at `nextTryAt`. */
  reconnect(): void;
}
