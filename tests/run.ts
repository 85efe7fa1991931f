import type { TestModule } from 'vitest/node';
import { createVitest, parseCLI } from 'vitest/node';

/**
 * `npm test`: runs every test, then once more, from their beginning and by themselves, the few files of
 * `SECOND_CHANCE` that failed. These drive real processes and real browsers on a machine that others may use too; each
 * file makes its own workspace, so a second run starts as fresh as the first. What passed only then is named: it is a
 * race that somebody must find. The last line counts everything; the exit code is 0 when nothing failed.
 */
const SECOND_CHANCE = new Set(['integration', 'e2e']);
/** More files than this do not fail by chance. */
const MOST_FILES = 4;

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const vitest = await createVitest(options);
const { testModules, unhandledErrors } = await vitest.start(filter);
const failed = testModules.filter((module) => !module.ok());
const again =
  failed.every(({ project }) => SECOND_CHANCE.has(project.name)) && failed.length <= MOST_FILES ? failed : [];
const names = again.flatMap(failedTests);
if (again.length > 0) {
  console.log(`\nOnce more: ${again.map(({ relativeModuleId }) => relativeModuleId).join(', ')}\n`);
  const { unhandledErrors: later } = await vitest.runTestSpecifications(
    again.map((module) => module.toTestSpecification()),
  );
  unhandledErrors.push(...later);
}
const modules = vitest.state.getTestModules();
await vitest.close();

const stillFailed = new Set(modules.flatMap(failedTests));
for (const name of names) if (!stillFailed.has(name)) console.log(`passed only when tried again: ${name}`);
const count = { passed: 0, failed: unhandledErrors.length + stillFailed.size, skipped: 0 };
for (const module of modules) {
  for (const test of module.children.allTests('passed')) if (test.ok()) count.passed += 1;
  for (const test of module.children.allTests('skipped')) if (test.ok()) count.skipped += 1;
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);

/** The names of what failed in a file: its tests, or the file where it failed outside of them. */
function failedTests(module: TestModule): string[] {
  const tests = [...module.children.allTests('failed'), ...module.children.allTests('pending')];
  if (tests.length === 0 && !module.ok()) return [module.relativeModuleId];
  return tests.map((test) => `${module.relativeModuleId} > ${test.fullName}`);
}
