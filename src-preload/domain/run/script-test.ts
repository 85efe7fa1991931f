import type { Coverage } from './coverage.ts';
import { DEFAULT_SCOPE } from '../tag/scope.ts';
import type { Json } from '../text/json.ts';
import type { MockRoute } from '../mock/mock.ts';
import type { Quality } from '../tag/quality.ts';
import { isUsable } from '../tag/quality.ts';
import type { RunContext, RunReport, RunStatus, WriteEntry } from './run.ts';
import { traceItems } from './trace.ts';

/** The value of a tag during a test. */
export interface TagFixture {
  tag: string;
  value: Json;
  quality: Quality;
  diagram: string;
  location: string;
}

/** A write without a value matches any value. */
export interface ExpectedWrite {
  tag: string;
  value?: Json;
  diagram: string;
  location: string;
}

/** The number of events that a rule creates from the writes of the script. */
export interface ExpectedEvents {
  rule: string;
  count: number;
}

/** The expected results of a run; null and absent members match anything. */
export interface TestExpectation {
  status: RunStatus;
  /** A part of the error message. */
  error: string | null;
  result?: Json;
  /** All writes in order, including those of scripts of tags; [] for none. */
  writes: ExpectedWrite[] | null;
  /** Rules that are not listed must create none; [] for none at all. */
  events: ExpectedEvents[] | null;
}

/** A test of a script as written by the user. */
export interface ScriptTestText {
  name: string;
  context: RunContext;
  tags: TagFixture[];
  /** Matched before the mocks of the workspace; API calls are never sent. */
  mocks: MockRoute[];
  expect: TestExpectation;
}

export interface ScriptTest extends ScriptTestText {
  id: number;
  scriptId: number;
  /** RFC 3339 in UTC. */
  savedAt: string;
}

export const TEST_CHECKS = ['fixtures', 'status', 'error', 'result', 'writes', 'events'] as const;

/** A difference between what a test expects and what its run did, as texts; null for nothing. */
export interface TestDifference {
  /** The tag that was or should be written; null for other places. */
  tag: string | null;
  /** Such as `result.items[1]`. */
  place: string;
  expected: string | null;
  actual: string | null;
}

/** One failure of a test, for people. */
export interface TestFailure {
  check: (typeof TEST_CHECKS)[number];
  message: string;
  /** The first differences that the message lists; absent if it is about something else. */
  differences?: TestDifference[];
}

export interface TestOutcome {
  passed: boolean;
  failures: TestFailure[];
  /** The run; null if the test could not be started. */
  report: RunReport | null;
  /** The events by rule that the writes would have created, if rules were evaluated. */
  events: ExpectedEvents[];
  /** The statements of the script that ran, if they were counted. */
  coverage?: Coverage;
}

export const TEST_LIMITS = { name: 200, tests: 1_000, tags: 10_000, mocks: 1_000, writes: 100_000 } as const;

/**
 * A test that expects the outcome of a run: the values that the script itself read (before it wrote the tag) as
 * fixtures, and its result, writes and error. Tags with bad quality become fixtures too. API calls use the mocks of the
 * workspace.
 */
export function testOfRun(name: string, context: RunContext, report: RunReport): ScriptTestText {
  const tags = new Map<string, TagFixture>();
  const written = new Set<string>();
  for (const item of traceItems(report)) {
    if (item.what === 'write') written.add(item.path);
    if (item.what !== 'read' || item.depth > 0 || item.type === 'Unknown') continue;
    const { path, value, quality, diagram, location } = item;
    const key = JSON.stringify([path, diagram, location]);
    if (written.has(path) || tags.has(key)) continue;
    tags.set(key, { tag: path, value: isUsable(quality) ? value : null, quality, diagram, location });
  }
  return {
    name,
    context,
    tags: [...tags.values()],
    mocks: [],
    expect: {
      status: report.status,
      error: report.error?.message ?? null,
      ...(report.status === 'ok' && { result: report.result }),
      writes: expectedWrites(report),
      events: null,
    },
  };
}

/** All writes of a run, in order, including those of scripts of tags. */
export function writesOf(report: RunReport): WriteEntry[] {
  return traceItems(report).filter((item) => item.what === 'write');
}

/** Times that a run wrote as its own time match any value: the next run has another time. */
function expectedWrites(report: RunReport): ExpectedWrite[] {
  const started = Date.parse(report.timing.startedAt);
  const isOwnTime = ({ type, value }: WriteEntry): boolean => {
    const after = type === 'DateTime' && typeof value === 'string' ? Date.parse(value) - started : Number.NaN;
    return after >= 0 && after <= report.timing.totalMs + 1;
  };
  return writesOf(report).map((entry) => {
    const { path: tag, value, diagram, location } = entry;
    return { tag, ...(!isOwnTime(entry) && { value }), diagram, location };
  });
}

/** A test as stored in a file, without members at their defaults. The schema of the contract reads it back. */
export function compactTest({ name, context, tags, mocks, expect }: ScriptTestText) {
  const { tagName, tagScopeDiagram, tagScopeLocation } = context;
  const given = {
    ...(tagName !== '' && { tagName }),
    ...(tagScopeDiagram !== null && { tagScopeDiagram }),
    ...(tagScopeLocation !== null && { tagScopeLocation }),
    ...('tagValue' in context && { tagValue: context.tagValue }),
  };
  return {
    name,
    ...(Object.keys(given).length > 0 && { context: given }),
    ...(tags.length > 0 && { tags: tags.map(compactFixture) }),
    ...(mocks.length > 0 && { mocks }),
    expect: {
      status: expect.status,
      ...(expect.error !== null && { error: expect.error }),
      ...('result' in expect && { result: expect.result }),
      ...(expect.writes && {
        writes: expect.writes.map(({ diagram, location, ...write }) => ({ ...write, ...named({ diagram, location }) })),
      }),
      ...(expect.events && { events: expect.events }),
    },
  };
}

const compactFixture = ({ tag, value, quality, ...scope }: TagFixture) => ({
  tag,
  value,
  ...(quality !== 'Good' && { quality }),
  ...named(scope),
});

const named = ({ diagram, location }: { diagram: string; location: string }) => ({
  ...(diagram !== DEFAULT_SCOPE.diagram && { diagram }),
  ...(location !== DEFAULT_SCOPE.location && { location }),
});
