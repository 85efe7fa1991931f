import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { guestSource } from './src-main/scripting/sandbox/build/guest-source.ts';

/** The limits are for machines that are busy with other things: they only end what would never end. */
const project = (name: string, testTimeout: number) => ({
  extends: true as const,
  test: {
    name,
    // What tests open does not get onto the user's own list of workspaces.
    env: { TAGWRIGHT_STATE: join(tmpdir(), 'tagwright-test-state') },
    include: [`tests/${name}/**/*.test.ts`],
    globalSetup: ['tests/support/build-script-host.ts'],
    testTimeout,
    hookTimeout: testTimeout,
    setupFiles: ['tests/support/patience.ts'],
    expect: { poll: { timeout: 30_000 } },
  },
});

export default defineConfig({
  plugins: [guestSource()],
  test: {
    projects: [
      project('unit', 60_000),
      project('contract', 60_000),
      project('integration', 120_000),
      project('e2e', 300_000),
    ],
  },
});
