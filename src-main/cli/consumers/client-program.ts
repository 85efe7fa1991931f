import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { printable } from '../../platform/report/printable.ts';

/** Output of the program that is shown. */
const MOST_SHOWN = 64 * 1_024;
/** How long the program has to end before it is killed. */
const GRACE_MS = 2_000;

/** A program that is started for a conformance run. */
export interface ClientProgram {
  /** Aborts when it has ended; the reason says how. */
  readonly ended: AbortSignal;
  /** Ends it, with the processes that it has started. */
  stop(): Promise<void>;
}

/**
 * Runs a command line in the shell of the system.
 * @param show receives its output, up to a limit
 */
export function startProgram(
  command: string,
  environment: Readonly<Record<string, string>>,
  show: (text: string) => void,
): ClientProgram {
  const ended = new AbortController();
  const isGroup = process.platform !== 'win32';
  const child = spawn(command, {
    shell: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The shell and what it starts are one group, which can be ended as a whole.
    detached: isGroup,
    windowsHide: true,
  });
  let shown = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (shown >= MOST_SHOWN) return;
      const part = text.slice(0, MOST_SHOWN - shown);
      shown += part.length;
      show(printable(part));
      if (shown >= MOST_SHOWN) show('\nFurther output of the program is not shown.\n');
    });
  }
  child.on('error', (error) => ended.abort(`The program could not be started: ${error.message}.`));
  child.on('exit', (code, signal) => {
    const how = code === null ? `by ${signal ?? 'a signal'}` : `with exit code ${code}`;
    ended.abort(`The program ended ${how} before the run was over.`);
  });
  return {
    ended: ended.signal,
    stop: async () => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
      if (hasEnded && !isGroup) return;
      const gone = hasEnded ? Promise.resolve() : once(child, 'exit');
      end(child, isGroup, 'SIGTERM');
      const late = setTimeout(() => end(child, isGroup, 'SIGKILL'), GRACE_MS);
      await gone;
      clearTimeout(late);
      // What the shell started may ignore the first signal.
      end(child, isGroup, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

function end(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (!isGroup) {
    // A shell of Windows does not end what it has started.
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () =>
      child.kill(),
    );
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}
