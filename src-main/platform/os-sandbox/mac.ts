import { existsSync } from 'node:fs';
import { type DetectedSandbox, ESSENTIAL_LAYERS, MEMORY, active, inactive, inactiveLayers } from './layers.ts';
import type { Trial } from './trial.ts';
import { Wrapper } from './wrapper.ts';
import { join } from 'node:path';
import type { ConfinedCommand, Wrapped } from './confined-command.ts';

const PROGRAM = '/usr/bin/sandbox-exec';

/** sandbox-exec, which Apple calls deprecated but ships and uses. */
export async function macSandbox(trial: Trial): Promise<DetectedSandbox> {
  const wrapper = existsSync(PROGRAM)
    ? await Wrapper.attempt(trial, { wrap: (command) => seatbelted(command, PROGRAM) })
    : { reason: 'sandbox-exec is missing' };
  if (!(wrapper instanceof Wrapper)) {
    const reason = `sandbox-exec does not work here (${wrapper.reason})`;
    return { wrapper: Wrapper.none(), layers: inactiveLayers(reason) };
  }
  return {
    wrapper,
    layers: [
      ...ESSENTIAL_LAYERS.map((name) =>
        active(name, 'sandbox-exec: denied except for Node and the program of the host'),
      ),
      inactive('System calls', 'macOS offers no filter of system calls'),
      MEMORY,
    ],
  };
}

/** The command line of sandbox-exec, which becomes the program itself. */
export function seatbelted(command: ConfinedCommand, program: string): Wrapped {
  return { program, args: ['-p', seatbeltProfile(command), command.binary, ...command.args], between: 0 };
}

/**
 * The profile of a host for macOS: nothing is allowed except to run the program, to read it, the system's libraries and
 * the paths of the command, and to create, write and delete its own files by their names, without links.
 */
export function seatbeltProfile({ binary, readable, writable }: ConfinedCommand): string {
  const programs = ['/usr/lib', '/System/Library', '/System/Volumes/Preboot/Cryptexes', '/private/var/db/dyld'];
  return [
    '(version 1)',
    '(deny default)',
    `(allow process-exec ${subpaths([binary])})`,
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/random") (literal "/dev/urandom"))',
    `(allow file-read* file-map-executable ${subpaths([binary, ...programs, ...readable])})`,
    '(allow file-read* (subpath "/usr/share/zoneinfo") (subpath "/private/var/db/timezone") (literal "/private/etc/localtime"))',
    ...writable.flatMap(({ folder, ownFiles, temporary }) => [
      // SQLite opens it to flush its names to the disk.
      `(allow file-read* (literal ${quoted(folder)}))`,
      `(allow file-read* file-write* ${ownFiles.map((name) => `(literal ${quoted(join(folder, name))})`).join(' ')})`,
      `(allow file-read* file-write* (regex ${quoted(`^${exactly(join(folder, temporary))}[0-9a-f]+$`)}))`,
    ]),
    // The last matching rule decides.
    ...(writable.length === 0 ? [] : ['(deny file-write-create (vnode-type SYMLINK))']),
  ].join('\n');
}

const subpaths = (paths: readonly string[]): string => paths.map((path) => `(subpath ${quoted(path)})`).join(' ');

const exactly = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
