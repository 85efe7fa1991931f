import type { DebugProtocol } from '@vscode/debugprotocol';
import { type Breakpoints, type LineBreakpoint, sentBreakpoint } from './breakpoints.ts';
import type { DebugClient } from './debug-client.ts';
import { isSourceOfRun, sourceOf } from './sources.ts';

/** Keeps the breakpoints of a session equal to those of this window, and notes where the session puts them. */
export class SentBreakpoints {
  readonly #client: DebugClient;
  readonly #breakpoints: Breakpoints;
  readonly #failed: (error: unknown) => void;
  /** The session that takes breakpoints, and the key of the doc that it debugs. */
  #target: { session: string; debugged: string } | null = null;
  /** What the session knows, as JSON, by key. */
  #known = new Map<string, string>();
  /** Ids of breakpoints by those of the session. */
  readonly #ids = new Map<number, number>();
  #sending: Promise<void> = Promise.resolve();

  constructor(client: DebugClient, breakpoints: Breakpoints, failed: (error: unknown) => void) {
    this.#client = client;
    this.#breakpoints = breakpoints;
    this.#failed = failed;
    breakpoints.store.subscribe(() => void this.#send());
  }

  /** Sends all of them to a session that is initialized, then each change until `end`. */
  begin(session: string, debugged: string): Promise<void> {
    this.end();
    this.#target = { session, debugged };
    return this.#send();
  }

  end(): void {
    this.#target = null;
    this.#known = new Map();
    this.#ids.clear();
  }

  /** The session has moved or verified a breakpoint later. */
  moved(breakpoint: unknown): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body of the event "breakpoint"
    const moved = breakpoint as DebugProtocol.Breakpoint | undefined;
    const id = this.#ids.get(moved?.id ?? -1);
    if (moved && id !== undefined) this.#breakpoints.placedLater(id, moved);
  }

  /** One request at a time, for each script whose breakpoints the session does not know. */
  #send(): Promise<void> {
    this.#sending = this.#sending.then(async () => {
      const target = this.#target;
      if (!target) return;
      for (const key of new Set([...this.#breakpoints.store.get().keys(), ...this.#known.keys()])) {
        if (!isSourceOfRun(key, target.debugged)) continue;
        const enabled = this.#breakpoints.of(key).filter((one) => one.enabled);
        const sent = JSON.stringify(enabled);
        if ((this.#known.get(key) ?? '[]') === sent) continue;
        this.#known.set(key, sent);
        await this.#place(target.session, key, enabled);
      }
    });
    return this.#sending;
  }

  async #place(session: string, key: string, enabled: readonly LineBreakpoint[]): Promise<void> {
    try {
      const { breakpoints } = await this.#client.send(session, 'setBreakpoints', {
        source: sourceOf(key),
        breakpoints: enabled.map(sentBreakpoint),
      });
      if (this.#target?.session !== session) return;
      for (const [index, { id }] of enabled.entries()) {
        const given = breakpoints[index]?.id;
        if (given !== undefined) this.#ids.set(given, id);
      }
      this.#breakpoints.placed(enabled, breakpoints);
    } catch (error) {
      if (this.#target?.session === session) this.#failed(error);
    }
  }
}
