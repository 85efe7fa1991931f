import { isJsonObject } from '#domain/text/json';
import { STEP_LIMITS } from '#domain/run/replays/run-steps';
import { VALUES_LIMITS } from '#domain/run/shown-values';
import { checkCount, ProtocolError } from '../../platform/host-pipe/checks.ts';

/** What has changed since the last report of a body that notes its values. */
export interface ReportedNotes {
  values: { variable: number; count: number; first: string; last: string }[];
  points: { point: number; count: number }[];
  executed: number;
  /** The point that exceeds the limit; null if none does. */
  stoppedAt: number | null;
  /** The steps that were executed since, with the values that they gave and the calls that were made. */
  steps: number[];
  changes: { step: number; variable: number; value: string }[];
  calls: { step: number; calls: number }[];
}

/** How many of them a body has. */
export interface NotesSize {
  variables: number;
  points: number;
}

/** A cut text ends with an ellipsis. */
const MAX_TEXT = VALUES_LIMITS.text + 1;

/** Checks a report of a host, which may be anything. Throws ProtocolError for one that no host of ours sends. */
export function checkNotes(message: unknown, size: NotesSize): ReportedNotes {
  if (!isJsonObject(message)) throw new ProtocolError('noted values that are not an object');
  const { values, points, executed, stoppedAt, steps = [], changes = [], calls = [] } = message;
  return {
    values: checkList(values, size.variables).map((one) => {
      const [variable, count, first, last] = checkRow(one, 4);
      return {
        variable: checkIndex(variable, size.variables),
        count: checkNotZero(count),
        first: checkText(first),
        last: checkText(last),
      };
    }),
    points: checkList(points, size.points).map((one) => {
      const [point, count] = checkRow(one, 2);
      return { point: checkIndex(point, size.points), count: checkCount(count) };
    }),
    executed: checkCount(executed),
    steps: checkList(steps, STEP_LIMITS.steps).map((point) => checkIndex(point, size.points)),
    changes: checkList(changes, STEP_LIMITS.changes).map((one) => {
      const [step, variable, value] = checkRow(one, 3);
      return {
        step: checkIndex(step, STEP_LIMITS.steps),
        variable: checkIndex(variable, size.variables),
        value: checkText(value),
      };
    }),
    calls: checkList(calls, STEP_LIMITS.steps).map((one) => {
      const [step, made] = checkRow(one, 2);
      return { step: checkIndex(step, STEP_LIMITS.steps), calls: checkCount(made) };
    }),
    stoppedAt: stoppedAt === undefined ? null : checkIndex(stoppedAt, size.points),
  };
}

function checkList(value: unknown, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new ProtocolError('an impossible list of noted values');
  return value;
}

function checkRow(value: unknown, length: number): unknown[] {
  if (!Array.isArray(value) || value.length !== length) throw new ProtocolError('an impossible noted value');
  return value;
}

function checkNotZero(value: unknown): number {
  const count = checkCount(value);
  if (count === 0) throw new ProtocolError('a noted value without a count');
  return count;
}

function checkIndex(value: unknown, size: number): number {
  const index = checkCount(value);
  if (index >= size) throw new ProtocolError('a noted value of a place that does not exist');
  return index;
}

function checkText(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT)
    throw new ProtocolError('an impossible text of a noted value');
  return value;
}
