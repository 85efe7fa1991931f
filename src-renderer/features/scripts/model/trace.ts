import type { NestedRun, RunReport } from '#domain/run/run';
import { traceItems } from '#domain/run/trace';
import type { TraceItem } from '#domain/run/trace';
import { problemOfTagPath } from '#domain/tag/tag-path';

export type { TraceItem };

/** Everything that a run did, in order, including its nested runs. */
export function traceOf(report: RunReport): TraceItem[] {
  return traceItems(report);
}

/** The paths of the tags in a trace, except invalid ones that a script named. */
export function pathsOf(trace: readonly TraceItem[]): string[] {
  return trace.flatMap((item) => {
    if (item.what === 'run') return [item.run.tag];
    if (item.what === 'call' || (item.what === 'rejected' && item.access === 'call')) return [];
    return problemOfTagPath(item.path) === null ? [item.path] : [];
  });
}

/** For each item the nested run that it belongs to, null for the script of the report itself. */
export function ownersOf(trace: readonly TraceItem[]): (NestedRun | null)[] {
  const runs: NestedRun[] = [];
  return trace.map((item) => {
    const owner = item.depth === 0 ? null : (runs[item.depth - 1] ?? null);
    if (item.what === 'run') runs[item.depth] = item.run;
    return owner;
  });
}
