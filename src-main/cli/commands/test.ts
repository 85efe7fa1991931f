import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { coverageByLine, coverageSummary, mergedCoverage, missedLines } from '#domain/run/coverage';
import { testOfCapsule } from '#domain/run/capsule-test';
import { compactTest, type TestOutcome } from '#domain/run/script-test';
import { grouped } from '#domain/text/grouped';
import { TagwrightError } from '../../platform/errors.ts';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseScriptName, readCapsuleFile, usage } from '../input.ts';
import type { Io } from '../io.ts';
import { colored } from '../io.ts';
import { type JUnitCase, junitXml } from '../../platform/report/junit.ts';
import { saveFile } from '../output.ts';
import { printable } from '../../platform/report/printable.ts';
import { jsonLine, listedMoment, counted } from '../text.ts';

interface TestOptions extends WorkspaceOption, JsonOption {
  filter?: string;
  junit?: string;
  coverage?: boolean;
  coverageLcov?: string;
}

export function addTest(program: Command, context: CommandContext): void {
  const command = program
    .command('test')
    .summary('runs the tests of scripts')
    .description(
      'Runs the tests of scripts: those of a folder written by "tagwright export", with its scripts, tags, mocks and rules in a ' +
        'temporary workspace, or, without a folder, those of the workspace. A test saves nothing, and none of its API ' +
        'calls leaves this machine. Exits with 1 if a test fails.',
    )
    .argument('[dir]', 'a folder written by "tagwright export"')
    .option('-f, --filter <text>', 'only tests whose "Group/Name: test" contains this text')
    .option('--junit <file>', 'also write the report as JUnit XML')
    .option('--coverage', 'also report which lines of the scripts the tests ran')
    .option('--coverage-lcov <file>', 'also write the coverage as LCOV');
  withJson(withWorkspace(command)).action(async (folder: string | undefined, options: TestOptions) => {
    const { io } = context;
    if (folder !== undefined && options.workspace !== undefined) {
      throw usage('Use either a folder or a workspace: the tests of a folder run in a temporary workspace.');
    }
    const ran =
      folder === undefined
        ? await inSession(context, { ...options, runsScripts: true }, (client) => runAll(client, options, io))
        : await inFolder(context, folder, options);
    io.out(options.json ? jsonLine(ran) : countText(ran, io));
    if (options.coverage && !options.json) io.out(coverageText(ran, io));
    await saveReport(options.junit, () => junitText(ran));
    await saveReport(options.coverageLcov, () => lcovText(ran));
    if (ran.some(({ outcome }) => !outcome.passed)) context.exit(EXIT.refused);
  });
  command.addHelpText(
    'after',
    `
Examples:
  tagwright test plant
  tagwright test plant --filter "Line 1/" --junit report.xml
  tagwright test plant --coverage --coverage-lcov coverage.lcov`,
  );
}

