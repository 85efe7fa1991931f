import type { Json } from '#domain/json';
import { MAX_TRACE_ENTRIES, type ReadEntry, type WriteEntry } from '#domain/run';
import type { Scope } from '#domain/scope';
import type { TagValue } from '#domain/tag';
import type { CallLine } from '../sandbox/script-job.ts';

/**
 * Collects what a run reads and writes, in order. Each list keeps its first MAX_TRACE_ENTRIES entries and counts the
 * rest, so that a Get of 100,000 tags leaves a report that can still be read.
 */
export class RunTrace {
  readonly reads: ReadEntry[] = [];
  readonly writes: WriteEntry[] = [];
  readonly dropped = { reads: 0, writes: 0 };
  readonly #now: () => number;
  readonly #start: number;
  #seq = 0;
  #call = 0;

  /** @param now a monotonic clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#start = now();
  }

  read(values: readonly TagValue[], scope: Scope, line: CallLine): void {
    const place = this.#place(line);
    const kept = this.#keep(values.length, this.reads.length);
    for (const { path, value, quality, type } of values.slice(0, kept)) {
      this.reads.push({ seq: ++this.#seq, ...place, path, value, quality, type, ...scope });
    }
    this.dropped.reads += values.length - kept;
  }

  write(values: readonly TagValue[], before: readonly Json[], scope: Scope, line: CallLine): void {
    const place = this.#place(line);
    const kept = this.#keep(values.length, this.writes.length);
    for (const [index, { path, value, type }] of values.slice(0, kept).entries()) {
      this.writes.push({ seq: ++this.#seq, ...place, path, before: before[index] ?? null, value, type, ...scope });
    }
    this.dropped.writes += values.length - kept;
  }

  #place(line: CallLine) {
    return { call: ++this.#call, at: Math.round((this.#now() - this.#start) * 1_000) / 1_000, line };
  }

  #keep(wanted: number, present: number): number {
    return Math.min(wanted, MAX_TRACE_ENTRIES - present);
  }
}
