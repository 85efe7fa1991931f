import { statSync } from 'node:fs';
import type { ConfinedCommand, Wrapped } from './confined-command.ts';
import { endingWithParent, inNamespaces, limited, WITHOUT_CAPABILITIES } from './namespaces.ts';

export interface LandlockParts {
  /** The path of a setpriv that supports Landlock (util-linux 2.40 and later). */
  setpriv: string;
  /** The path of unshare if namespaces are added; null for none. */
  unshare: string | null;
  /** The path of prlimit; null for none. */
  prlimit: string | null;
  /** The libraries of the binary, including its loader. */
  libraries: readonly string[];
  /** The descriptor from which setpriv reads the filter of system calls. */
  filterFd: number;
  /** Whether Tagwright runs as root, whose capabilities are dropped. */
  root: boolean;
}

const RUN = 'execute,read-file';
const READ = 'read-file';
const READ_FOLDER = 'read-file,read-dir';
const WRITE_FOLDER = 'read-file,read-dir,write-file,truncate,make-reg,remove-file';
const DEVICES = ['/dev/null', '/dev/random', '/dev/urandom'];

/**
 * The command line of setpriv with Landlock and a filter of system calls: the program can only reach the files that it
 * needs, and gains no privileges. Landlock allows a folder with all its contents, so hidden entries are not hidden.
 */
export function landlocked(command: ConfinedCommand, parts: LandlockParts): Wrapped {
  const { setpriv, unshare, prlimit, libraries, filterFd, root } = parts;
  const rules = [
    ...[command.binary, ...libraries].map((path) => rule(RUN, path)),
    ...[...DEVICES, ...command.readable].flatMap(readingRule),
    ...command.writable.map(({ folder }) => rule(WRITE_FOLDER, folder)),
  ];
  const args = [
    ...(root ? WITHOUT_CAPABILITIES : []),
    '--nnp',
    '--landlock-access',
    'fs',
    ...rules.flatMap((text) => ['--landlock-rule', text]),
    '--seccomp-filter',
    `/proc/self/fd/${filterFd}`,
    '--',
    command.binary,
    ...command.args,
  ];
  const inner = { ...command, binary: setpriv, args };
  const limits = prlimit === null ? { program: setpriv, args } : limited(inner, prlimit);
  const line = [limits.program, ...limits.args];
  // By another setpriv before the filter, which then keeps the host from clearing it.
  const [program, outer] = endingWithParent(setpriv, line);
  const wrapped = unshare === null ? { program, args: outer, between: 0 } : inNamespaces(line, { unshare, setpriv });
  const [writable] = command.writable;
  return {
    ...wrapped,
    // Node ends if it cannot read the configuration of OpenSSL; SQLite has no other folder for its temporary files.
    env: { OPENSSL_CONF: '/dev/null', ...(writable !== undefined && { SQLITE_TMPDIR: writable.folder }) },
  };
}

const rule = (accesses: string, path: string): string => `path-beneath:${accesses}:${path}`;

/** Empty if the path does not exist: setpriv would start nothing. */
function readingRule(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return [rule(found.isDirectory() ? READ_FOLDER : READ, path)];
}
