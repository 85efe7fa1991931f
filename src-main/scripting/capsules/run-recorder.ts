import { isAscii } from 'node:buffer';
import type { ApiExchange } from '#domain/mock/api-call';
import {
  type Capsule,
  type CallFailure,
  MAX_RECORDED_TEXT,
  type RecordedApiCall,
  type RecordedCall,
  type RecordedTag,
} from '#domain/run/capsule';
import type { ClockStep } from '#domain/run/clock-readings';
import type { TagCalls } from '#domain/run/script-evaluator';
import type { Scope } from '#domain/tag/scope';
import type { TagKind, TagValue } from '#domain/tag/tag';
import { grouped } from '#domain/text/grouped';
import { isJsonObject } from '#domain/text/json';
import type { LongApi, RecordedApi, UnmaskedApi } from '../../outbound/recorded-call.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { Steps } from '../../platform/turns.ts';
import type { ApiCaller } from '../runs/run-tree.ts';
import type { CallLine, HostCalls, RecordedRun } from '../sandbox/script-run.ts';
import {
  type BegunCall,
  type KeptGet,
  type KeptSet,
  lengthOfCall,
  lengthOfGet,
  lengthOfSet,
  recordedGet,
  recordedSet,
  scopeOf,
  type UnmaskedCall,
} from './kept-calls.ts';

/** What a recorder knows about tags. */
export interface RecordedTags {
  /** null for a tag that does not exist. */
  kindOf(path: string): TagKind | null;
  /** When values that were just read last changed, ms since 1970; null if that is not known. */
  timesOf(values: readonly TagValue[], scope: Scope): (number | null)[];
}

/** Values and calls that are described at once: less than 1 ms. */
const STEP = 200;

/** Why a run has no capsule. */
export const TOO_MUCH = `the run got more than ${grouped(MAX_RECORDED_TEXT)} characters from its calls`;

/**
 * Records one run: everything that its script gets from outside. Its layers are put around the calls of the run: `outer`
 * around what the host calls, `tags` and `api` around what answers.
 */
export class RunRecorder implements RecordedRun {
  readonly start: RecordedRun['start'];
  readonly skipped?: () => void;
  /** Secrets that the script saw. */
  readonly secrets = new Set<string>();
  /** Where something was masked. */
  readonly masked: string[] = [];
  readonly #tags: RecordedTags;
  readonly #known = new Map<string, RecordedTag>();
  readonly #steps: ClockStep[] = [];
  #place = { locale: 'en-US', timeZone: 'UTC' };
  #readings = 0;
  #isSkipped = false;
  #hasEnded = false;
  #count = 0;
  #calls: (RecordedCall | KeptGet | KeptSet | UnmaskedCall)[] = [];
  /** The bodies of the unmasked calls that have one, in order. */
  #bodies: Uint8Array[] = [];
  /** The characters of unmasked calls as they are counted here: at least so many. */
  #unmasked = 0;
  /** Read before the script asks; in the order in which it probably does. */
  readonly #ahead = new Map<TagValue[], KeptGet>();
  #room = MAX_RECORDED_TEXT;

  /**
   * @param seed 32 random bytes in hexadecimal
   * @param isOptional whether a debugger may have the run instead
   */
  constructor(seed: string, tags: RecordedTags, isOptional = false) {
    this.start = { seed, ...(!isOptional && { everyLine: true }) };
    this.#tags = tags;
    if (isOptional) {
      this.skipped = () => {
        this.#isSkipped = true;
      };
    }
  }

  /** Why there is no capsule: the run got more than one holds, or was debugged; null otherwise. */
  get problem(): string | null {
    if (this.#isSkipped) return 'the run was debugged';
    return this.#room >= 0 ? null : TOO_MUCH;
  }

  /** Whether nothing more is kept: there will be no capsule, or the run has ended. */
  get #isOver(): boolean {
    return this.#isSkipped || this.#room < 0 || this.#hasEnded;
  }

  /** About the characters of all calls. */
  get length(): number {
    return MAX_RECORDED_TEXT - this.#room;
  }

  /** Whether it has unmasked calls; the bytes of their bodies. */
  get hasUnmasked(): boolean {
    return this.#unmasked > 0;
  }

  get bodies(): readonly Uint8Array[] {
    return this.#bodies;
  }

  /** How many characters the unmasked calls may have. */
  get roomOfUnmasked(): number {
    return this.#room + this.#unmasked;
  }

