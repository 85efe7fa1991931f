import { Store } from '../ui/store.ts';
import type { ConnectionState, Link, Session } from './transport.ts';

/** The part that both transports share: the session of now, and those who wait for the next one. */
export class SessionHolder {
  readonly state = new Store<ConnectionState>({ kind: 'connecting' });
  #session: Session | null = null;
  #end: AbortController | null = null;
  #waiting: ((session: Session) => void)[] = [];

  current(): Session | null {
    return this.#session;
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

  /** A connection is there. */
  begin(link: Link): void {
    this.#end = new AbortController();
    this.#session = { link, closed: this.#end.signal };
    this.state.set({ kind: 'connected' });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const settle of waiting) settle(this.#session);
  }

  /** The connection is gone; calls under way on it learn of it through `closed`. */
  end(): void {
    const end = this.#end;
    this.#session = null;
    this.#end = null;
    end?.abort();
  }
}
