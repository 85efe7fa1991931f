import type { ApiArgument, ApiOperation, ApiResponse } from '#domain/mock/api-call';
import type { PassedArgument } from '../../platform/long-texts/text-in-parts.ts';
import type {
  CallFailure,
  Capsule,
  RecordedCall,
  RecordedGet,
  RecordedResponse,
  RecordedSet,
  RecordedTag,
  RecordedWrite,
} from '#domain/run/capsule';
import type { AssumedWrite, MissingCall, NearCall } from '#domain/run/replay';
import type { NestedRun } from '#domain/run/run';
import type { TagCalls } from '#domain/run/script-evaluator';
import { type Conversion, convert, valueOfItem } from '#domain/tag/convert';
import { recordOf } from '#domain/tag/erp';
import { DEFAULT_SCOPE, type Scope } from '#domain/tag/scope';
import type { TagType, TagValue, TagWrite, WriteFailure } from '#domain/tag/tag';
import { grouped } from '#domain/text/grouped';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { columnsOf, type RunTrace, tracedCalls } from '../runs/run-trace.ts';
import type { ApiCaller } from '../runs/run-tree.ts';
import type { AheadCall, CallLine, HostCalls, RecordedRun } from '../sandbox/script-run.ts';
import { CallIndex } from './call-index.ts';
import { scopeOf } from './kept-calls.ts';
import { apiText, nearestApiCalls, nearestReadings, nearestSets, readText, writeText } from './nearest-calls.ts';

/** Arguments of an API call without secrets, as the capsule has them. */
export type MaskArguments = (operation: ApiOperation, args: readonly PassedArgument[]) => ApiArgument[];

/** Kinds of tags that return what was written, so that another value than the recorded one can be read again. */
const RETURNS_WRITTEN: ReadonlySet<RecordedTag['kind']> = new Set(['storage', 'machine', 'erp']);

export interface ReplayOptions {
  /**
   * A call of the capsule that fails, unlike in the recorded run. The failure lasts, and nothing else changes: calls that
   * the script makes more often than the recorded run get their last answers again.
   */
  failed?: RecordedCall;
  /** Whether the calls that are made are kept, with their answers. */
  keepsCalls?: boolean;
}

/** Answers the calls of a run from a capsule, and from nothing else. */
export class ReplayedCalls implements RecordedRun {
  readonly start: RecordedRun['start'];
  /** The call that it could not answer. */
  missing: MissingCall | null = null;
  readonly assumed: AssumedWrite[] = [];
  /** The locale and time zone of the realm of this run. */
  realm: { locale: string; timeZone: string } | null = null;
  readonly #capsule: Capsule;
  readonly #index: CallIndex;
  readonly #kinds: ReadonlyMap<string, RecordedTag>;
  readonly #maskArguments: MaskArguments;
  readonly #end: () => void;
  /** Values of tags that this run wrote with another value than the recorded one, by scope. */
  readonly #other = new Map<string, Map<string, TagValue>>();
  readonly #places: ReadonlyMap<RecordedCall, number>;
  /** The place of the call that was made last. */
  #last = -1;
  #line: CallLine = null;
  #next: number | null = null;
  readonly #failed: RecordedCall | undefined;
  /** How many calls were made. */
  #count = 0;
  /** The highest place in the readings of the clock that a call moved to. */
  #reading = 0;
  /** Whether it ended the run because the script would never end. */
  isEndless = false;
  /** The calls that were made, as a capsule has them; null if they are not kept. */
  readonly made: RecordedCall[] | null;

  /**
   * @param end ends the run at once: an exception could be caught by the script, which would continue without the answer
   */
  constructor(
    capsule: Capsule,
    maskArguments: MaskArguments,
    end: () => void,
    { failed, keepsCalls = false }: ReplayOptions = {},
  ) {
    const { clock: readings, seed } = capsule.environment;
    this.start = { seed, readings, everyLine: true };
    this.#capsule = capsule;
    this.#index = new CallIndex(capsule);
    this.#places = new Map(capsule.calls.map((call, place) => [call, place]));
    this.#kinds = new Map(capsule.tags.map((tag) => [tag.path, tag]));
    this.#maskArguments = maskArguments;
    this.#failed = failed;
    this.made = keepsCalls ? [] : null;
    this.#end = end;
  }

  place(realm: { locale: string; timeZone: string }): void {
    this.realm = realm;
  }