  /** In steps: they may be many. */
  *calls(): Steps<(RecordedCall | UnmaskedCall)[]> {
    const calls: (RecordedCall | UnmaskedCall)[] = [];
    let described = 0;
    for (const call of this.#calls) {
      if (call.kind === 'values') calls.push(recordedGet(call));
      else calls.push(call.kind === 'writes' ? recordedSet(call) : call);
      described += 1 + (call.kind === 'values' || call.kind === 'writes' ? (call.values?.length ?? 0) : 0);
      if (described < STEP) continue;
      described = 0;
      yield;
    }
    return calls;
  }

  place(place: { locale: string; timeZone: string }): void {
    this.#place = place;
  }

  clock(steps: readonly ClockStep[]): void {
    if (this.#isOver) return;
    for (const [times, ms] of steps) {
      this.#readings += times;
      const last = this.#steps.at(-1);
      if (last?.[1] === ms) last[0] += times;
      else this.#steps.push([times, ms]);
    }
  }

  nextReading(): null {
    return null;
  }

  /** @param startedAt ms since 1970 */
  environment(startedAt: number): Capsule['environment'] {
    const start = this.#steps[0]?.[1] ?? startedAt;
    const steps = this.#steps.map(([times, ms]): ClockStep => [times, ms - start]);
    const { timeZone, locale } = this.#place;
    return { timeZone, locale, clock: { start, steps }, seed: this.start.seed };
  }

  get tagsSeen(): RecordedTag[] {
    return [...this.#known.values()];
  }

  outer(calls: HostCalls): HostCalls {
    return {
      ...calls,
      rejected: (items, line) => {
        this.#count += 1;
        calls.rejected?.(items, line);
      },
    };
  }

  tags(inner: TagCalls): TagCalls {
    return {
      get: (paths, scope, line = null) => {
        const begun = this.#begin(line);
        const kept = (values: TagValue[]): TagValue[] => {
          this.#keepGet(this.#getOf(values, scope), begun);
          return values;
        };
        const failed = (thrown: unknown): never => {
          this.#keep({ kind: 'get', ...begun, ...scopeOf(scope), paths: [...paths], error: failureOf(thrown) });
          throw thrown;
        };
        let values: ReturnType<TagCalls['get']>;
        try {
          values = inner.get(paths, scope, line);
        } catch (thrown) {
          return failed(thrown);
        }
        if (!(values instanceof Promise)) return kept(values);
        const settled = this.#open({ kind: 'get', ...begun, ...scopeOf(scope), paths: [...paths] });
        return values.finally(settled).then(kept, failed);
      },
      set: async (items, scope, line = null) => {
        const { call, clock } = this.#begin(line);
        const kept: KeptSet = { kind: 'writes', call, line, clock, scope, items, values: null, before: [] };
        this.#pending.add(kept);
        try {
          const written = await inner.set(items, scope, line);
          // After the end of the run, it stays as it was then.
          if (!this.#pending.delete(kept)) return written;
          kept.values = written.values;
          kept.before = written.before;
          this.#see(written.values);
          this.#keepSet(kept);
          return written;
        } catch (thrown) {
          this.#pending.delete(kept);
          this.#keep({ ...recordedSet(kept), error: failureOf(thrown) });
          throw thrown;
        }
      },
      inMemory: (paths, scope) => {
        const values = inner.inMemory?.(paths, scope) ?? null;
        // Their times are those of now, too.
        if (values) this.#ahead.set(values, this.#getOf(values, scope));
        return values;
      },
      usedFromMemory: (values, line) => {
        const read = this.#ahead.get(values);
        if (!read) return;
        this.#ahead.delete(values);
        this.#keepGet(read, this.#next(line));
      },
    };
  }

  api(inner: ApiCaller): ApiCaller {
    return {
      call: async (request) => {
        const { operation } = request;
        const begun = this.#begin(request.line ?? null);
        // Masked only with its outcome: until then, nothing of it is kept.
        const settled = this.#open({ kind: 'api', ...begun, operation, args: [] });
        try {
          const outcome = await inner.call({ ...request, recorded: true });
          settled();
          const { recorded, exchange } = outcome;
          if (recorded && 'unmasked' in recorded) {
            this.#keepUnmasked(
              { kind: 'unmasked', ...begun, operation, unmasked: recorded.unmasked, exchange },
              recorded,
            );
          } else {
            this.#keepApi({ kind: 'api', ...begun, operation, exchange }, recorded);
          }
          return outcome;
        } catch (thrown) {
          settled();
          throw thrown;
        }
      },
    };
  }

  /**
   * Calls in progress when the run ended are recorded without an answer.
   * @param isComplete whether its host reported all calls; otherwise it may have made the Gets that it was ready for
   * @returns the values of those Gets
   */
  finish(isComplete: boolean): readonly TagValue[][] {
    for (const call of this.#pending) {
      if (call.kind === 'writes') this.#keepSet(call);
      else this.#keep(call);
    }
    this.#pending.clear();
    const left = isComplete ? [] : [...this.#ahead.values()];
    for (const read of left) this.#keepGet(read, this.#next(null));
    this.#ahead.clear();
    this.#hasEnded = true;
    return left.map(({ values }) => values);
  }

  readonly #pending = new Set<RecordedCall | KeptSet>();

  #open(call: RecordedCall): () => void {
    this.#pending.add(call);
    return () => void this.#pending.delete(call);
  }

  /** The script makes a call that is not answered yet. */
  #begin(line: CallLine): BegunCall {
    if (this.#ahead.size > 0) this.#ahead.clear();
    return this.#next(line);
  }

  #next(line: CallLine): BegunCall {
    this.#count += 1;
    return { call: this.#count, line, clock: this.#readings };
  }

  #keep(call: RecordedCall): void {
    if (!this.#isOver) this.#add(call, lengthOfCall(call, this.#room));
  }

  #keepApi(
    { exchange, ...call }: Omit<RecordedApiCall, 'args' | 'exchange'> & { exchange: ApiExchange },
    recorded: RecordedApi | undefined,
  ): void {
    const { args = [], response, secrets = [], masked = [] } = recorded ?? {};
    if (!this.#isOver) for (const part of masked) this.masked.push(`calls[${this.#calls.length}].${part}`);
    for (const secret of secrets) this.secrets.add(secret);
    this.#keep({ ...call, args, ...(response && { response }), exchange });
  }

  #keepUnmasked(call: UnmaskedCall, { unmasked: { body }, bytes }: LongApi): void {
    if (this.#isOver) return;
    const length = lengthOfCall(call, this.#room) + (bytes ? leastLength(bytes, body) : 0);
    this.#unmasked += length;
    if (bytes) this.#bodies.push(bytes);
    this.#add(call, length);
  }

  /** Values that were read just now. */
  #getOf(values: TagValue[], scope: Scope): KeptGet {
    const times = this.#isOver ? [] : this.#tags.timesOf(values, scope);
    return { kind: 'values', call: 0, line: null, clock: 0, scope, values, times };
  }

  #keepGet(get: KeptGet, { call, line, clock }: BegunCall): void {
    if (this.#isOver) return;
    this.#see(get.values);
    // One object for each: those of a long run are many.
    get.call = call;
    get.line = line;
    get.clock = clock;
    this.#add(get, lengthOfGet(get, this.#room));
  }

  #keepSet(set: KeptSet): void {
    if (!this.#isOver) this.#add(set, lengthOfSet(set, this.#room));
  }

  #add(call: RecordedCall | KeptGet | KeptSet | UnmaskedCall, length: number): void {
    this.#room -= length;
    this.#calls.push(call);
    if (this.#room >= 0) return;
    this.#calls = [];
    this.#bodies = [];
    this.#steps.length = 0;
  }

  #see(values: readonly TagValue[]): void {
    for (const { path, type } of values) {
      if (this.#known.has(path)) continue;
      const kind = this.#tags.kindOf(path);
      if (kind !== null) this.#known.set(path, { path, kind, type });
    }
  }
}

/**
 * The fewest characters that a body has in a capsule: a thread counts them when it decodes them. No encoding takes more than
 * four bytes for a character.
 */
function leastLength(bytes: Uint8Array, body: UnmaskedApi['body']): number {
  if (body === 'image') return 4 * Math.ceil(bytes.length / 3);
  return body?.charset === 'utf-8' && isAscii(bytes) ? bytes.length : Math.ceil(bytes.length / 4);
}

/** An error as the script gets it. */
function failureOf(thrown: unknown): CallFailure {
  const failures = thrown instanceof TagwrightError ? thrown.data['failures'] : undefined;
  if (!Array.isArray(failures)) return { message: messageOf(thrown) };
  return {
    message: messageOf(thrown),
    failures: failures.filter(isJsonObject).map(({ tag, reason, index }) => ({
      tag: typeof tag === 'string' ? tag : '',
      reason: typeof reason === 'string' ? reason : '',
      ...(typeof index === 'number' && { index }),
    })),
  };
}
