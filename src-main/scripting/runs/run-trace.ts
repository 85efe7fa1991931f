import { abbreviate } from '#domain/text/abbreviate';
import type { ApiExchange, ApiMessage } from '#domain/mock/api-call';
import { describeValue } from '#domain/tag/convert';
import { type Json, isJsonObject, lengthOfJson } from '#domain/text/json';
import {
  type ApiCallEntry,
  type DroppedEntries,
  MAX_API_CALLS,
  MAX_API_TEXT,
  MAX_NESTED_RUNS,
  MAX_REJECTED,
  MAX_TRACE_ENTRIES,
  MAX_TRACE_TEXT,
  type NestedRun,
  type ReadEntry,
  type RejectedEntry,
  type RunActs,
  type WriteEntry,
} from '#domain/run/run';
import type { Scope } from '#domain/tag/scope';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import type { CallLine, HostCalls, TagColumns } from '../sandbox/script-run.ts';
import type { TagCalls, WrittenTags } from '#domain/run/script-evaluator';
import { TagwrightError, messageOf } from '../../platform/errors.ts';
import { withinResponse } from '../../platform/response-size.ts';

/**
 * How many more entries of each sort a trace can take: one budget for a report, another shared by all its nested runs.
 */
export interface TraceRoom {
  reads: number;
  writes: number;
  /** Characters of both values. */
  text: number;
  console: number;
  apiCalls: number;
  /** Characters of the bodies of API calls. */
  apiText: number;
  rejected: number;
  /** Shared by reads and writes. */
  nested: { left: number };
}

export function traceRoom(consoleEntries: number, nested = { left: MAX_NESTED_RUNS }): TraceRoom {
  return {
    reads: MAX_TRACE_ENTRIES,
    writes: MAX_TRACE_ENTRIES,
    text: MAX_TRACE_TEXT,
    console: consoleEntries,
    apiCalls: MAX_API_CALLS,
    apiText: MAX_API_TEXT,
    rejected: MAX_REJECTED,
    nested,
  };
}

/** Learns the secrets in the values of tags that a run sees; asked only if a value may have some. */
export interface SeenValues {
  readonly stored: { readonly mayHave: boolean } | null;
  see(values: readonly TagValue[]): void;
  seeValue(value: Json | undefined): void;
}

/** An item of a rejected call. */
export type RejectedItem = Pick<RejectedEntry, 'access' | 'path' | 'value' | 'reason'>;

/** Characters of the reason of a rejected item. */
const MOST_REASON = 2_000;

/** A nested run that has ended, before its entry in the outer run is known. */
export type EndedRun = Omit<NestedRun, 'parent' | 'call' | 'line' | 'at'>;

interface OpenCall {
  run: EndedRun;
  startedAt: number;
}

/**
 * Collects what a run reads and writes, in order, and the nested runs that this caused. Each list keeps what fits and
 * counts the rest, so that the report of a Get of 100,000 tags stays readable.
 */
export class RunTrace {
  readonly #reads: ReadEntry[] = [];
  readonly #writes: WriteEntry[] = [];
  readonly #apiCalls: ApiCallEntry[] = [];
  readonly #rejected: RejectedEntry[] = [];
  readonly #nested: NestedRun[] = [];
  readonly #dropped = { reads: 0, writes: 0, apiCalls: 0, rejected: 0, nested: 0 };
  readonly #room: TraceRoom;
  readonly #seen: SeenValues | null;
  readonly #now: () => number;
  #start: number;
  /** Nested runs of the call in progress. */
  #waiting: OpenCall[] = [];
  #line: CallLine = null;
  #seq = 0;
  #call = 0;

  /**
   * @param seen learns from the values that the run sees
   * @param now a monotonic clock in ms
   */
  constructor(room: TraceRoom, seen: SeenValues | null = null, now: () => number = () => performance.now()) {
    this.#room = room;
    this.#seen = seen;
    this.#now = now;
    this.#start = now();
  }

  get now(): number {
    return this.#now();
  }

  /** How many calls the run has made. */
  get calls(): number {
    return this.#call;
  }

