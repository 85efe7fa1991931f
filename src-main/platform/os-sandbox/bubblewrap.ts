import { join } from 'node:path';
import type { ConfinedCommand, Wrapped } from './confined-command.ts';

export interface BubblewrapParts {
  /** The path of bwrap. */
  program: string;
  /** The libraries of the binary, including its loader. */
  libraries: readonly string[];
  /** The descriptor from which bwrap reads the filter of system calls; null for none. */
  filterFd: number | null;
}

/**
 * The command line of bubblewrap: new namespaces of every kind, no capabilities, its own read-only root in memory with
 * the program, its libraries and the paths of the command. No /proc, no /dev, no /tmp, no network. It ends with the
 * process that started it. No session of its own: it cannot reach a terminal anyway, and the kernel schedules sessions
 * as groups, so that a host in another session than main would respond to a call a fourth to a half later.
 */
export function bubblewrapped(command: ConfinedCommand, { program, libraries, filterFd }: BubblewrapParts): Wrapped {
  const args = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];
  for (const path of [...libraries, command.binary]) args.push('--ro-bind', path, path);
  for (const path of command.readable) args.push('--ro-bind-try', path, path);
  for (const { folder, hiddenFiles, hiddenFolders } of command.writable) {
    args.push('--bind', folder, folder);
    // A device of a file system mounted without devices: it cannot be opened.
    for (const name of hiddenFiles) args.push('--ro-bind-try', '/dev/null', join(folder, name));
    for (const name of hiddenFolders) args.push('--tmpfs', join(folder, name), '--remount-ro', join(folder, name));
  }
  args.push('--remount-ro', '/', '--chdir', '/');
  if (filterFd !== null) args.push('--seccomp', String(filterFd));
  return { program, args: [...args, '--', command.binary, ...command.args], between: 2 };
}
