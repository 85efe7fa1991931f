import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const MODULE = new URL('../../../../src-main/platform/os-sandbox/linux-tools.ts', import.meta.url).href;
const LEFT_OPEN = 40;
/** The descriptors that a program inherits, before and after its parent opened many files. */
const PROGRAM = `
  import { openSync } from 'node:fs';
  import { closedDescriptors } from ${JSON.stringify(MODULE)};
  const first = closedDescriptors(4);
  const own = Array.from({ length: 100 }, () => openSync('/dev/null', 'r'));
  console.log(JSON.stringify({ first, later: closedDescriptors(4), own, beyond: closedDescriptors(${LEFT_OPEN + 1}) }));
`;

describe.runIf(process.platform === 'linux')('the descriptors of a started program', () => {
  test('are /dev/null for one the parent left open, and none for later files', () => {
    const file = openSync('/dev/zero', 'r');
    try {
      const stdio = Array.from({ length: LEFT_OPEN + 1 }, (_, index) => (index === LEFT_OPEN ? file : 'ignore'));
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--no-warnings', '--input-type=module-typescript', '-e', PROGRAM],
        { stdio: ['ignore', 'pipe', 'pipe', ...stdio.slice(3)], encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      const { first, later, own, beyond } = JSON.parse(stdout) as Record<string, ('ignore' | number)[]>;
      // The process that started the tests may have left others open.
      expect(first?.[LEFT_OPEN - 4]).toEqual(expect.any(Number));
      expect(first?.filter((entry, index) => entry !== 'ignore' && own?.includes(index + 4))).toEqual([]);
      expect(own).toHaveLength(100);
      expect(later).toEqual(first);
      expect(beyond).toEqual(first?.slice(LEFT_OPEN + 1 - 4));
    } finally {
      closeSync(file);
    }
  });
});
