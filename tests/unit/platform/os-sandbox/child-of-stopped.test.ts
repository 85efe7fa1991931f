import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { childOfStopped } from '../../../../src-main/platform/os-sandbox/linux-tools.ts';

describe.runIf(process.platform === 'linux')('a process that is stopped before its end', () => {
  test('starts no child after the one that is returned', async () => {
    // It starts a child as soon as the previous one has ended.
    const shell = spawn('sh', ['-c', 'echo begun; while :; do sleep 0.01; done'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void shell.kill('SIGKILL'));
    const [pid = 0] = [shell.pid];
    await once(shell.stdout, 'data');
    const child = childOfStopped(pid);
    expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) T /);
    if (child !== null) expect(readFileSync(`/proc/${child}/stat`, 'latin1')).toMatch(new RegExp(`\\) . ${pid} `));
    shell.kill('SIGKILL');
    await once(shell, 'exit');
  });

  test('has no child if it has ended', async () => {
    const ended = spawn('true', { stdio: 'ignore' });
    await once(ended, 'exit');
    expect(childOfStopped(ended.pid ?? 0)).toBeNull();
  });
});
