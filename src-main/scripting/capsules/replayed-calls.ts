import type { ApiArgument, ApiOperation, ApiResponse } from '#domain/mock/api-call';
import type {
  CallFailure,
  Capsule,
  RecordedCall,
  RecordedResponse,
  RecordedTag,
  RecordedWrite,
} from '#domain/run/capsule';
import type { AssumedWrite, MissingCall, NearCall } from '#domain/run/replay';
import type { NestedRun } from '#domain/run/run';
import type { TagCalls } from '#domain/run/script-evaluator';
import { valueOfItem } from '#domain/tag/convert';
import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite, WriteFailure } from '#domain/tag/tag';
import { TagwrightError } from '../../platform/errors.ts';
import type { RunTrace } from '../runs/run-trace.ts';
import type { ApiCaller } from '../runs/run-tree.ts';
import type { CallLine, RecordedRun } from '../sandbox/script-run.ts';
import { CallIndex } from './call-index.ts';
import { apiText, nearestApiCalls, nearestReadings, nearestSets, readText, writeText } from './nearest-calls.ts';

/** Arguments of an API call without secrets, as the capsule has them. */
export type MaskArguments = (operation: ApiOperation, args: readonly ApiArgument[]) => ApiArgument[];

/** Kinds of tags that return what was written, so that another value than the recorded one can be read again. */
const RETURNS_WRITTEN: ReadonlySet<RecordedTag['kind']> = new Set(['storage', 'machine', 'erp']);

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
  #line: CallLine = null;
  #next: number | null = null;

  /**
   * @param end ends the run at once: an exception could be caught by the script, which would go on without the answer
   * @param ticks whether the clock goes on after the recorded readings
   */
  constructor(capsule: Capsule, maskArguments: MaskArguments, end: () => void, ticks = false) {
    const { clock: readings, seed } = capsule.environment;
    this.start = { seed, readings, everyLine: true, ...(ticks && { ticks }) };
    this.#capsule = capsule;
    this.#index = new CallIndex(capsule);
    this.#kinds = new Map(capsule.tags.map((tag) => [tag.path, tag]));
    this.#maskArguments = maskArguments;
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
        this.#line = line;
        return this.#get(paths, scope, trace);
      },
      set: (items, scope, line = null) => {
        this.#line = line;
        return this.#set(items, scope, trace);
      },
    };
  }

  readonly api: ApiCaller = {
    call: async (request) => {
      const { operation, args, line = null } = request;
      this.#line = line;
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
      const result = responseOf(response);
      request.onResult?.(result);
      return { result, exchange };
    },
  };

  #get(paths: readonly string[], scope: Scope, trace: RunTrace): TagValue[] {
    const failed = this.#index.failedGet(paths, scope);
    if (failed) {
      const text = readText(paths[0] ?? '', scope);
      if (!failed.error) throw this.#miss('read', text, ENDED_THERE, [nearCall(failed, text)]);
      this.#made(failed);
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
    const reason = 'the replay wrote another value to this tag than the recorded run';
    throw this.#miss('read', readText(path, scope), reason, nearestReadings(path, scope, this.#capsule.calls));
  }

  #set(items: readonly TagWrite[], scope: Scope, trace: RunTrace): Awaited<ReturnType<TagCalls['set']>> {
    const call = this.#index.set(items, scope);
    if (!call) return this.#assume(items, scope);
    const { written, error } = call;
    if (!written && !error) {
      const text = writeText(items, scope);
      throw this.#miss('write', text, ENDED_THERE, [nearCall(call, text)]);
    }
    this.#made(call);
    this.#addNested(this.#index.nestedOf(call), trace);
    if (!written) throw errorOf(error ?? { message: 'the Set failed' });
    for (const { path } of written) this.#other.delete(path);
    return {
      values: written.map(withoutBefore),
      before: written.map((value) => ('before' in value ? value.before : undefined)),
    };
  }

  /** A Set that the recorded run did not make: its values are converted as the tags would, and taken as written. */
  #assume(items: readonly TagWrite[], scope: Scope): Awaited<ReturnType<TagCalls['set']>> {
    const failures: WriteFailure[] = [];
    const values = items.map((item, index): TagValue => {
      const tag = this.#kinds.get(item.tag);
      if (!tag || tag.type === 'Unknown' || !RETURNS_WRITTEN.has(tag.kind)) {
        const reason = tag ? `what a ${tag.kind} tag does with a value is only known for recorded writes` : NEVER_SEEN;
        const nearest = nearestSets(items, scope, this.#capsule.calls);
        throw this.#miss('write', writeText([item], scope), reason, nearest);
      }
      const converted = valueOfItem(item, tag.type);
      if (!converted.ok) failures.push({ tag: item.tag, reason: converted.reason, index });
      return { path: item.tag, value: converted.ok ? converted.value : null, quality: 'Good', type: tag.type };
    });
    if (failures.length > 0) throw refusalOf(failures, items.length);
    for (const value of values) {
      const { path: tag } = value;
      this.assumed.push({ tag, value: value.value, ...scopeOf(scope), line: this.#line });
      const known = this.#other.get(tag) ?? new Map<string, TagValue>();
      this.#other.set(tag, known.set(scopeKey(scope), value));
    }
    return { values, before: values.map(() => undefined) };
  }

  #made(call: RecordedCall): void {
    this.#index.made(call);
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

const times = (count: number): string => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`);
const scopeOf = ({ diagram, location }: Scope) => ({ diagram, location });
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

function responseOf({ image, ...response }: RecordedResponse): ApiResponse {
  return image === undefined ? response : { ...response, image: Buffer.from(image, 'base64') };
}
