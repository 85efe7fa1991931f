import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A Node process of this test that runs a program of `children/`, read line by line. */
export interface Child {
  process: ChildProcessWithoutNullStreams;
  /** The next line of its output; rejects when it ended without one. */
  line(): Promise<string>;
  /** Every line it has written, once it has ended. */
  ended(): Promise<string[]>;
  stderr(): string;
}

/** Starts a program of `children/`, given by its URL; `mount` is a shell command run before in a mount namespace of the child's own. */
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

/** A program prefix that gives a command mounts of its own; other users than root need a user namespace for that. */
export function namespace(): string[] {
  return process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--user', '--map-root-user', '--mount'];
}

/** Whether this machine lets a test mount a file system for a child: Linux, and not everywhere there. */
export function canMount(): boolean {
  const [file = '', ...args] = namespace();
  return spawnSync(file, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}
