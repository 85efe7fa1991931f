import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where tools are looked for besides the PATH, which programs of a desktop may lack. */
const USUAL_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The path of a tool of the system; null where there is none. */
export function findTool(name: string, path = process.env['PATH'] ?? ''): string | null {
  const folders = [...USUAL_FOLDERS, ...path.split(delimiter).filter((folder) => folder.startsWith('/'))];
  for (const folder of folders) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here.
    }
  }
  return null;
}

/** Where C libraries lie that do not list what a program needs. */
const LIBRARY_FOLDERS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'];

/**
 * The libraries that a program is linked with, and its loader, as the loader itself finds them (what `ldd` prints); the
 * usual folders of libraries where it does not list them.
 */
export function librariesOf(binary: string): string[] {
  const { stdout } = spawnSync(binary, ['--version'], {
    env: { LD_TRACE_LOADED_OBJECTS: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5_000,
  });
  const found = [...(stdout ?? '').matchAll(/(?:=>\s+|^\s*)(\/\S.*?)\s+\(0x/gm)].flatMap(([, path]) => path ?? []);
  return found.length > 0 ? found : LIBRARY_FOLDERS.filter((folder) => existsSync(folder));
}

/** The only child of a process; null where it has none (yet), or several. */
export function onlyChildOf(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return children.length === 1 ? Number(children[0]) : null;
  } catch {
    return null;
  }
}
