import type { Breakpoint, PlacedBreakpoint } from '#domain/run/debug';
import type { RunContext, RunReport } from '#domain/run/run';
import type { TestOutcome } from '#domain/run/script-test';
import type { TagValue } from '#domain/tag/tag';
import { TagwrightError } from '../../platform/errors.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { RunDebugging } from '../runs/run-tree.ts';
import type { ScriptRunner } from '../sandbox/script-run.ts';
import type { LaunchArguments } from './dap-arguments.ts';
import type { Origin, ScriptNames } from './debug-sources.ts';

/** What a debug session needs of the rest of the product. */
export interface AdapterParts {
  names: ScriptNames;
  runner(): ScriptRunner;
  run(request: { body: string; context: RunContext; dryRun: boolean }, debugging: RunDebugging): Promise<RunReport>;
  /** The report is null if the test was rejected before its script ran. */
  runTest(request: { id: number; body?: string }, debugging: RunDebugging): Promise<TestOutcome>;
  /** The script and the context of a test. Throws NOT_FOUND. */
  test(id: number): { scriptId: number; context: RunContext };
  tags: TagReader;
  /** Throws BAD_REQUEST for a body that cannot be debugged. */
  check(body: string): Promise<unknown>;
  /** Where breakpoints pause; null for a body that cannot be debugged. */
  placed(body: string, breakpoints: readonly Breakpoint[]): Promise<PlacedBreakpoint[] | null>;
  /** How long a run stays paused without a command. */
  pausedMs(): number;
  /** A client is done with the session. */
  remove(): void;
  log: (where: string, fault: unknown) => void;
}

export interface TagReader {
  /** The values now; none while the scripts of tags may pause. */
  get(paths: readonly string[], scope: { diagram: string; location: string }): MaybePromise<TagValue[]>;
}

/** How a run ended, and whether it passed if it was a test. */
export interface LaunchOutcome {
  report: RunReport | null;
  test?: Omit<TestOutcome, 'report'>;
}

/** A run that a session can start. */
export interface Launch {
  body: string;
  context: RunContext;
  stopOnEntry: boolean;
  run(debugging: RunDebugging): Promise<LaunchOutcome>;
  /** The same run again, with the text that the library has now; null if it cannot be started. */
  again: (() => Launch) | null;
}

/** The run of the arguments of `launch`. Throws NOT_FOUND, or BAD_REQUEST if they do not name a body. */
export function launchOf(parts: AdapterParts, given: LaunchArguments): { launch: Launch; origin: Origin } {
  const { testId, tag, dryRun, stopOnEntry } = given;
  const test = testId === undefined ? null : parts.test(testId);
  const read = tag === undefined ? null : readOf(parts.names, tag);
  const script = scriptOf(parts.names, test ? { scriptId: test.scriptId } : (read ?? given));
  const body = given.body ?? script?.body ?? read?.body;
  if (body === undefined) {
    throw new TagwrightError(
      'BAD_REQUEST',
      'launch: give the script by "body", "script", "scriptId", "testId" or "tag".',
    );
  }
  const context = test?.context ?? {
    tagName: tag ?? '',
    tagScopeDiagram: null,
    tagScopeLocation: null,
    ...withoutUndefined(given.context),
  };
  const launch: Launch = {
    body,
    context,
    stopOnEntry,
    run: async (debugging) => {
      if (testId === undefined) return { report: await parts.run({ body, context, dryRun }, debugging) };
      const request = { id: testId, ...(given.body !== undefined && { body }) };
      const { report, ...outcome } = await parts.runTest(request, debugging);
      return { report, test: outcome };
    },
    again: () => launchOf(parts, given).launch,
  };
  return { launch, origin: originOf(given, script) };
}

/** What a tag reads. Throws NOT_FOUND. */
function readOf(names: ScriptNames, tag: string): { scriptId?: number; body?: string } {
  const script = names.ofTag(tag, 'read');
  if (script) return { scriptId: script.id };
  const expression = names.expressionOf(tag);
  if (expression !== null) return { body: bodyOfExpression(expression) };
  const message = `The tag ${tag} has no expression and no read script, so there is nothing to debug.`;
  throw new TagwrightError('NOT_FOUND', message);
}

/** A script that returns what an expression does. */
const bodyOfExpression = (expression: string): string => `return (
${expression}
);

function tag(path) {
  return TagValueManager.Get([path]).Value[0].Value;
}
function quality(path) {
  return TagValueManager.Get([path]).Value[0].Quality;
}
`;

interface LibraryScript {
  id: number;
  name: string;
  body: string;
}

function scriptOf(
  names: ScriptNames,
  { scriptId, script }: Pick<LaunchArguments, 'scriptId' | 'script'>,
): LibraryScript | null {
  const id = scriptId ?? (script === undefined ? undefined : names.byName(script)?.id);
  if (id === undefined) {
    if (script === undefined) return null;
    throw new TagwrightError('NOT_FOUND', `There is no script "${script}". "scripts list" lists them.`);
  }
  const found = names.byId(id);
  if (found === null) throw new TagwrightError('NOT_FOUND', `There is no script with the id ${id}.`);
  return { id, ...found };
}

function originOf({ source, tag }: LaunchArguments, script: LibraryScript | null): Origin {
  if (source?.path !== undefined && source.path !== '') {
    const name = source.name ?? script?.name ?? source.path;
    return { key: source.path, name, scriptId: script?.id ?? null, isFile: !source.path.startsWith('script:') };
  }
  if (script) return { key: `script:${script.id}`, name: script.name, scriptId: script.id, isFile: false };
  if (tag !== undefined) return { key: `tag:${tag}`, name: tag, scriptId: null, isFile: false };
  return { key: 'body', name: source?.name ?? 'script', scriptId: null, isFile: false };
}

function withoutUndefined(given: LaunchArguments['context']): Partial<RunContext> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
}