  /** The run has a host: the time it waited for one does not count. */
  started(): void {
    this.#start = this.#now();
  }

  /** A call begins; there is only one at a time. */
  begin(line: CallLine): void {
    this.#line = line;
  }

  /** @param moment when the script made the call; now unless given */
  read(values: readonly TagValue[], scope: Scope, moment = this.#now()): void {
    if (this.#seen?.stored?.mayHave) this.#seen.see(values);
    if (this.#isFull('reads', values.length)) return;
    const place = this.#place(moment);
    const { call, at, line } = place;
    const { diagram, location } = scope;
    const first = this.#seq + 1;
    const kept = this.#keep('reads', values.length);
    for (const { path: fullPath, value: read, quality, type, reason } of values.slice(0, kept)) {
      const seq = ++this.#seq;
      const path = shownPath(fullPath);
      const value = this.#shown(read);
      // Written out: spreading would take a tenth of the time of a short Get.
      const entry: ReadEntry = { seq, call, at, line, path, value, quality, type, diagram, location };
      this.#reads.push(reason === undefined ? entry : { ...entry, reason });
    }
    this.#settle(place, first, values);
  }

  write(values: readonly TagValue[], before: WrittenTags['before'], scope: Scope): void {
    if (this.#seen?.stored?.mayHave) for (const value of before) this.#seen.seeValue(value);
    if (this.#isFull('writes', values.length)) return;
    const place = this.#place();
    const { call, at, line } = place;
    const { diagram, location } = scope;
    const first = this.#seq + 1;
    const kept = this.#keep('writes', values.length);
    for (const [index, { path, value: written, type }] of values.slice(0, kept).entries()) {
      const seq = ++this.#seq;
      const old = this.#shown(before[index] ?? null);
      const value = this.#shown(written);
      const entry: WriteEntry = { seq, call, at, line, path, before: old, value, type, diagram, location };
      this.#writes.push(before[index] === undefined ? { ...entry, notRead: true } : entry);
    }
    this.#settle(place, first, values);
  }

  /** A method of ApiValueManager has ended; `exchange` is masked, and `logged` is its number in the call log. */
  apiCall(exchange: ApiExchange, logged?: number): void {
    const place = this.#place();
    if (this.#room.apiCalls <= 0) {
      this.#dropped.apiCalls += 1;
      return;
    }
    this.#room.apiCalls -= 1;
    const { request, response } = exchange;
    this.#apiCalls.push({
      seq: ++this.#seq,
      ...place,
      ...exchange,
      request: this.#fitted(request),
      response: response && this.#fitted(response),
      ...(logged !== undefined && { logged }),
    });
  }

  /** The call was rejected: nothing of it was read, written or sent. */
  rejected(items: readonly RejectedItem[], scope: Scope): void {
    const place = this.#place();
    const kept = items.slice(0, this.#room.rejected);
    this.#room.rejected -= kept.length;
    this.#dropped.rejected += items.length - kept.length;
    for (const { access, path, value, reason } of kept) {
      this.#rejected.push({
        seq: ++this.#seq,
        ...place,
        access,
        path: shownPath(path),
        ...(value !== undefined && { value: this.#shown(value) }),
        reason: abbreviate(reason, MOST_REASON),
        diagram: scope.diagram,
        location: scope.location,
      });
    }
    this.#settle(place, this.#seq + 1, []);
  }

  /** The run ended during a call. */
  #ended(): void {
    if (this.#waiting.length > 0) this.#settle(this.#place(), this.#seq + 1, []);
  }

  /** A run that the current call caused has ended. */
  nested(run: EndedRun, startedAt: number): void {
    if (this.#room.nested.left <= 0) {
      this.#dropped.nested += 1;
      return;
    }
    this.#room.nested.left -= 1;
    this.#waiting.push({ run, startedAt });
  }

  /** The whole trace, and how much was dropped. A call in progress is recorded as failed. */
  report(consoleDropped: number): RunActs & { dropped: DroppedEntries } {
    this.#ended();
    const { reads, writes, apiCalls, rejected, nested } = this.#dropped;
    return {
      reads: this.#reads,
      writes: this.#writes,
      apiCalls: this.#apiCalls,
      ...(this.#rejected.length > 0 && { rejected: this.#rejected }),
      ...(this.#nested.length > 0 && { nested: this.#nested }),
      dropped: {
        console: consoleDropped,
        reads,
        writes,
        ...(apiCalls > 0 && { apiCalls }),
        ...(rejected > 0 && { rejected }),
        ...(nested > 0 && { nested }),
      },
    };
  }

  /** Puts the runs of this call under the entries that caused them, in the order in which they began. */
  #settle({ call, line }: { call: number; line: CallLine }, first: number, values: readonly TagValue[]): void {
    if (this.#waiting.length === 0) return;
    const seqs = new Map<string, number>();
    for (const [index, { path }] of values.entries()) {
      const seq = first + index;
      if (seq <= this.#seq && !seqs.has(path)) seqs.set(path, seq);
    }
    for (const { run, startedAt } of this.#waiting.toSorted((a, b) => a.startedAt - b.startedAt)) {
      const parent = seqs.get(run.through[0] ?? run.tag) ?? null;
      this.#nested.push({ ...run, parent, call, line, at: this.#since(startedAt) });
    }
    this.#waiting = [];
  }

  #fitted(message: ApiMessage): ApiMessage {
    const length = message.body?.length ?? 0;
    if (length > this.#room.apiText) return { ...message, body: null };
    this.#room.apiText -= length;
    return message;
  }

  /** The value, or its description if there is no room for it: a run may read a large value again and again. */
  #shown(value: Json): Json {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
    const length = lengthOfJson(value, this.#room.text);
    if (length > this.#room.text) return `${describeValue(value)} (too long for the remaining space of the trace)`;
    this.#room.text -= length;
    return value;
  }

  /** Whether there is no room for any part of a call, which is then only counted. */
  #isFull(sort: 'reads' | 'writes', count: number): boolean {
    if (this.#room[sort] > 0 || this.#waiting.length > 0) return false;
    this.#dropped[sort] += count;
    this.#call += 1;
    return true;
  }

  #place(moment = this.#now()) {
    return { call: ++this.#call, at: this.#since(moment), line: this.#line };
  }

  #since(moment: number): number {
    return Math.round((moment - this.#start) * 1_000) / 1_000;
  }

  #keep(sort: 'reads' | 'writes', wanted: number): number {
    const kept = Math.min(wanted, this.#room[sort]);
    this.#room[sort] -= kept;
    this.#dropped[sort] += wanted - kept;
    return kept;
  }
}

/** A script can read a path of 60 MB again and again. The copy does not keep the text that it is cut from. */
function shownPath(path: string): string {
  return path.length <= MAX_PATH_LENGTH ? path : Buffer.from(abbreviate(path, MAX_PATH_LENGTH)).toString();
}

/** Host calls with entries in the trace. */
export function tracedCalls(calls: TagCalls, trace: RunTrace): HostCalls {
  return {
    get(tags, scope, line) {
      trace.begin(line);
      const traced = (values: TagValue[]) => {
        const checked = withinResponse(values);
        trace.read(values, scope);
        return columnsOf(checked);
      };
      const failed = (thrown: unknown): never => {
        const path = tags.length === 1 ? (tags[0] ?? '') : `${tags[0] ?? ''} and ${tags.length - 1} more`;
        trace.rejected([{ access: 'read', path, reason: messageOf(thrown) }], scope);
        throw thrown;
      };
      try {
        const values = calls.get(tags, scope, line);
        return values instanceof Promise ? values.then(traced).catch(failed) : traced(values);
      } catch (thrown) {
        return failed(thrown);
      }
    },
    async set(items, scope, line) {
      trace.begin(line);
      try {
        const { values, before } = await calls.set(items, scope, line);
        trace.write(values, before, scope);
        return columnsOf(values);
      } catch (thrown) {
        trace.rejected(rejectedItems(items, thrown), scope);
        throw thrown;
      }
    },
    rejected(items, line) {
      trace.begin(line);
      trace.rejected(items, DEFAULT_SCOPE);
    },
    ahead: aheadOf(calls, (values, scope, line, at) => {
      calls.usedFromMemory?.(values, line);
      trace.begin(line);
      trace.read(values, scope, at);
    }),
  };
}

/** Gets before the script makes them; `used` records the Gets that it made. */
function aheadOf(
  calls: TagCalls,
  used: (values: TagValue[], scope: Scope, line: CallLine, at: number) => void = () => undefined,
): NonNullable<HostCalls['ahead']> {
  return (tags, scope) => {
    const values = calls.inMemory?.(tags, scope) ?? null;
    return values && { columns: columnsOf(values), used: (line, at) => used(values, scope, line, at) };
  };
}

/** The rejected items of a Set with their reasons; one entry for all items if the error has no list of failures. */
function rejectedItems(items: readonly TagWrite[], thrown: unknown): RejectedItem[] {
  const failures = thrown instanceof TagwrightError ? thrown.data['failures'] : undefined;
  const own = (Array.isArray(failures) ? failures : []).filter(isJsonObject).flatMap(({ tag, reason, index }) => {
    if (typeof tag !== 'string' || typeof reason !== 'string') return [];
    const item = typeof index === 'number' ? items[index] : undefined;
    return [{ access: 'write' as const, path: tag, ...givenValue(item), reason }];
  });
  if (own.length > 0) return own;
  const [first] = items;
  const path = items.length < 2 ? (first?.tag ?? '') : `${first?.tag} and ${items.length - 1} more`;
  return [{ access: 'write', path, ...(items.length === 1 && givenValue(first)), reason: messageOf(thrown) }];
}

/** The value that the script gave; nothing if JSON has no form for it, such as NaN: the reason names it. */
const givenValue = (item: TagWrite | undefined) =>
  item !== undefined && item.unfit === undefined && { value: item.value };

/** Host calls without a trace. @param seen learns from the values that the run sees */
export function plainCalls(calls: TagCalls, seen: SeenValues | null = null): HostCalls {
  const see = (values: readonly TagValue[]): void => {
    if (seen?.stored?.mayHave) seen.see(values);
  };
  return {
    get(tags, scope, line) {
      const values = calls.get(tags, scope, line);
      const checked = (read: TagValue[]) => {
        see(read);
        return columnsOf(withinResponse(read));
      };
      return values instanceof Promise ? values.then(checked) : checked(values);
    },
    set(items, scope, line) {
      const written = calls.set(items, scope, line);
      return written instanceof Promise ? written.then(({ values }) => columnsOf(values)) : columnsOf(written.values);
    },
    ahead: aheadOf(calls, see),
  };
}

export function columnsOf(values: readonly TagValue[]): TagColumns {
  const columns: TagColumns = { values: [], qualities: [], types: [] };
  let reasons: Reasons | null = null;
  for (const { value, quality, type, reason } of values) {
    if (reason !== undefined) (reasons ??= new Reasons()).add(reason, columns.values.length);
    columns.values.push(value);
    columns.qualities.push(quality);
    columns.types.push(type);
  }
  if (reasons) columns.reasons = reasons.list;
  return columns;
}

/** Characters of one reason, and of all reasons of a Get; further ones are shorter. */
const MAX_REASON = 1_000;
const MAX_REASONS = 1_048_576;
const SHORT_REASON = 60;

/** The reasons of a Get, each text once. */
class Reasons {
  readonly list: { text: string; at: number[] }[] = [];
  readonly #known = new Map<string, number[]>();
  #room = MAX_REASONS;

  add(reason: string, at: number): void {
    const text = abbreviate(reason, this.#room > 0 ? MAX_REASON : SHORT_REASON);
    const known = this.#known.get(text);
    if (known) {
      known.push(at);
      return;
    }
    const places = [at];
    this.#room -= text.length;
    this.#known.set(text, places);
    this.list.push({ text, at: places });
  }
}
