import type { RunReport } from '#domain/run';
import { traceItems } from '#domain/trace';
import type { TraceItem } from '#domain/trace';

export type { TraceItem };

/** Everything a run did, in the order in which it did it, with the runs that it caused. */
export function traceOf(report: RunReport): TraceItem[] {
  return traceItems(report);
}

/** How a scope is written: `Overview · W1`, `Overview`, `location W1`, or `default`. */
export function shownScope({ diagram, location }: { diagram: string; location: string }): string {
  if (diagram && location) return `${diagram} · ${location}`;
  if (diagram) return `Diagram ${diagram}`;
  if (location) return `location ${location}`;
  return 'default scope';
}
