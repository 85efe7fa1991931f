import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The processes that a process has started, theirs too. Reads /proc, so on Linux only. */
export function descendantsOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [...children, ...children.flatMap(descendantsOf)];
  } catch {
    return [];
  }
}

export const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

/** Waits until a process below the given one has computed for half a second, a script that loops; returns its pid. */
export async function untilOneLoops(pid: number): Promise<number> {
  const before = new Map<number, number>();
  for (;;) {
    for (const one of scriptHostsOf(pid)) {
      const first = before.get(one) ?? cpuTicks(one);
      before.set(one, first);
      if (cpuTicks(one) - first > 50) return one;
    }
    await delay(50);
  }
}

/** The command line of a process, its arguments separated by NUL; '' if it has ended. */
export function commandOf(pid: number): string {
  return readIfThere(`/proc/${pid}/cmdline`);
}

/** The script hosts below a process. */
export function scriptHostsOf(parent: number): number[] {
  return programsOf(parent, 'script-host');
}

/** The processes below one whose command line has all these words, without what confines them, which has them too. */
export function programsOf(parent: number, ...words: string[]): number[] {
  return descendantsOf(parent).filter((pid) => isProgram(pid) && words.every((word) => commandOf(pid).includes(word)));
}

function isProgram(pid: number): boolean {
  return !WRAPPERS.has(readIfThere(`/proc/${pid}/comm`).trim());
}

const WRAPPERS: ReadonlySet<string> = new Set(['bwrap', 'unshare']);

/** User time in hundredths of a second. */
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
