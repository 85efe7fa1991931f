import { AsyncLocalStorage } from 'node:async_hooks';

/** A step of a trace. */
export interface SpanOptions {
  name: string;
  /** As in the semantic conventions of OpenTelemetry. */
  attributes?: Readonly<Record<string, string | number>>;
  /** Begins a trace of its own where none is in progress; others are recorded only as a part of one. */
  isRoot?: true;
}

type RunInSpan = <T>(options: SpanOptions, work: () => Promise<T>) => Promise<T>;

let runInSpan: RunInSpan | null = null;

/** Called by the traces of this process when they begin, and with null when they end. */
export function recordSpans(run: RunInSpan | null): void {
  runInSpan = run;
}

/** Runs the work as a step of the trace that is in progress here. Without traces, it only runs the work. */
export function inSpan<T>(options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return runInSpan ? runInSpan(options, work) : work();
}

/** Begins work that no single request waits for: it is no step of a trace, and holds no request in memory. */
export const outsideRequests: <T>(work: () => T) => T = AsyncLocalStorage.snapshot();

/** The options of a step in a database. @param operation such as SELECT or COMMIT; never values */
export const sqlSpan = (system: 'postgresql' | 'sqlite', operation: string): SpanOptions => ({
  name: `${operation} ${system}`,
  attributes: { 'db.system.name': system, 'db.operation.name': operation },
});
