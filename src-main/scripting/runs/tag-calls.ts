import type { TagValue } from '#domain/tag/tag';
import type { TagCalls } from '#domain/run/script-evaluator';
import { withinAnswer } from '../../platform/answer-size.ts';
import type { HostCalls, TagColumns } from '../sandbox/script-run.ts';
import type { RunTrace } from './run-trace.ts';

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
