import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A Node process that runs a program of `children/` for the test. Its output is read line by line. */
export interface Child {
  process: ChildProcessWithoutNullStreams;
  /** The next line of its output; rejects if it ends without one. */
  line(): Promise<string>;
  /** All its lines, after it has ended. */
  ended(): Promise<string[]>;
  stderr(): string;
}

/**
 * Starts a program of `children/`, given by its URL. `mount` is a shell command that runs before it, in a separate
 * mount namespace.
 */
export function startChild(program: string, args: readonly string[], mount?: string): Child {
  const command = [process.execPath, fileURLToPath(program), ...args];
  const [file = '', ...rest] =
    mount === undefined ? command : [...namespace(), 'sh', '-ec', `${mount}; exec "$@"`, 'sh', ...command];
  const started = spawn(file, rest, { stdio: 'pipe' });
  onTestFinished(() => void started.kill('SIGKILL'));
  let errors = '';
  started.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exit = new Promise<void>((resolve) => void started.once('close', () => resolve()));
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  let read = 0;
  let closed = false;
  createInterface({ input: started.stdout }).on('line', (line) => {
    lines.push(line);
    waiting.shift()?.();
  });
  started.once('close', () => {
    closed = true;
    for (const wake of waiting) wake();
  });
  return {
    process: started,
    stderr: () => errors,
    async line() {
      read += 1;
      while (lines.length < read) {
        if (closed) throw new Error(`${program} ended with ${read - 1} lines: ${errors}`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return lines[read - 1] ?? '';
    },
    async ended() {
      await exit;
      return lines;
    },
  };
}

/** A command prefix that gives a command separate mounts. Users other than root need a user namespace for that. */
export function namespace(): string[] {
  return process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--user', '--map-root-user', '--mount'];
}

/** Whether a test can mount a file system for a child: only on Linux, and not on every Linux. */
export function canMount(): boolean {
  const [file = '', ...args] = namespace();
  return spawnSync(file, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}
