import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { guestSource } from './src-main/sandbox/build/guest-source.ts';

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
    expect: { poll: { timeout: 10_000 } },
  },
});

export default defineConfig({
  plugins: [guestSource()],
  test: {
    projects: [
      project('unit', 20_000),
      project('contract', 30_000),
      project('integration', 60_000),
      project('e2e', 90_000),
    ],
  },
});
