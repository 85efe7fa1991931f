import type { ClientContext, ClientLink } from '@orpc/client';
import type { Store } from '../support/store.ts';

/** How the way to main is. */
export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  /** Lost; tried again at `nextTryAt` (ms of Date.now), null while a try is under way. */
  | { kind: 'lost'; nextTryAt: number | null; attempt: number }
  /** Main answers, but no longer knows this session: only its printed address opens a new one. */
  | { kind: 'session-ended' };

export type Link = ClientLink<ClientContext>;

/** One living connection. `closed` aborts when it ends; it never comes back. */
export interface Session {
  link: Link;
  closed: AbortSignal;
}

/** A way to main that heals itself. */
export interface Transport {
  readonly state: Store<ConnectionState>;
  /** The session when there is one now. */
  current(): Session | null;
  /** The session as soon as there is one; rejects only when `signal` aborts. */
  connected(signal?: AbortSignal): Promise<Session>;
  /** Tries again now instead of at `nextTryAt`. */
  reconnect(): void;
}
