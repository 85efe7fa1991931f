import type { WriteFailure } from '#domain/tag';
import { ASK, type Host } from './bridge.ts';
import { MAX_CALL_BYTES } from './limits.ts';
import { parse, PrimitiveError, stringify } from './primordials.ts';

interface Answer {
  value?: unknown;
  error?: { message: string; failures?: WriteFailure[] };
}

/** Asks main for something and waits for it: the one way by which API objects do their work. */
export class HostCall {
  readonly #host: Host;
  #open = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Calls reach main from now on. */
  open(): void {
    this.#open = true;
  }

  /** What still runs after the run ended can do nothing. */
  close(): void {
    this.#open = false;
  }

  /**
   * Calls `method` with arguments that are JSON text already, joined by commas. Returns what main answered; throws
   * what it refused as an Error, with the `failures` of a refused Set.
   */
  call(method: string, line: number | null, argumentsJson: string): unknown {
    if (!this.#open) throw new PrimitiveError('the run has ended; a call made later does nothing');
    const request = `["${method}",${line},${argumentsJson}]`;
    if (request.length > MAX_CALL_BYTES) {
      throw new PrimitiveError(`one call carries at most ${MAX_CALL_BYTES / 1024 / 1024} MB; split it into several`);
    }
    const answer = parse(this.#host(ASK.call, request)) as Answer;
    if (answer.error === undefined) return answer.value;
    throw refusal(answer.error.message, answer.error.failures);
  }
}

/** The Error that a refused Set throws; `failures` is absent for other reasons. */
export function refusal(message: string, failures?: WriteFailure[]): Error {
  const error = new PrimitiveError(message) as Error & { failures?: WriteFailure[] };
  if (failures !== undefined) error.failures = failures;
  return error;
}

/** A Diagram or location as JSON text; null, undefined and '' are the internal default. */
export function scopePart(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return '""';
  return typeof value === 'string' ? stringify(value) : null;
}
