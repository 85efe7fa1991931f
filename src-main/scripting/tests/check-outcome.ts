import { isDeepStrictEqual } from 'node:util';
import diff from 'microdiff';
import { abbreviate } from '#domain/text/abbreviate';
import type { Json } from '#domain/text/json';
import type { RunReport, WriteEntry } from '#domain/run/run';
import type {
  ExpectedEvents,
  ExpectedWrite,
  TestDifference,
  TestExpectation,
  TestFailure,
} from '#domain/run/script-test';
import { writesOf } from '#domain/run/script-test';

/** Maximum number of differences in one message. */
const MOST_DIFFERENCES = 5;
const SHOWN = 200;

/** The differences between a run and the expectations of its test, for people; empty if there are none. */
export function failuresOf(
  expect: TestExpectation,
  report: RunReport,
  events: readonly ExpectedEvents[],
): TestFailure[] {
  const failures: TestFailure[] = [];
  const fail = (check: TestFailure['check'], message: string) => failures.push({ check, message });
  const { error } = report;
  const compare = (check: TestFailure['check'], expected: Json, actual: Json, tagAt?: TagAt) => {
    const found = differences(check, expected, actual, tagAt);
    if (found) failures.push({ check, ...found });
  };
  if (report.status !== expect.status) {
    const line = error?.line ? ` in line ${error.line}` : '';
    const why = error ? `: ${abbreviate(error.message, SHOWN)}${line}` : '';
    fail('status', `expected the run to end with ${expect.status}, but it ended with ${report.status}${why}`);
  }
  if (expect.error !== null && !error?.message.includes(expect.error)) {
    const got = error ? `its message is ${shown(error.message)}` : 'there was no error';
    fail('error', `expected an error that contains ${shown(expect.error)}, but ${got}`);
  }
  // A run that ended badly has no result to compare.
  if ('result' in expect && report.status === 'ok') {
    compare('result', expect.result ?? null, report.result);
  }
  if (expect.writes) {
    const writes = writesOf(report);
    if (report.dropped.writes > 0)
      fail('writes', `the run wrote more than the ${writes.length} values that are stored`);
    const [expected, actual] = comparable(expect.writes, writes);
    compare('writes', expected, actual, (place) => expected[place]?.tag ?? actual[place]?.tag ?? null);
  }
  if (expect.events) {
    const counts = (list: readonly ExpectedEvents[]) =>
      Object.fromEntries(list.filter(({ count }) => count > 0).map(({ rule, count }) => [rule, count]));
    compare('events', counts(expect.events), counts(events));
  }
  return failures;
}

/** The tag of a write, by its place. */
type TagAt = (place: number) => string | null;
type Written = { tag: string; value: Json; diagram: string; location: string };

/** Expected and actual writes in one form; a write without an expected value takes that of its counterpart. */
function comparable(expected: readonly ExpectedWrite[], written: readonly WriteEntry[]): [Written[], Written[]] {
  const given = expected.map(({ tag, diagram, location, ...one }, place) => {
    const value = 'value' in one ? one.value : written[place]?.value;
    return { tag, value: value ?? null, diagram, location };
  });
  return [given, written.map(({ path, value, diagram, location }) => ({ tag: path, value, diagram, location }))];
}

/** The differences between two values, as a list and one per line; null if there are none. */
function differences(
  name: string,
  expected: Json,
  actual: Json,
  tagAt: TagAt = () => null,
): (Pick<TestFailure, 'message'> & { differences: TestDifference[] }) | null {
  if (isDeepStrictEqual(expected, actual)) return null;
  const found = diff({ [name]: expected }, { [name]: actual });
  const first = found.slice(0, MOST_DIFFERENCES).map((one): TestDifference => {
    const [, at] = one.path;
    return {
      tag: typeof at === 'number' ? tagAt(at) : null,
      place: placeOf(one.path),
      expected: one.type === 'CREATE' ? null : shown(one.oldValue),
      actual: one.type === 'REMOVE' ? null : shown(one.value),
    };
  });
  const lines = first.map(
    ({ tag, place, expected: wanted, actual: got }) =>
      `${place}${tag === null ? '' : ` (${tag})`}: expected ${wanted ?? 'nothing'}, got ${got ?? 'nothing'}`,
  );
  if (found.length > first.length) lines.push(`and ${found.length - first.length} more differences`);
  return { message: lines.join('\n'), differences: first };
}

function placeOf([first, ...rest]: readonly (string | number)[]): string {
  const members = rest.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[\p{L}_$][\p{L}\d_$]*$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return `${first}${members.join('')}`;
}

const shown = (value: unknown): string => abbreviate(JSON.stringify(value) ?? 'nothing', SHOWN);
