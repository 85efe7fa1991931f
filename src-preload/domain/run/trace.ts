import { isUsable } from '../tag/quality.ts';
import type { ApiCallEntry, NestedRun, ReadEntry, RejectedEntry, RunActs, WriteEntry } from './run.ts';

/** An entry of a run or of a nested run: `run` starts a nested run, whose own entries follow one level deeper. */
export type TraceItem = { /** The nesting level. */ depth: number } & (
  | ({ what: 'read' } & ReadEntry)
  | ({ what: 'write' } & WriteEntry)
  | ({ what: 'call' } & ApiCallEntry)
  | ({ what: 'rejected' } & RejectedEntry)
  | { what: 'run'; run: NestedRun; line: number | null; at: number }
);

/**
 * All entries of a run in order; those of a nested run follow the read or write that caused it, and one whose call was
 * rejected is at the position of that call.
 */
export function traceItems(acts: RunActs, depth = 0): TraceItem[] {
  const entries: Exclude<TraceItem, { what: 'run' }>[] = [
    ...acts.reads.map((entry) => ({ depth, what: 'read' as const, ...entry })),
    ...acts.writes.map((entry) => ({ depth, what: 'write' as const, ...entry })),
    ...acts.apiCalls.map((entry) => ({ depth, what: 'call' as const, ...entry })),
    ...(acts.rejected ?? []).map((entry) => ({ depth, what: 'rejected' as const, ...entry })),
  ].toSorted((a, b) => a.seq - b.seq);
  const { nested } = acts;
  if (!nested) return entries;
  const byParent = Map.groupBy(nested, ({ parent }) => parent);
  const homeless = (byParent.get(null) ?? []).toSorted((a, b) => a.call - b.call);
  const items: TraceItem[] = [];
  const place = (run: NestedRun): void => {
    items.push({ depth, what: 'run', run, line: run.line, at: run.at });
    for (const item of traceItems(run, depth + 1)) items.push(item);
  };
  for (const entry of entries) {
    while (homeless[0] && homeless[0].call < entry.call) place(homeless.shift() ?? homeless[0]);
    items.push(entry);
    for (const run of byParent.get(entry.seq) ?? []) place(run);
  }
  for (const run of homeless) place(run);
  return items;
}

/** Whether a call of the script was rejected or failed, or read a tag of bad quality. */
export function isFailed(item: TraceItem): boolean {
  switch (item.what) {
    case 'read':
      return !isUsable(item.quality);
    case 'write':
      return false;
    case 'call':
      return item.error !== null || !/^[1-3]/.test(item.statusCode);
    case 'rejected':
      return true;
    default:
      return item.run.status !== 'ok';
  }
}