  clock(): void {
    // Only a run that is recorded reports it.
  }

  nextReading(): number | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  /** @param trace gets the nested runs of the recorded calls */
  tags(trace: RunTrace): TagCalls {
    return {
      get: (paths, scope, line = null) => {
        this.#begin(line);
        return this.#get(paths, scope, trace);
      },
      set: (items, scope, line = null) => {
        this.#begin(line);
        return this.#set(items, scope, trace);
      },
    };
  }

  /** All calls, with their entries in the trace. */
  traced(trace: RunTrace): HostCalls {
    return {
      ...tracedCalls(this.tags(trace), trace),
      api: (operation, args, line) => {
        trace.begin(line);
        try {
          const { result, exchange } = this.#api(operation, args, line, trace);
          trace.apiCall(exchange);
          return result;
        } catch (thrown) {
          trace.rejected([{ access: 'call', path: operation, reason: messageOf(thrown) }], DEFAULT_SCOPE);
          throw thrown;
        }
      },
      upcoming: (most) => this.#upcoming(most, trace),
    };
  }

  readonly api: ApiCaller = {
    call: async (request) => {
      const { operation, args, line = null } = request;
      const answer = this.#api(operation, args, line, null);
      request.onResult?.(answer.result);
      return answer;
    },
  };

  #api(operation: ApiOperation, args: readonly PassedArgument[], line: CallLine, trace: RunTrace | null) {
    this.#begin(line);
    const masked = this.#maskArguments(operation, args);
    const call = this.#index.api(operation, masked);
    if (!call) {
      const known = this.#index.apiCount(operation, masked);
      const reason = known > 0 ? `the recorded run made this call ${times(known)}` : NEVER_MADE;
      const nearest = nearestApiCalls(operation, masked, this.#capsule.calls);
      throw this.#miss('call', apiText(operation, masked), reason, nearest);
    }
    const { response, exchange } = call;
    if (!response || !exchange)
      throw this.#miss('call', apiText(operation, masked), ENDED_THERE, [nearCall(call, operation)]);
    this.#made(call);
    this.#keep(call, trace);
    return { result: responseOf(response), exchange };
  }