/** Runs the tests of a folder in a workspace with nothing else. */
async function inFolder(context: CommandContext, folder: string, options: TestOptions): Promise<ReportedTest[]> {
  const { readFolder } = await import('../../exchange/read-folder.ts');
  const { applyFolder } = await import('../../exchange/apply-folder.ts');
  const given = await readFolder(folder);
  const workspace = await mkdtemp(join(tmpdir(), 'tagwright-test-'));
  try {
    return await inSession(context, { workspace, empty: true, runsScripts: true }, async (client) => {
      await applyFolder(client, given, false);
      const files = new Map(given.scripts.map(({ group, name, file }) => [`${group}/${name}`, join(folder, file)]));
      return await runAll(client, options, context.io, files);
    });
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

/** A report in its file; a folder that cannot be created is reported when its file cannot be written. */
async function saveReport(file: string | undefined, text: () => string | Promise<string>): Promise<void> {
  if (file === undefined) return;
  await mkdir(dirname(file), { recursive: true }).catch(() => undefined);
  await saveFile(file, await text());
}

/** @param files the files with the bodies of scripts, by `Group/Name` */
async function runAll(
  client: InstanceClient,
  { filter = '', json, coverage = false, coverageLcov }: TestOptions,
  io: Io,
  files: ReadonlyMap<string, string> = new Map(),
): Promise<ReportedTest[]> {
  const counting = coverage || coverageLcov !== undefined;
  const { bodyFile } = await import('../../exchange/folder-format.ts');
  const { scripts } = await client.scripts.list();
  const names = new Map(scripts.map(({ id, group, name }) => [id, `${group}/${name}`]));
  const bodies = new Map(scripts.map((one) => [`${one.group}/${one.name}`, bodyFile(one)]));
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
      const outcome = await client.scriptTests.run({ id, coverage: counting }, { signal: cancel.signal });
      const file = files.get(script) ?? bodies.get(script) ?? '';
      const done = { script, file, name, outcome, ms: Math.round((performance.now() - started) * 100) / 100 };
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
  /** The file with the body of the script in an exported folder. */
  file: string;
  name: string;
  outcome: TestOutcome;
  ms: number;
}

/** A test with its differences from the expectations, for people. */
function testText({ name, outcome, ms }: ReportedTest, io: Io): string {
  const mark = outcome.passed ? colored(io, 'green', '✓') : colored(io, 'red', '✗');
  const lines = [`  ${mark} ${printable(name)}  ${colored(io, 'dim', `${Math.round(ms)} ms`)}\n`];
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
    ? `\n${colored(io, 'green', passed)}\n`
    : `\n${passed}, ${colored(io, 'red', `${grouped(failed)} failed`)}\n`;
}

const byScript = (ran: readonly ReportedTest[]) =>
  [...Map.groupBy(ran, ({ script }) => script)].map(([script, tests]) => {
    const all = tests.flatMap(({ outcome }) => outcome.coverage ?? []);
    return { script, file: tests[0]?.file ?? '', all, merged: mergedCoverage(all) };
  });

/** The part of each script that its tests ran, and the lines that they did not. */
function coverageText(ran: readonly ReportedTest[], io: Io): string {
  const lines = byScript(ran).map(({ script, merged }) => {
    if (!merged) return `     -  ${printable(script)}  ${colored(io, 'dim', 'not counted')}`;
    const { lines: all, executed, percent } = coverageSummary(merged);
    const missed = rangesText(missedLines(merged));
    const rest = `${executed} of ${counted(all, 'line')}${missed === '' ? '' : `; not run: ${missed}`}`;
    return `  ${`${percent}%`.padStart(4)}  ${printable(script)}  ${colored(io, 'dim', rest)}`;
  });
  return `\nCoverage of the scripts with tests\n${lines.join('\n')}\n`;
}

/** `9, 12-14` */
function rangesText(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}

/** The coverage for build servers; the count of a line is the number of tests that ran it. */
function lcovText(ran: readonly ReportedTest[]): string {
  return byScript(ran)
    .map(({ file, all, merged }) => {
      if (!merged) return '';
      const counts = new Map([...coverageByLine(merged).keys()].map((line) => [line, 0]));
      for (const one of all) {
        for (const [line, { executed }] of coverageByLine(one)) {
          if (executed > 0) counts.set(line, (counts.get(line) ?? 0) + 1);
        }
      }
      const lines = [...counts].toSorted(([a], [b]) => a - b);
      const hit = lines.filter(([, count]) => count > 0).length;
      const data = lines.map(([line, count]) => `DA:${line},${count}\n`).join('');
      return `TN:\nSF:${printable(file)}\n${data}LF:${lines.length}\nLH:${hit}\nend_of_record\n`;
    })
    .join('');
}

/** The report for build servers. */
const junitText = (ran: readonly ReportedTest[]) =>
  junitXml(
    ran.map(({ script, name, outcome, ms }): JUnitCase => {
      const [first] = outcome.failures;
      const message = outcome.failures.map((failure) => failure.message).join('\n');
      return {
        suite: script,
        name,
        ms,
        failure: first ? { type: first.check, message } : null,
        output: (outcome.report?.console ?? []).map(({ level, text }) => `${level}: ${text}`).join('\n'),
      };
    }),
  );

interface AddOptions extends WorkspaceOption, JsonOption {
  capsule: string;
  script?: string;
  name?: string;
}

/** The command group `tests`; `tagwright test` runs them. */
export function addTests(program: Command, context: CommandContext): void {
  const tests = program.command('tests').description('Adds tests to scripts; "tagwright test" runs them.');
  const command = tests
    .command('add')
    .description(
      'Adds a test to a script from a capsule: what the run read becomes fixtures, its API calls become mocks, and what it did ' +
        'becomes the expected results. Lists what the test cannot hold.',
    )
    .requiredOption('--capsule <file>', 'the capsule, or - for standard input')
    .option('-s, --script <group/name>', 'the script of the test (default: the one that the capsule names)')
    .option('--name <text>', 'the name of the test (default: the time of the run)');
  withJson(withWorkspace(command)).action(async (options: AddOptions) => {
    const named = options.script === undefined ? null : parseScriptName(options.script);
    const bytes = await readCapsuleFile(context.io, options.capsule);
    const { readCapsule } = await import('../../replay.ts');
    const { capsule } = readCapsule(bytes);
    const script = named ?? (capsule.script.name === null ? null : parseScriptName(capsule.script.name));
    if (!script) throw usage('The capsule names no saved script. Name the script of the test: --script "Group/Name".');
    const name = options.name ?? `Run of ${listedMoment(capsule.report.timing.startedAt)}`;
    const { test, lost } = testOfCapsule(name, capsule);
    await inSession(context, options, async (client) => {
      const { id } = await client.scripts.get(script);
      await client.scriptTests.save({ ...test, scriptId: id });
    });
    const { io } = context;
    if (options.json) return io.out(jsonLine({ test: compactTest(test), lost }));
    io.out(`Test "${printable(name)}" added to ${printable(`${script.group}/${script.name}`)}\n`);
    if (lost.length > 0) io.err('The test does not have:\n');
    for (const one of lost) io.err(`  ${printable(one)}\n`);
  });
}
