import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestModule } from 'vitest/node';
import { createVitest, parseCLI } from 'vitest/node';
import { buildWhenStale } from '../resources/bin/build-when-stale.mjs';
import { provideBrowser } from './support/browser/browser.ts';
import { seedOfRun } from './support/run/random-numbers.ts';
import { changedFiles, selectedFiles } from './support/run/selection.ts';

/**
 * Runs npm scripts in parallel, then tests. `npm test`: the checks, the build if it is stale, and the selected test
 * files; with TAGWRIGHT_TESTS=long, all of them, in the long form of those that have one. `npm run check`: the checks
 * and the unit tests. `npm run test:long`: the tests that `npm test` skips or shortens, in full. Further arguments
 * go to Vitest: `npm test -- tests/unit/tags` runs these files, without a selection. The last line counts everything;
 * the exit code is 0 when nothing failed.
 */
const CHECKS = ['types', 'lint', 'format:check', 'dead-code'];
const MODES = {
  test: { scripts: CHECKS, product: true, files: filesOfTest },
  // Subjects are checked where they can still be reworded: a tree that is tested may have been merged by others.
  check: { scripts: [...CHECKS, 'commits'], product: false, files: () => ['tests/unit/'] },
  long: { scripts: [], product: true, files: filesOfLong },
};

/** In characters: enough for the reason, without whole pages of HTML. */
const MAX_MESSAGE = 1_000;

const started = performance.now();
const args = process.argv.slice(2);
const mode = args[0] === 'check' || args[0] === 'long' ? args[0] : 'test';
const { scripts, product, files } = MODES[mode];
if (mode === 'long') {
  process.env['TAGWRIGHT_TESTS'] = 'long';
  // Too many for CI: 19 minutes.
  process.env['HUB_KILLS'] ??= '1000';
}

const further = args.slice(mode === 'test' ? 0 : 1);
// Without a browser, the tests that need one fail and say why.
const finding = product && further.length === 0 ? provideBrowser().catch(() => 'none') : null;
const ended = await Promise.all([...scripts.map(runScript), ...(product ? [build()] : [])]);
const browser = await finding;
const failedScripts = ended.filter((failed) => failed !== null);
const count = { passed: 0, failed: failedScripts.length, skipped: 0 };
const failures = failedScripts.map((script) => `× npm run ${script}`);
if (failedScripts.length === 0) await runTests(further);
else console.log(`No test was run: ${failedScripts.map((script) => `npm run ${script}`).join(', ')} failed.`);

const summary = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
const time = `Took ${Math.round((performance.now() - started) / 1_000)} s`;
console.log([`${browser === null ? time : `${time} with the browser ${browser}`}.`, ...failures, summary].join('\n'));
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);

/** Runs an npm script. If it fails, shows its output and resolves to its name, otherwise to null. */
async function runScript(script: string): Promise<string | null> {
  const child = spawn('npm', ['run', '--silent', script], { shell: process.platform === 'win32' });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  console.log(`${code === 0 ? '✓' : '×'} npm run ${script}`);
  if (code === 0) return null;
  console.log(Buffer.concat(printed).toString());
  return script;
}

/** Resolves to null, or to the name of the script that builds. */
async function build(): Promise<string | null> {
  const problem = await buildWhenStale(process.cwd(), process.execPath);
  console.log(`${problem === null ? '✓' : '×'} build`);
  if (problem === null) return null;
  console.log(problem);
  return 'build';
}

function filesOf(projects: string): string[] {
  return globSync(`tests/${projects}/**/*.test.ts`).map((path) => path.replaceAll('\\', '/'));
}

/** All in the long form, which decides about a change; else the selection of this run. */
function filesOfTest(): string[] {
  const all = filesOf('{unit,contract,integration,e2e}');
  if (process.env['TAGWRIGHT_TESTS'] === 'long') return all;
  const selected = selectedFiles(all, changedFiles(), seedOfRun());
  console.log(
    `${selected.length} of ${all.length} test files were selected. "npm run test:long" runs all others, too.`,
  );
  return selected;
}

function filesOfLong(): string[] {
  const hasLongForm = (file: string) => /support\/(?:scale|accessibility)\.ts/.test(readFileSync(file, 'utf8'));
  return [...filesOf('{integration,e2e}'), ...filesOf('{unit,contract}').filter(hasLongForm)];
}

/** Files that are named in the command line replace those of the mode. */
async function runTests(commandLine: string[]): Promise<void> {
  const { filter, options } = parseCLI(['vitest', 'run', ...commandLine]);
  const runner = await createVitest(options);
  console.log(`TAGWRIGHT_SEED=${process.env['TAGWRIGHT_SEED']}`);
  const { testModules, unhandledErrors } = await runner.start(filter.length > 0 ? filter : files());
  await runner.close();
  count.failed += unhandledErrors.length;
  for (const error of unhandledErrors) {
    // As vitest serializes it: possibly without a prototype, and so without a text of its own.
    const message: unknown = Reflect.get(Object(error), 'message');
    failures.push(failure('Outside the tests', typeof message === 'string' ? message : JSON.stringify(error)));
  }
  for (const module of testModules) {
    const failed = failuresOf(module);
    failures.push(...failed);
    count.failed += failed.length;
    for (const test of module.children.allTests('passed')) if (test.ok()) count.passed += 1;
    for (const test of module.children.allTests('skipped')) if (test.ok()) count.skipped += 1;
  }
}

/** The failed tests of a file. A file that failed outside its tests counts as one failure. */
function failuresOf(module: TestModule): string[] {
  const file = relative(process.cwd(), module.moduleId);
  const tests = [...module.children.allTests('failed'), ...module.children.allTests('pending')];
  if (tests.length === 0 && !module.ok()) return [failure(file, module.errors()[0]?.message)];
  return tests.map((test) => failure(`${file} > ${test.fullName}`, messageOf(test)));
}

function messageOf(test: TestCase): string | undefined {
  return test.result().errors?.[0]?.message;
}

/** One line for the test, and the start of what went wrong below it. */
function failure(name: string, message = 'It did not end.'): string {
  const lines = stripVTControlCharacters(message).slice(0, MAX_MESSAGE).trimEnd().split('\n');
  return [`× ${name}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