  /**
   * What the recorded run did after the last call, up to its next Set. Each tag and each API call is there once, so that
   * the answers are the same in whatever order the script makes the calls, and whichever it omits.
   */
  #upcoming(most: number, trace: RunTrace): AheadCall[] {
    const ahead: AheadCall[] = [];
    const known = new Set<string>();
    for (const call of this.#capsule.calls.slice(this.#last + 1, this.#last + 1 + most)) {
      const one = call.kind === 'get' ? this.#getAhead(call, known, trace) : this.#apiAhead(call, known, trace);
      if (one === null) break;
      ahead.push(one);
    }
    return ahead;
  }

  #getAhead(call: RecordedGet, known: Set<string>, trace: RunTrace): AheadCall | null {
    const paths = call.values?.map(({ path }) => path) ?? [];
    if (paths.length === 0) return null;
    for (const path of paths) {
      if (known.has(path) || this.#other.has(path)) return null;
      known.add(path);
    }
    const { diagram, location, clock } = call;
    const readings = this.#index.readingsAhead(paths, call);
    if (!readings || readings.some(({ from }) => from !== call)) return null;
    const values = readings.map(({ value }) => value);
    return {
      key: `${JSON.stringify(paths)},${JSON.stringify(diagram)},${JSON.stringify(location)}`,
      value: columnsOf(values),
      reading: clock,
      tags: paths.length,
      used: (line, at) => {
        this.#begin(line);
        trace.begin(line);
        trace.read(this.#get(paths, call, trace), call, at);
      },
    };
  }

  #apiAhead(call: RecordedCall, known: Set<string>, trace: RunTrace): AheadCall | null {
    if (call.kind !== 'api') return null;
    const { operation, args, response, exchange, clock } = call;
    const key = `${JSON.stringify(operation)},${JSON.stringify(args)}`;
    if (!response || !exchange || response.image !== undefined || known.has(key)) return null;
    // If its host is killed before it reports the use, nothing that was sent is missing in the report.
    if (exchange.method !== 'GET') return null;
    if (this.#index.nextApi(operation, args) !== call) return null;
    known.add(key);
    return {
      key,
      value: responseOf(response),
      reading: clock,
      tags: 0,
      used: (line) => {
        this.#begin(line);
        trace.begin(line);
        this.#index.api(operation, args);
        this.#made(call);
        this.#keep(call, trace);
        trace.apiCall(exchange);
      },
    };
  }

  #get(paths: readonly string[], scope: Scope, trace: RunTrace): TagValue[] {
    const failed = this.#index.failedGet(paths, scope);
    if (failed) {
      const text = readText(paths[0] ?? '', scope);
      if (!failed.error) throw this.#miss('read', text, ENDED_THERE, [nearCall(failed, text)]);
      this.#made(failed);
      this.#keep(failed, trace);
      throw errorOf(failed.error);
    }
    const from = new Set<RecordedCall>();
    const nested: NestedRun[] = [];
    const values = paths.map((path) => {
      const other = this.#other.get(path);
      if (other) return this.#writtenHere(path, scope, other);
      const reading = this.#index.reading(path, scope);
      if (!reading) throw this.#missReading(path, scope);
      from.add(reading.from);
      nested.push(...reading.nested);
      return reading.value;
    });
    for (const call of from) this.#made(call);
    this.#addNested(nested, trace);
    if (this.made) this.#keep({ kind: 'get', ...scopeOf(scope), values, ...this.#place }, trace);
    return values;
  }

  #missReading(path: string, scope: Scope): Error {
    const known = this.#index.readings(path, scope);
    const reason = known > 0 ? `the recorded run read this tag ${times(known)} since its last write` : NEVER_READ;
    return this.#miss('read', readText(path, scope), reason, nearestReadings(path, scope, this.#capsule.calls));
  }

  #writtenHere(path: string, scope: Scope, values: ReadonlyMap<string, TagValue>): TagValue {
    const value = values.get(scopeKey(scope));
    const kind = this.#kinds.get(path)?.kind;
    if (value && kind && RETURNS_WRITTEN.has(kind)) return value;
    throw this.#miss('read', readText(path, scope), NEVER_READ, nearestReadings(path, scope, this.#capsule.calls));
  }

  #set(items: readonly TagWrite[], scope: Scope, trace: RunTrace): Awaited<ReturnType<TagCalls['set']>> {
    const call = this.#index.set(items, scope);
    if (!call) return this.#assume(items, scope, trace);
    const { written, error } = call;
    if (!written && !error) {
      const text = writeText(items, scope);
      throw this.#miss('write', text, ENDED_THERE, [nearCall(call, text)]);
    }
    this.#made(call);
    this.#keep(call, trace);
    this.#addNested(this.#index.nestedOf(call), trace);
    if (!written) throw errorOf(error ?? { message: 'the Set failed' });
    for (const { path } of written) this.#other.delete(path);
    return {
      values: written.map(withoutBefore),
      before: written.map((value) => ('before' in value ? value.before : undefined)),
    };
  }

  /** A Set that the recorded run did not make: its values are converted as the tags would, and taken as written. */
  #assume(items: readonly TagWrite[], scope: Scope, trace: RunTrace): Awaited<ReturnType<TagCalls['set']>> {
    const failures: WriteFailure[] = [];
    const values = items.map((item, index): TagValue => {
      const tag = this.#kinds.get(item.tag);
      if (!tag || tag.type === 'Unknown' || !RETURNS_WRITTEN.has(tag.kind)) {
        const reason = tag ? `what a ${tag.kind} tag does with a value is only known for recorded writes` : NEVER_SEEN;
        const nearest = nearestSets(items, scope, this.#capsule.calls);
        throw this.#miss('write', writeText([item], scope), reason, nearest);
      }
      const converted = convertedItem(item, tag.kind, tag.type);
      if (!converted.ok) failures.push({ tag: item.tag, reason: converted.reason, index });
      return { path: item.tag, value: converted.ok ? converted.value : null, quality: 'Good', type: tag.type };
    });
    const call: RecordedSet = { kind: 'set', ...scopeOf(scope), items: [...items], ...this.#place };
    if (failures.length > 0) {
      const refusal = refusalOf(failures, items.length);
      this.#keep({ ...call, error: { message: refusal.message, failures } }, trace);
      throw refusal;
    }
    this.#keep({ ...call, written: values }, trace);
    for (const value of values) {
      const { path: tag } = value;
      this.assumed.push({ tag, value: value.value, ...scopeOf(scope), line: this.#line });
      const known = this.#other.get(tag) ?? new Map<string, TagValue>();
      this.#other.set(tag, known.set(scopeKey(scope), value));
    }
    return { values, before: values.map(() => undefined) };
  }

  /** A call begins. */
  #begin(line: CallLine): void {
    this.#line = line;
    this.#count += 1;
    if (this.#count <= (this.#capsule.limits.calls ?? Infinity)) return;
    this.isEndless = true;
    this.#end();
    throw new Error('the script never ends');
  }

  /** The place of a call that is not a recorded one. */
  get #place(): Pick<RecordedCall, 'call' | 'line' | 'clock'> {
    return { call: 0, line: this.#line, clock: this.#reading };
  }

  /** Keeps a call before it is in the trace. */
  #keep(call: RecordedCall, trace: RunTrace | null): void {
    if (this.made && trace) this.made.push({ ...call, call: trace.calls + 1, line: this.#line });
  }

  #made(call: RecordedCall): void {
    if (call === this.#failed) this.#index.repeat();
    this.#reading = Math.max(this.#reading, call.clock);
    this.#index.made(call);
    this.#last = this.#places.get(call) ?? this.#last;
    this.#next = Math.max(this.#next ?? 0, call.clock);
  }

  /** They did not run again: what they did is part of the answer. */
  #addNested(runs: readonly NestedRun[], trace: RunTrace): void {
    const inOrder = runs.toSorted((a, b) => a.call - b.call || a.at - b.at);
    for (const [place, { parent: _, call: __, line: ___, at: ____, ...run }] of inOrder.entries()) {
      trace.nested(run, trace.now + place / 1_000_000);
    }
  }

  #miss(access: MissingCall['access'], call: string, reason: string, nearest: NearCall[]): Error {
    this.missing ??= { line: this.#line, access, call, reason, nearest };
    this.#end();
    return new Error(`the capsule has no answer: ${reason}`);
  }
}

const NEVER_READ = 'the recorded run did not read this tag in this scope, or not after the same writes';
const NEVER_MADE = 'the recorded run did not make this call';
const NEVER_SEEN = 'the recorded run neither read nor wrote this tag, so its type is unknown';
const ENDED_THERE = 'the recorded run ended during this call';

/** The value of an item as a tag of this kind and type would store it. The schema of an ERP tag is not known. */
function convertedItem(item: TagWrite, kind: RecordedTag['kind'], type: TagType): Conversion {
  const given = valueOfItem(item, type);
  if (!given.ok) return given;
  const record = kind === 'erp' ? recordOf(given.value) : null;
  return typeof record === 'string' ? { ok: false, reason: record } : convert(given.value, type);
}

const times = (count: number): string => (count === 1 ? 'once' : `${grouped(count)} times`);
const scopeKey = ({ diagram, location }: Scope): string => JSON.stringify([diagram, location]);

function withoutBefore(written: RecordedWrite): TagValue {
  const { before: _, ...value } = written;
  return value;
}

const nearCall = ({ call, line }: RecordedCall, text: string): NearCall => ({ call, line, text });

/** The error that the script got in the recorded run. */
function errorOf({ message, failures }: CallFailure): Error {
  if (!failures) return new Error(message);
  return new TagwrightError('WRITE_REFUSED', message, { data: { failures: failures.map((one) => ({ ...one })) } });
}

/** The error of a Set whose items were rejected. */
export function refusalOf(failures: readonly WriteFailure[], items: number): Error {
  const reasons = failures.map(({ tag, reason }) => `"${tag}": ${reason}`).join('; ');
  const message = `Nothing was written: ${failures.length} of ${items} ${items === 1 ? 'item' : 'items'} rejected: ${reasons}`;
  return errorOf({ message, failures: [...failures] });
}

/** Half of a pair of surrogates has no bytes, and a byte order mark is removed with them. */
const isSameFromBytes = (text: string): boolean => text.isWellFormed() && !text.startsWith('\ufeff');

/** Characters of a text that becomes JSON at once, about 1 ms. A longer one is sent as bytes, like that of a real call. */
const LONG_TEXT = 262_144;

function responseOf({ image, ...response }: RecordedResponse): ApiResponse {
  if (image !== undefined) return { ...response, image: Buffer.from(image, 'base64') };
  const member = response.success ? 'responseObject' : 'errorMessage';
  const text = response[member];
  if (text === null || text.length < LONG_TEXT || !isSameFromBytes(text)) return response;
  return { ...response, [member]: null, text: { bytes: Buffer.from(text), charset: 'utf-8' } };
}
