import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { childOfStopped } from '../../../../src-main/platform/os-sandbox/linux-tools.ts';

describe.runIf(process.platform === 'linux')('a process that is stopped before its end', () => {
  test('stops, and its child is returned', async () => {
    const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const { pid = 0 } = shell;
    const [line]: unknown[] = await once(shell.stdout, 'data');
    const child = Number(line);
    onTestFinished(() => {
      for (const one of [child, pid]) process.kill(one, 'SIGKILL');
    });
    expect(childOfStopped(pid)).toBe(child);
    // On a busy machine, it may get no processor in which to stop for a while.
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) T /);
  });

  test('has no child if it has ended', async () => {
    const ended = spawn('true', { stdio: 'ignore' });
    await once(ended, 'exit');
    expect(childOfStopped(ended.pid ?? 0)).toBeNull();
  });
});
