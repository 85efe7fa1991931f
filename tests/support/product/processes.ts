import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The descendants of a process. Reads /proc, so it works only on Linux. */
export function descendantsOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [...children, ...children.flatMap(descendantsOf)];
  } catch {
    return [];
  }
}

export const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

/**
 * Waits until a descendant of the process has computed for longer than a host needs to start, as a looping script does.
 * Returns its pid.
 */
export async function untilOneLoops(pid: number): Promise<number> {
  const before = new Map<number, number>();
  for (;;) {
    for (const one of scriptHostsOf(pid)) {
      const first = before.get(one) ?? cpuTicks(one);
      before.set(one, first);
      if (cpuTicks(one) - first > LOOPING_TICKS) return one;
    }
    await delay(50);
  }
}

/** The command line of a process, with arguments separated by NUL; '' if it has ended. */
export function commandOf(pid: number): string {
  return readIfThere(`/proc/${pid}/cmdline`);
}

/** The script hosts among the descendants of a process. */
export function scriptHostsOf(parent: number): number[] {
  return programsOf(parent, 'script-host');
}

/**
 * A list of the processes that this one starts from now on and whose command line has all these words. Files of a worker
 * share their process, so that those of an earlier file may still be ending.
 */
export function startedFromNow(...words: string[]): () => number[] {
  const others = new Set(descendantsOf(process.pid));
  return () => programsOf(process.pid, ...words).filter((pid) => !others.has(pid));
}

/**
 * The descendants of a process whose command line has all these words, without the sandbox programs, whose command
 * lines have them too.
 */
export function programsOf(parent: number, ...words: string[]): number[] {
  return descendantsOf(parent).filter((pid) => isProgram(pid) && words.every((word) => commandOf(pid).includes(word)));
}

function isProgram(pid: number): boolean {
  return !WRAPPERS.has(readIfThere(`/proc/${pid}/comm`).trim());
}

const WRAPPERS: ReadonlySet<string> = new Set(['bwrap', 'unshare']);

/** A slow machine starts a host in half of it. */
const LOOPING_TICKS = 150;

/** User time, in hundredths of a second. */
function cpuTicks(pid: number): number {
  const fields = readIfThere(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11] ?? 0);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
