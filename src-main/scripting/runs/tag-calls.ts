import type { Json } from '#domain/text/json';
import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import { withinAnswer } from '../../platform/answer-size.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { HostCalls, TagColumns } from '../sandbox/script-job.ts';
import type { RunTrace } from './run-trace.ts';

/** The tag methods that a script can call. */
export interface TagCalls {
  get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]>;
  set(items: readonly TagWrite[], scope: Scope): MaybePromise<{ values: TagValue[]; before: Json[] }>;
}

/** Host calls with entries in the trace. */
export function tracedCalls(calls: TagCalls, trace: RunTrace): HostCalls {
  return {
    get(tags, scope, line) {
      trace.begin(line);
      const traced = (values: TagValue[]) => {
        trace.read(values, scope);
        return columnsOf(withinAnswer(values));
      };
      const values = calls.get(tags, scope);
      return values instanceof Promise ? values.then(traced, (thrown: unknown) => fail(trace, thrown)) : traced(values);
    },
    async set(items, scope, line) {
      trace.begin(line);
      try {
        const { values, before } = await calls.set(items, scope);
        trace.write(values, before, scope);
        return columnsOf(values);
      } catch (thrown) {
        return fail(trace, thrown);
      }
    },
  };
}

function fail(trace: RunTrace, thrown: unknown): never {
  trace.failed();
  throw thrown;
}

/** Host calls without a trace. */
export function plainCalls(calls: TagCalls): HostCalls {
  return {
    get(tags, scope) {
      const values = calls.get(tags, scope);
      const answered = (read: TagValue[]) => columnsOf(withinAnswer(read));
      return values instanceof Promise ? values.then(answered) : answered(values);
    },
    set(items, scope) {
      const written = calls.set(items, scope);
      return written instanceof Promise ? written.then(({ values }) => columnsOf(values)) : columnsOf(written.values);
    },
  };
}

function columnsOf(values: readonly TagValue[]): TagColumns {
  const columns: TagColumns = { values: [], qualities: [], types: [] };
  for (const { value, quality, type } of values) {
    columns.values.push(value);
    columns.qualities.push(quality);
    columns.types.push(type);
  }
  return columns;
}
