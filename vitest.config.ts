import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import { guestSource } from './src-main/scripting/sandbox/build/guest-source.ts';
import { procedureKinds } from './src-renderer/build/procedure-kinds.ts';
import { seedOfRun } from './tests/support/run/random-numbers.ts';

// Before the workers start, so that all draw the same numbers.
seedOfRun();

/** For temporary files of this run: tests and what they start put them there, and nothing is left after it. */
const RUN_FOLDER = join(tmpdir(), `tagwright-run-${process.pid}`);

const IS_LONG = process.env['TAGWRIGHT_TESTS'] === 'long';

/** The longest first, so that no worker is left with a long file at the end. */
const PROJECTS = ['e2e', 'integration', 'contract', 'unit'];
/** The files that take more than half a minute in the long form, whatever their project. */
const MINUTES = [
  'soak',
  'same-semantics',
  'change-feed',
  'many-streams',
  'poisoned-realms',
  'debugged-corpus',
  'attack/corpus',
  // Most of their time is waiting.
  'documented-consumer',
  'check-consumer',
  'conformance',
  'power-failure',
  'hub/faults',
  'cli/capsules',
  'webhooks/kill',
  'tags/columns',
];

/** The place of a file among those; -1 if it is none of them. */
const placeOf = ({ moduleId }: TestSpecification): number =>
  IS_LONG ? MINUTES.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`)) : -1;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of Vitest
    const sorted = await super.sort(files);
    const first = sorted.filter((file) => placeOf(file) >= 0).toSorted((a, b) => placeOf(a) - placeOf(b));
    const others = sorted.filter((file) => placeOf(file) < 0);
    return [...first, ...PROJECTS.flatMap((name) => others.filter(({ project }) => project.name === name))];
  }
}

/** The full form of a test has many more steps, so its limit is longer, too. */
const LIMITS = IS_LONG ? 10 : 1;

/**
 * The limits are for machines that are busy with other things: they only end what would never end. Without isolation the
 * files of a worker share their modules: twice as fast, and e2e files share a browser.
 */
const project = (name: string, testTimeout: number) => ({
  extends: true as const,
  test: {
    name,
    env: {
      TMPDIR: RUN_FOLDER,
      TEMP: RUN_FOLDER,
      TMP: RUN_FOLDER,
      // What tests open does not get onto the user's own list of workspaces.
      TAGWRIGHT_STATE: join(RUN_FOLDER, 'state'),
      // Programs that tests start from sources take a fifth less processor time.
      NODE_COMPILE_CACHE: resolve('out/test/compiled'),
    },
    include: [`tests/${name}/**/*.test.ts`],
    globalSetup: ['tests/support/run/run-folder.ts', 'tests/support/product/build-script-host.ts'],
    isolate: false,
    testTimeout: testTimeout * LIMITS,
    hookTimeout: testTimeout * LIMITS,
    setupFiles: ['tests/support/run/patience.ts', ...(name === 'e2e' ? ['tests/support/browser/e2e-setup.ts'] : [])],
    // As long as Playwright waits in pages.
    expect: { poll: { timeout: 60_000 } },
  },
});

export default defineConfig({
  plugins: [guestSource(), procedureKinds()],
  test: {
    // Tests wait; Vitest itself would leave one processor idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', 60_000),
      project('contract', 60_000),
      project('integration', 120_000),
      project('e2e', 300_000),
    ],
  },
});
