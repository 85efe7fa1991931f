import type { Log } from '../log.ts';
import type { RefusalReason, RefusedRequest } from './request-guard.ts';

/** The first rejection of a sort is logged at once, those of the next minute are counted. */
const EVERY_MS = 60_000;

const WHY: Readonly<Record<RefusalReason, string>> = {
  host: 'its Host header does not name this server',
  target: 'its target is not a path',
  origin: 'it came from a web page of another origin',
  token: 'its key, token or session is missing or wrong',
};

interface RefusalCount {
  last: RefusedRequest;
  suppressed: number;
}

/** Logs rejected requests: one entry per port, reason and minute, however many there are. */
export class RefusalLog {
  readonly #log: Log;
  readonly #counted = new Map<string, RefusalCount>();
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly add = (refused: RefusedRequest): void => {
    const sort = `${refused.port} ${refused.reason}`;
    const counted = this.#counted.get(sort);
    if (counted) {
      counted.suppressed += 1;
      counted.last = refused;
      return;
    }
    this.#counted.set(sort, { last: refused, suppressed: 0 });
    this.#timer ??= setInterval(() => this.#write(), EVERY_MS).unref();
    this.#log.warn(`A request was rejected: ${WHY[refused.reason]}.`, { event: 'access.refused', ...refused });
  };

  /** Logs the counts that are not written yet. */
  close(): void {
    this.#write();
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #write(): void {
    for (const [sort, { last, suppressed }] of this.#counted) {
      if (suppressed === 0) {
        this.#counted.delete(sort);
        continue;
      }
      const message = `More requests were rejected: ${WHY[last.reason]}.`;
      this.#log.warn(message, { event: 'access.refused', count: suppressed, ...last });
      // They continue: the next of this sort is counted too.
      this.#counted.set(sort, { last, suppressed: 0 });
    }
    if (this.#counted.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
