import { convert } from '#domain/tag/convert';
import type { Rule } from '#domain/rule/rule';
import type { Coverage } from '#domain/run/coverage';
import type { RunReport, RunStatus } from '#domain/run/run';
import { DEFAULT_SCOPE, scopeOf } from '#domain/tag/scope';
import { writesOf } from '#domain/run/script-test';
import type { ExpectedEvents, ScriptTestText, TagFixture, TestFailure, TestOutcome } from '#domain/run/script-test';
import type { TagDefinition, TagValue } from '#domain/tag/tag';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import type { ApiCaller, RunDebugging, RunTree } from '../runs/run-tree.ts';
import type { TagCalls } from '#domain/run/script-evaluator';
import { tracedCalls } from '../runs/run-trace.ts';
import { failuresOf } from './check-outcome.ts';
import { eventsOf } from './events-of-writes.ts';
import type { FixedValue } from './fixed-tags.ts';
import { FixedTags } from './fixed-tags.ts';
import type { Instrumented } from '../instrument/coverage.ts';
import { originalError } from '../instrument/columns.ts';

export interface TestTags {
  readonly definitions: { definition(input: { path: string }): TagDefinition };
  session(options: { dryRun: boolean; scripts: ScriptEvaluator }): TagCalls;
}

export interface TestParts {
  tree: RunTree;
  tags: TestTags;
  rules: readonly Rule[];
  /** Responds to API calls with the mocks of the test. */
  api: ApiCaller;
  /** ms since 1970. */
  now: number;
  /** Whether the statements that run are counted. */
  coverage?: boolean;
  /** Debugs the run of the script. */
  debugging?: RunDebugging | undefined;
}

/**
 * Runs a test as a dry run in which tags have the values of its fixtures: a storage or machine tag as if it had been
 * written, so that calculations follow; any other returns the given value instead of running or reading its source.
 * Never rejects because of the test or the script; rejects with UNAVAILABLE if no script host is available.
 */
export async function runTest(
  body: string,
  test: ScriptTestText,
  parts: TestParts,
  signal: AbortSignal | undefined,
): Promise<TestOutcome> {
  const { prepared } = await import('../instrument/prepared.ts');
  const counted = parts.coverage ? await prepared('coverage', body) : null;
  if (counted !== null && typeof counted !== 'string') {
    const outcome = await runBody(counted.body, test, parts, signal, { ...counted, source: body });
    if (!outcome.report || !isByCounting(outcome.report, outcome.coverage)) return outcome;
  }
  return runBody(body, test, parts, signal, null);
}

const EXCEEDED: ReadonlySet<RunStatus> = new Set(['timeout', 'memory', 'crashed']);

/**
 * Whether a run may have failed only because its statements were counted: that costs time, memory and stack, and nests
 * the text deeper, so that V8 may reject it before a statement runs. Limits apply to the script itself.
 */
function isByCounting({ status, error }: RunReport, coverage: Coverage | undefined): boolean {
  if (EXCEEDED.has(status)) return true;
  if (!error) return false;
  return !coverage?.executed.includes('1') || /call stack/i.test(error.message);
}

async function runBody(
  body: string,
  test: ScriptTestText,
  parts: TestParts,
  signal: AbortSignal | undefined,
  counted: (Instrumented & { source: string }) | null,
): Promise<TestOutcome> {
  const { tree, tags, api } = parts;
  const { run, trace } = tree.root({ dryRun: true, api, debugging: parts.debugging });
  // The reads before and after the run belong to no Diagram and no location.
  const aside = tree.root({ dryRun: true, api }).run;
  let phase: ScriptEvaluator = aside;
  const session = tags.session({
    dryRun: true,
    scripts: {
      get signal() {
        return phase.signal;
      },
      get root() {
        return phase.root;
      },
      origin: null,
      run: (script) => phase.run(script),
    },
  });
  const { fixed, failures } = await applied(test.tags, tags, session);
  if (failures.length > 0) return { passed: false, failures, report: null, events: [] };
  const calls = new FixedTags(session, fixed);
  const watched = test.expect.events === null ? [] : tagsOf(parts.rules);
  const before = await shownBy(calls, watched);
  const { consoleDropped, covered, ...ended } = await run.execute(
    {
      body,
      context: test.context,
      ...(counted && { coverage: { counter: counted.counter, statements: counted.lines.length } }),
    },
    (inner) => {
      phase = inner;
      return tracedCalls(calls, trace);
    },
    signal,
  );
  phase = aside;
  const error = ended.error && counted ? originalError(ended.error, counted) : ended.error;
  const report: RunReport = { ...ended, error, ...trace.report(consoleDropped), dryRun: true };
  const events = await eventsMade(parts, test, report, { before, after: await shownBy(calls, watched) });
  const found = failuresOf(test.expect, report, events);
  const coverage = counted && covered !== undefined && { lines: counted.lines, executed: covered };
  return { passed: found.length === 0, failures: found, report, events, ...(coverage && { coverage }) };
}

async function eventsMade(
  { rules, tree, now }: TestParts,
  { expect }: ScriptTestText,
  report: RunReport,
  shown: { before: Map<string, TagValue>; after: Map<string, TagValue> },
): Promise<ExpectedEvents[]> {
  if (expect.events === null) return [];
  return eventsOf(rules, { ...shown, writes: writesOf(report) }, tree.outside, now);
}

/** Writes the fixtures that can be written; returns the others, which are fixed. */
async function applied(
  fixtures: readonly TagFixture[],
  tags: TestTags,
  session: TagCalls,
): Promise<{ fixed: FixedValue[]; failures: TestFailure[] }> {
  const fixed: FixedValue[] = [];
  const written: TagFixture[] = [];
  const failures: TestFailure[] = [];
  const fail = (message: string) => failures.push({ check: 'fixtures', message });
  for (const fixture of fixtures) {
    try {
      const { kind, type } = tags.definitions.definition({ path: fixture.tag });
      const value = convert(fixture.value, type);
      if (!value.ok) fail(`${fixture.tag}: ${value.reason}`);
      else if (fixture.quality === 'Good' && (kind === 'storage' || kind === 'machine')) written.push(fixture);
      else fixed.push({ ...fixture, value: value.value, type });
    } catch (thrown) {
      fail(messageOf(thrown));
    }
  }
  if (failures.length > 0) return { fixed, failures };
  const scopes = Map.groupBy(written, ({ diagram, location }) => JSON.stringify([diagram, location]));
  for (const items of scopes.values()) {
    const scope = scopeOf(items[0]?.diagram, items[0]?.location);
    try {
      await session.set(
        items.map(({ tag, value }) => ({ tag, value })),
        scope,
      );
    } catch (thrown) {
      fail(refusal(thrown));
    }
  }
  return { fixed, failures };
}

function refusal(thrown: unknown): string {
  const details = thrown instanceof TagwrightError ? thrown.message : messageOf(thrown);
  return `the value of a tag cannot be set: ${details}`;
}

function tagsOf(rules: readonly Rule[]): string[] {
  const paths = rules.flatMap(({ tags, window }) => (window.kind === 'while' ? [...tags, window.tag] : tags));
  return [...new Set(paths)];
}

async function shownBy(calls: TagCalls, paths: readonly string[]): Promise<Map<string, TagValue>> {
  if (paths.length === 0) return new Map();
  const values = await calls.get(paths, DEFAULT_SCOPE);
  return new Map(values.map((value) => [value.path, value]));
}
