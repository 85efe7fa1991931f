import { Store } from '../support/store.ts';
import type { ConnectionState, Link, Session } from './transport.ts';

/** Checks a new connection before it is used; false rejects it. May throw if the connection ends first. */
export type LinkCheck = (link: Link) => Promise<boolean>;

/** The common part of both transports: the current session, and the callers that wait for the next one. */
export class SessionHolder {
  readonly state = new Store<ConnectionState>({ kind: 'connecting' });
  readonly #admission: LinkCheck | undefined;
  /** The newest connection while it is open. */
  #link: Link | null = null;
  #session: Session | null = null;
  #end: AbortController | null = null;
  #waiting: ((session: Session) => void)[] = [];

  constructor(admission?: LinkCheck) {
    this.#admission = admission;
  }

  current(): Session | null {
    return this.#session;
  }

  /** Whether this is the newest connection, and it is open. */
  holds(link: Link): boolean {
    return this.#link === link;
  }

  connected(signal?: AbortSignal): Promise<Session> {
    if (this.#session) return Promise.resolve(this.#session);
    return new Promise((resolve, reject) => {
      const settle = (session: Session): void => {
        signal?.removeEventListener('abort', abandon);
        resolve(session);
      };
      const abandon = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== settle);
        reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'));
      };
      if (signal?.aborted) return abandon();
      signal?.addEventListener('abort', abandon, { once: true });
      this.#waiting.push(settle);
    });
  }

  /** Adds a connection, which is used once it is accepted. */
  begin(link: Link): void {
    this.#link = link;
    if (!this.#admission) return this.#use(link);
    this.#admission(link).then(
      (admitted) => {
        if (admitted && this.holds(link)) this.#use(link);
      },
      // The transport reports that it has ended, and retries.
      () => {},
    );
  }

  /** The connection ended; its calls are notified through `closed`. */
  end(): void {
    const end = this.#end;
    this.#link = null;
    this.#session = null;
    this.#end = null;
    end?.abort();
  }

  #use(link: Link): void {
    this.#end = new AbortController();
    this.#session = { link, closed: this.#end.signal };
    this.state.set({ kind: 'connected' });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const settle of waiting) settle(this.#session);
  }
}
