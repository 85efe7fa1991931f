import type { ApiCallEntry, ReadEntry, RunReport, WriteEntry } from '#domain/run';

export type TraceItem =
  | ({ what: 'read' } & ReadEntry)
  | ({ what: 'write' } & WriteEntry)
  | ({ what: 'call' } & ApiCallEntry);

/** Everything a run did, in the order in which it did it. */
export function traceOf({ reads, writes, apiCalls }: RunReport): TraceItem[] {
  return [
    ...reads.map((entry) => ({ what: 'read' as const, ...entry })),
    ...writes.map((entry) => ({ what: 'write' as const, ...entry })),
    ...apiCalls.map((entry) => ({ what: 'call' as const, ...entry })),
  ].toSorted((a, b) => a.seq - b.seq);
}

/** How a scope is written: `Overview · W1`, `Overview`, `location W1`, or `default`. */
export function shownScope({ diagram, location }: { diagram: string; location: string }): string {
  if (diagram && location) return `${diagram} · ${location}`;
  if (diagram) return `Diagram ${diagram}`;
  if (location) return `location ${location}`;
  return 'default scope';
}
