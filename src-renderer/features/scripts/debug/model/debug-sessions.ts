import type { DebugSessionSummary } from '#domain/run/debug';
import type { Client } from '../../../../client/client.ts';
import { stayCurrent } from '../../../../client/stay-current.ts';
import { Store } from '../../../../support/store.ts';
import { keyOfScript } from '../../model/script-document.ts';
import type { Breakpoints, LineBreakpoint } from './breakpoints.ts';

interface SessionsState {
  /** All debugged runs of the instance, oldest first. */
  sessions: readonly DebugSessionSummary[];
  /** Whether runs started by a Diagram, a rule or a test also pause at breakpoints. */
  breakInAll: boolean;
}

/** The debugged runs of the instance, and *Break in all runs*, which uses the breakpoints of this browser. */
export class DebugSessions {
  readonly store = new Store<SessionsState>({ sessions: [], breakInAll: false });
  readonly #client: Pick<Client, 'debug'>;
  readonly #breakpoints: Breakpoints;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(client: Pick<Client, 'debug'>, breakpoints: Breakpoints) {
    this.#client = client;
    this.#breakpoints = breakpoints;
    breakpoints.store.subscribe(() => {
      // The next list shows a failure: it says that the switch is off.
      if (this.store.get().breakInAll) this.turn(true).catch(() => {});
    });
  }

  /** Lists them until `signal` aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    await stayCurrent(
      {
        changes: [(end) => this.#client.debug.changes(undefined, { signal: end })],
        read: async (end) => {
          const [sessions, { on }] = await Promise.all([
            this.#client.debug.sessions(undefined, { signal: end }),
            this.#client.debug.breaksInAll(undefined, { signal: end }),
          ]);
          this.store.set({ sessions, breakInAll: on });
        },
      },
      signal,
    );
  }

  /** Switches *Break in all runs*, or sends the current breakpoints to it. One request at a time. */
  turn(on: boolean): Promise<void> {
    const turned = this.#sending.then(async () => {
      await this.#client.debug.breakInAll({ on, scripts: on ? this.#scripts() : [] });
      this.store.update((state) => ({ ...state, breakInAll: on }));
    });
    this.#sending = turned.catch(() => {});
    return turned;
  }

  #scripts() {
    return [...this.#breakpoints.store.get()].flatMap(([key, list]) => {
      const scriptId = Number(key.replace(keyOfScript(0).slice(0, -1), ''));
      const enabled = list.filter((one) => one.enabled).map(breakpointOf);
      return Number.isSafeInteger(scriptId) && enabled.length > 0 ? [{ scriptId, breakpoints: enabled }] : [];
    });
  }
}

function breakpointOf({ line, condition, hits, log }: LineBreakpoint) {
  return {
    line,
    ...(condition !== '' && { condition }),
    ...(hits !== '' && { hits: Number(hits) }),
    ...(log !== '' && { log }),
  };
}
