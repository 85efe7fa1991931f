import { callsInOrder } from './calls-in-order.ts';
import type { ApiArgument } from '#domain/mock/api-call';
import {
  type Capsule,
  type CallFailure,
  MAX_RECORDED_TEXT,
  type RecordedCall,
  type RecordedTag,
} from '#domain/run/capsule';
import type { ClockStep } from '#domain/run/clock-readings';
import type { TagCalls } from '#domain/run/script-evaluator';
import type { Scope } from '#domain/tag/scope';
import type { TagKind, TagValue, TagWrite } from '#domain/tag/tag';
import { isJsonObject, type Json, lengthOfJson } from '#domain/text/json';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { ApiCaller } from '../runs/run-tree.ts';
import type { CallLine, HostCalls, RecordedRun } from '../sandbox/script-run.ts';

/** What a recorder knows about tags. */
export interface RecordedTags {
  /** null for a tag that does not exist. */
  kindOf(path: string): TagKind | null;
  /** The values with the times of their last changes. */
  withTimes(values: readonly TagValue[], scope: Scope): TagValue[];
}

/** The parts of a call that its beginning decides. */
interface Begun {
  call: number;
  line: CallLine;
  clock: number;
}

/**
 * Records one run: everything that its script gets from outside. Its layers are put around the calls of the run: `outer`
 * around what the host calls, `tags` and `api` around what answers.
 */
export class RunRecorder implements RecordedRun {
  readonly start: RecordedRun['start'];
  readonly skipped?: () => void;
  readonly calls: RecordedCall[] = [];
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
  #count = 0;
  #line: CallLine = null;
  #room = MAX_RECORDED_TEXT;

  /**
   * @param seed 32 random bytes in hexadecimal
   * @param isOptional whether a debugger may have the run instead
   */
  constructor(seed: string, tags: RecordedTags, isOptional = false) {
    this.start = { seed };
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
    if (this.#room >= 0) return null;
    return `the run got more than ${MAX_RECORDED_TEXT.toLocaleString('en')} characters from its calls`;
  }

  place(place: { locale: string; timeZone: string }): void {
    this.#place = place;
  }

  clock(steps: readonly ClockStep[]): void {
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

  outer(given: HostCalls): HostCalls {
    const calls = callsInOrder(given, (line) => {
      this.#line = line;
    });
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
      get: (paths, scope, line) => {
        const begun = this.#begin();
        const kept = (values: TagValue[]): TagValue[] => {
          this.#see(values);
          const timed = this.#tags.withTimes(values, scope);
          this.#keep({ kind: 'get', ...begun, ...scopeOf(scope), values: timed });
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
      set: async (items, scope, line) => {
        const call = { kind: 'set' as const, ...this.#begin(), ...scopeOf(scope), items: items.map(itemOf) };
        const settled = this.#open(call);
        try {
          const { values, before } = await inner.set(items, scope, line);
          settled();
          this.#see(values);
          const written = values.map((value, at) => {
            const old = before[at];
            return old === undefined ? value : { ...value, before: old };
          });
          this.#keep({ ...call, written });
          return { values, before };
        } catch (thrown) {
          settled();
          this.#keep({ ...call, error: failureOf(thrown) });
          throw thrown;
        }
      },
    };
  }

  api(inner: ApiCaller): ApiCaller {
    return {
      call: async (request) => {
        const { operation } = request;
        this.#line = request.line ?? null;
        const begun = this.#begin();
        // Masked only with its outcome: until then, nothing of it is kept.
        const settled = this.#open({ kind: 'api', ...begun, operation, args: [] });
        try {
          const outcome = await inner.call({ ...request, recorded: true });
          settled();
          const { recorded, exchange } = outcome;
          const args = recorded?.args ?? [];
          this.#notice(args, request.args);
          for (const secret of recorded?.secrets ?? []) this.secrets.add(secret);
          const { response } = recorded ?? {};
          if (response && isOther(response.responseObject, outcome.result.responseObject)) this.#noticeAt('response');
          this.#keep({ kind: 'api', ...begun, operation, args, ...(response && { response }), exchange });
          return outcome;
        } catch (thrown) {
          settled();
          throw thrown;
        }
      },
    };
  }

  /** Calls in progress when the run ended are recorded without an answer. */
  finish(): void {
    for (const call of this.#pending) this.#keep(call);
    this.#pending.clear();
  }

  readonly #pending = new Set<RecordedCall>();

  #open(call: RecordedCall): () => void {
    this.#pending.add(call);
    return () => void this.#pending.delete(call);
  }

  #begin(): Begun {
    this.#count += 1;
    return { call: this.#count, line: this.#line, clock: this.#readings };
  }

  #keep(call: RecordedCall): void {
    if (this.#room < 0) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a call is JSON
    this.#room -= lengthOfJson(call as unknown as Json, this.#room) + 100;
    if (this.#room >= 0) this.calls.push(call);
  }

  #see(values: readonly TagValue[]): void {
    for (const { path, type } of values) {
      if (this.#known.has(path)) continue;
      const kind = this.#tags.kindOf(path);
      if (kind !== null) this.#known.set(path, { path, kind, type });
    }
  }

  #notice(masked: readonly ApiArgument[], passed: readonly ApiArgument[]): void {
    for (const [at, argument] of masked.entries()) if (argument !== passed[at]) this.#noticeAt(`args[${at}]`);
  }

  #noticeAt(member: string): void {
    this.masked.push(`calls[${this.calls.length}].${member}`);
  }
}

const scopeOf = ({ diagram, location }: Scope) => ({ diagram, location });

const itemOf = ({ tag, value, unfit }: TagWrite): TagWrite => ({ tag, value, ...(unfit && { unfit }) });

/** A long text comes as bytes: whether it was masked is not compared. */
const isOther = (masked: string | null, seen: string | null): boolean => seen !== null && masked !== seen;

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
