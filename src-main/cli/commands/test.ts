import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import XMLBuilder from 'fast-xml-builder';
import type { TestOutcome } from '#domain/run/script-test';
import { TagwrightError } from '../../platform/errors.ts';
import { applyFolder } from '../../exchange/apply-folder.ts';
import { readFolder } from '../../exchange/read-folder.ts';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usage } from '../input.ts';
import type { Io } from '../io.ts';
import { coloured } from '../io.ts';
import { saveFile } from '../output.ts';
import { jsonLine, printable, counted } from '../text.ts';

interface TestOptions extends WorkspaceOption, JsonOption {
  filter?: string;
  junit?: string;
}

export function addTest(program: Command, context: CommandContext): void {
  const command = program
    .command('test')
    .summary('runs the tests of scripts')
    .description(
      'Runs the tests of scripts: those of a folder of "tagwright export", with its scripts, tags, mocks and rules in a\n' +
        'temporary workspace, or, without a folder, those of the workspace. A test saves nothing, and none of its API\n' +
        'calls leaves this machine. Exits with 1 if a test fails.',
    )
    .argument('[dir]', 'a folder of "tagwright export"')
    .option('-f, --filter <text>', 'only tests whose "Group/Name: test" contains this text')
    .option('--junit <file>', 'also write the report as JUnit XML');
  withJson(withWorkspace(command)).action(async (folder: string | undefined, options: TestOptions) => {
    const { io } = context;
    if (folder !== undefined && options.workspace !== undefined) {
      throw usage('Use either a folder or a workspace: the tests of a folder run in a temporary workspace.');
    }
    const ran =
      folder === undefined
        ? await inSession(context, options, (client) => runAll(client, options, io))
        : await inFolder(context, folder, options);
    io.out(options.json ? jsonLine(ran) : countText(ran, io));
    if (options.junit !== undefined) {
      // A folder that cannot be created is reported when its file cannot be written.
      await mkdir(dirname(options.junit), { recursive: true }).catch(() => undefined);
      await saveFile(options.junit, junitText(ran));
    }
    if (ran.some(({ outcome }) => !outcome.passed)) context.exit(EXIT.refused);
  });
  command.addHelpText(
    'after',
    `
Examples:
  tagwright test plant
  tagwright test plant --filter "Line 1/" --junit report.xml`,
  );
}

/** Runs the tests of a folder in a workspace with nothing else. */
async function inFolder(context: CommandContext, folder: string, options: TestOptions): Promise<ReportedTest[]> {
  const given = await readFolder(folder);
  const workspace = await mkdtemp(join(tmpdir(), 'tagwright-test-'));
  try {
    return await inSession(context, { workspace, empty: true }, async (client) => {
      await applyFolder(client, given, false);
      return await runAll(client, options, context.io);
    });
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function runAll(client: InstanceClient, { filter = '', json }: TestOptions, io: Io): Promise<ReportedTest[]> {
  const names = new Map((await client.scripts.list()).scripts.map(({ id, group, name }) => [id, `${group}/${name}`]));
  const tests = (await client.scriptTests.list({}))
    .map((test) => ({ ...test, script: names.get(test.scriptId) ?? '' }))
    .filter(({ script, name }) => `${script}: ${name}`.includes(filter))
    .toSorted((a, b) => (a.script < b.script ? -1 : Number(a.script > b.script)));
  if (tests.length === 0) {
    const which = filter === '' ? 'There are no tests' : `No test matches "${filter}"`;
    throw usage(`${which}. Save a run as a test in the workbench, or create <Name>.tests.json next to a script.`);
  }
  const cancel = new AbortController();
  const stop = io.onInterrupt(() => cancel.abort());
  const ran: ReportedTest[] = [];
  try {
    for (const { id, script, name } of tests) {
      if (!json && ran.at(-1)?.script !== script) io.out(`${printable(script)}\n`);
      const started = performance.now();
      const outcome = await client.scriptTests.run({ id }, { signal: cancel.signal });
      const done = { script, name, outcome, ms: Math.round((performance.now() - started) * 100) / 100 };
      if (!json) io.out(testText(done, io));
      ran.push(done);
    }
  } catch (thrown) {
    if (!cancel.signal.aborted) throw thrown;
    throw new TagwrightError('CANCELLED', `Cancelled after ${ran.length} of ${tests.length} tests.`, { cause: thrown });
  } finally {
    stop();
  }
  if (cancel.signal.aborted)
    throw new TagwrightError('CANCELLED', `Cancelled during test ${ran.length} of ${tests.length}.`);
  return ran;
}

/** A finished test. */
interface ReportedTest {
  /** `Group/Name` */
  script: string;
  name: string;
  outcome: TestOutcome;
  ms: number;
}

/** A test with its differences from the expectations, for people. */
function testText({ name, outcome, ms }: ReportedTest, io: Io): string {
  const mark = outcome.passed ? coloured(io, 'green', '✓') : coloured(io, 'red', '✗');
  const lines = [`  ${mark} ${printable(name)}  ${coloured(io, 'dim', `${Math.round(ms)} ms`)}\n`];
  for (const { message } of outcome.failures) lines.push(`${printable(message).replaceAll(/^/gm, '      ')}\n`);
  if (!outcome.passed) {
    for (const { level, text } of outcome.report?.console ?? []) {
      lines.push(`      ${level.padEnd(5)}  ${printable(text).replaceAll('\n', '\n             ')}\n`);
    }
  }
  return lines.join('');
}

function countText(ran: readonly ReportedTest[], io: Io): string {
  const failed = ran.filter(({ outcome }) => !outcome.passed).length;
  const passed = `${counted(ran.length - failed, 'test')} passed`;
  return failed === 0
    ? `\n${coloured(io, 'green', passed)}\n`
    : `\n${passed}, ${coloured(io, 'red', `${failed.toLocaleString('en')} failed`)}\n`;
}

/** The report as JUnit XML for build servers: a suite for each script. Members with an @ are attributes. */
function junitText(ran: readonly ReportedTest[]): string {
  const counts = (tests: readonly ReportedTest[]) => ({
    '@tests': tests.length,
    '@failures': tests.filter(({ outcome }) => !outcome.passed).length,
    '@errors': 0,
    '@skipped': 0,
  });
  const suites = [...Map.groupBy(ran, ({ script }) => script)].map(([script, tests]) => ({
    '@name': xml(script),
    ...counts(tests),
    testcase: tests.map(testCase),
  }));
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    format: true,
  });
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: { ...counts(ran), testsuite: suites },
  });
}

function testCase({ script, name, outcome, ms }: ReportedTest) {
  const [first] = outcome.failures;
  const details = xml(outcome.failures.map(({ message }) => message).join('\n'));
  const console = xml((outcome.report?.console ?? []).map(({ level, text }) => `${level}: ${text}`).join('\n'));
  return {
    '@classname': xml(script),
    '@name': xml(name),
    '@time': ms / 1_000,
    ...(first && { failure: { '@message': details, '@type': first.check, '#text': details } }),
    ...(console !== '' && { 'system-out': console }),
  };
}

/** Characters that XML does not allow, made visible. */
const xml = (text: string): string => printable(text).replaceAll(/[\ufffe\uffff]|\p{Cs}/gu, '�');
