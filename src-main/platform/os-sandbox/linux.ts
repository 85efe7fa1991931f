import { existsSync, readFileSync } from 'node:fs';
import { bubblewrapped } from './bubblewrap.ts';
import { active, inactive, inactiveLayers, MEMORY, type DetectedSandbox } from './layers.ts';
import { findTool, librariesOf } from './linux-tools.ts';
import { limited, unshared } from './namespaces.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { Wrapper } from './wrapper.ts';

/** Without it the process in the sandbox cannot be found, and its memory not be watched. */
const CHILDREN = `/proc/self/task/${process.pid}/children`;
const USER_NAMESPACES = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

/** bubblewrap; else namespaces by unshare; else limits alone. The first that really runs the binary. */
export function linuxSandbox(binary: string, find: FindTool = findTool): DetectedSandbox {
  if (!existsSync(CHILDREN)) {
    const reason = 'this kernel does not list the children of a process (CONFIG_PROC_CHILDREN)';
    return { wrapper: byLimits(binary, find), layers: inactiveLayers(reason) };
  }
  const found = byBubblewrap(binary, find);
  return 'reason' in found ? byNamespaces(binary, find, found.reason) : found;
}

type FindTool = (name: string) => string | null;

function byBubblewrap(binary: string, find: FindTool): DetectedSandbox | { reason: string } {
  const program = find('bwrap');
  if (program === null) return { reason: 'bubblewrap is not installed (Debian, Ubuntu: sudo apt install bubblewrap)' };
  const libraries = librariesOf(binary);
  const attempt = (filter: Buffer | null) =>
    Wrapper.attempt(binary, (command, filterFd) => bubblewrapped(command, { program, libraries, filterFd }), filter);
  const filter = systemCallFilter(process.arch);
  const filtered = filter === null ? { reason: `there is no filter for ${process.arch}` } : attempt(filter);
  const wrapper = filtered instanceof Wrapper ? filtered : attempt(null);
  if (!(wrapper instanceof Wrapper)) return { reason: `bubblewrap does not work here (${wrapper.reason}${hint()})` };
  return {
    wrapper,
    layers: [
      active('Files', 'bubblewrap: Node and the program of the host, read-only; hosts that run SQL also plant.db'),
      active('Network', 'bubblewrap: none, not even to this machine'),
      active('Other processes', 'bubblewrap: none can be seen or reached; no capabilities'),
      filtered instanceof Wrapper
        ? active('System calls', 'seccomp: no new processes, connections, mounts or debugging')
        : inactive('System calls', filtered.reason),
      MEMORY,
    ],
  };
}

function byNamespaces(binary: string, find: FindTool, whyNot: string): DetectedSandbox {
  const unshare = find('unshare');
  const setpriv = find('setpriv');
  const wrapper =
    unshare === null || setpriv === null
      ? null
      : Wrapper.attempt(binary, (command) => unshared(command, { unshare, setpriv }));
  if (!(wrapper instanceof Wrapper)) return { wrapper: byLimits(binary, find), layers: inactiveLayers(whyNot) };
  return {
    wrapper,
    layers: [
      inactive('Files', whyNot),
      active('Network', 'unshare: none, not even to this machine; sockets that are files are files'),
      active('Other processes', 'unshare: none can be reached; no capabilities'),
      inactive('System calls', whyNot),
      MEMORY,
    ],
  };
}

/** Where nothing else works, a script host at least cannot write files. */
function byLimits(binary: string, find: FindTool): Wrapper {
  const prlimit = find('prlimit');
  const wrapper = prlimit === null ? null : Wrapper.attempt(binary, (command) => limited(command, prlimit));
  return wrapper instanceof Wrapper ? wrapper : Wrapper.none();
}

/** What keeps bubblewrap from working most often. */
function hint(): string {
  const restricted = existsSync(USER_NAMESPACES) && readFileSync(USER_NAMESPACES, 'latin1').trim() === '1';
  return restricted ? '; AppArmor forbids user namespaces, see docs/security.md' : '';
}
