import { isDeepStrictEqual } from 'node:util';
import diff from 'microdiff';
import { abbreviate } from '#domain/text/abbreviate';
import type { Json } from '#domain/text/json';
import type { RunReport, WriteEntry } from '#domain/run/run';
import type { ExpectedEvents, ExpectedWrite, TestExpectation, TestFailure } from '#domain/run/script-test';
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
    const different = differences('result', expect.result ?? null, report.result);
    if (different !== null) fail('result', different);
  }
  if (expect.writes) {
    const writes = writesOf(report);
    if (report.dropped.writes > 0)
      fail('writes', `the run wrote more than the ${writes.length} values that are stored`);
    const different = differences('writes', ...comparable(expect.writes, writes));
    if (different !== null) fail('writes', different);
  }
  if (expect.events) {
    const counts = (list: readonly ExpectedEvents[]) =>
      Object.fromEntries(list.filter(({ count }) => count > 0).map(({ rule, count }) => [rule, count]));
    const different = differences('events', counts(expect.events), counts(events));
    if (different !== null) fail('events', different);
  }
  return failures;
}

/** Expected and actual writes in one form; a write without an expected value takes that of its counterpart. */
function comparable(expected: readonly ExpectedWrite[], written: readonly WriteEntry[]): [Json, Json] {
  const given = expected.map(({ tag, diagram, location, ...one }, place) => {
    const value = 'value' in one ? one.value : written[place]?.value;
    return { tag, value: value ?? null, diagram, location };
  });
  return [given, written.map(({ path, value, diagram, location }) => ({ tag: path, value, diagram, location }))];
}

/** The differences between two values, one per line; null if there are none. */
function differences(name: string, expected: Json, actual: Json): string | null {
  if (isDeepStrictEqual(expected, actual)) return null;
  const found = diff({ [name]: expected }, { [name]: actual });
  const lines = found.slice(0, MOST_DIFFERENCES).map((one) => {
    const place = placeOf(one.path);
    if (one.type === 'CREATE') return `${place}: expected nothing, got ${shown(one.value)}`;
    if (one.type === 'REMOVE') return `${place}: expected ${shown(one.oldValue)}, got nothing`;
    return `${place}: expected ${shown(one.oldValue)}, got ${shown(one.value)}`;
  });
  if (found.length > lines.length) lines.push(`and ${found.length - lines.length} more differences`);
  return lines.join('\n');
}

function placeOf([first, ...rest]: readonly (string | number)[]): string {
  const members = rest.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[\p{L}_$][\p{L}\d_$]*$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return `${first}${members.join('')}`;
}

const shown = (value: unknown): string => abbreviate(JSON.stringify(value) ?? 'nothing', SHOWN);
