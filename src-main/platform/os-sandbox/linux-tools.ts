import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where tools are searched in addition to the PATH, which may be incomplete for desktop programs. */
const USUAL_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The path of a system tool; null if there is none. */
export function findTool(name: string, path = process.env['PATH'] ?? ''): string | null {
  const folders = [...USUAL_FOLDERS, ...path.split(delimiter).filter((folder) => folder.startsWith('/'))];
  for (const folder of folders) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** The folders of C libraries that do not list the dependencies of a program. */
const LIBRARY_FOLDERS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'];

/**
 * The libraries of a program, and its loader, as found by the loader itself (the output of `ldd`, or of this process if
 * that is the program); the usual library folders if it does not list them.
 */
export async function librariesOf(binary: string, patienceMs: number): Promise<string[]> {
  const own = binary === process.execPath ? ownLibraries() : null;
  if (own !== null) return own;
  const printed = await outputOf(binary, ['--version'], patienceMs, { LD_TRACE_LOADED_OBJECTS: '1' });
  const found = [...printed.matchAll(/(?:=>\s+|^\s*)(\/\S.*?)\s+\(0x/gm)].flatMap(([, path]) => path ?? []);
  return found.length > 0 ? found : LIBRARY_FOLDERS.filter((folder) => existsSync(folder));
}

/** Change which libraries the loader finds; a host has none of them. */
const LOADER_VARIABLES = ['LD_LIBRARY_PATH', 'LD_PRELOAD', 'LD_AUDIT'] as const;

/** The libraries of this process without its addons: asking `ldd` takes 5 ms. Null if a host may have others. */
function ownLibraries(): string[] | null {
  if (LOADER_VARIABLES.some((name) => process.env[name] !== undefined)) return null;
  const report: object = process.report.getReport();
  const objects: unknown = 'sharedObjects' in report ? report.sharedObjects : null;
  if (!Array.isArray(objects)) return null;
  const isLibrary = (path: unknown): path is string =>
    typeof path === 'string' && path.startsWith('/') && !path.endsWith('.node') && path !== process.execPath;
  const libraries = objects.filter(isLibrary).filter((path) => existsSync(path));
  return libraries.length === 0 ? null : libraries;
}

/** The output of a program; empty if it fails, or times out. */
export function outputOf(
  program: string,
  args: readonly string[],
  patienceMs: number,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return new Promise((resolve) => {
    const options = { env, timeout: Math.ceil(patienceMs) + 1, killSignal: 'SIGKILL' } as const;
    execFile(program, args, options, (_, stdout) => resolve(stdout)).once('error', () => resolve(''));
  });
}

/** The only child of a process; null if it has none (yet), or several. */
export function onlyChildOf(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return children.length === 1 ? Number(children[0]) : null;
  } catch {
    return null;
  }
}

/** How long this process waits until another one has stopped, ms. */
const STOP_MS = 5;

/**
 * Stops a process, and returns the child that it started before; null if there is none. A process that is ended while it
 * starts one could leave it behind.
 */
export function childOfStopped(pid: number): number | null {
  try {
    process.kill(pid, 'SIGSTOP');
    const until = performance.now() + STOP_MS;
    while (!isStopped(pid) && performance.now() < until);
  } catch {
    // It has ended.
  }
  return onlyChildOf(pid);
}

/** Throws if it has ended. */
const isStopped = (pid: number): boolean => /\) [TtZ] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));

/** The flag of an open file in the kernel's notation: closed in every started program. */
const CLOSED_ON_START = 0o2000000;
let nowhere: number | null = null;
let leftOpen: readonly number[] | null = null;

/**
 * The descriptors after those of a program so that it inherits no others: /dev/null in place of each that the parent of
 * this process left open in it. Empty on other systems than Linux: macOS starts programs with the named descriptors
 * only.
 * @param from the first descriptor that the program does not have
 */
export function closedDescriptors(from: number): ('ignore' | number)[] {
  // Determined once: files that this process opens itself are closed in every program that it starts.
  leftOpen ??= descriptorsLeftOpen();
  const inherited = leftOpen.filter((descriptor) => descriptor >= from);
  const count = Math.max(from - 1, ...inherited) + 1 - from;
  return Array.from({ length: count }, (_, index) =>
    inherited.includes(from + index) ? (nowhere ??= openSync('/dev/null', 'r+')) : 'ignore',
  );
}

function descriptorsLeftOpen(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fdinfo').map(Number).filter(isInherited);
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? '';
    return (Number.parseInt(flags, 8) & CLOSED_ON_START) === 0;
  } catch {
    return false;
  }
}
