import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { bubblewrapped } from './bubblewrap.ts';
import { landlocked } from './landlock.ts';
import { active, inactive, inactiveLayers, MEMORY, type DetectedSandbox } from './layers.ts';
import { findTool, librariesOf, outputOf } from './linux-tools.ts';
import { limited, unshared } from './namespaces.ts';
import { systemCallFilter } from './system-call-filter.ts';
import type { Trial } from './trial.ts';
import { Wrapper } from './wrapper.ts';

/** Without it, the process in the sandbox cannot be found, and its memory cannot be watched. */
const CHILDREN = `/proc/self/task/${process.pid}/children`;
const USER_NAMESPACES = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

/**
 * bubblewrap; else Landlock, in namespaces where these are allowed; else namespaces by unshare; else only limits. The
 * first that really runs the binary.
 */
export async function linuxSandbox(trial: Trial, find: FindTool = findTool): Promise<DetectedSandbox> {
  if (!existsSync(CHILDREN)) {
    const reason = 'this kernel does not list the children of a process (CONFIG_PROC_CHILDREN)';
    return { wrapper: await byLimits(trial, find), layers: inactiveLayers(reason) };
  }
  const found = await byBubblewrap(trial, find);
  if (!('reason' in found)) return found;
  const other = await byLandlock(trial, find, found.reason);
  return 'reason' in other ? byNamespaces(trial, find, `${found.reason}; ${other.reason}`) : other;
}

type FindTool = (name: string) => string | null;

async function byBubblewrap(trial: Trial, find: FindTool): Promise<DetectedSandbox | { reason: string }> {
  const program = find('bwrap');
  if (program === null) return { reason: 'bubblewrap is not installed (Debian, Ubuntu: sudo apt install bubblewrap)' };
  const libraries = await librariesOf(trial.binary, trial.patienceMs);
  const attempt = (filter: Buffer | null) =>
    Wrapper.attempt(trial, {
      wrap: (command, filterFd) => bubblewrapped(command, { program, libraries, filterFd }),
      filter,
    });
  const filter = systemCallFilter(process.arch);
  const filtered = filter === null ? { reason: `there is no filter for ${process.arch}` } : await attempt(filter);
  const wrapper = filtered instanceof Wrapper ? filtered : await attempt(null);
  if (!(wrapper instanceof Wrapper)) return { reason: `bubblewrap does not work here (${wrapper.reason}${hint()})` };
  return {
    wrapper,
    layers: [
      active('Files', 'bubblewrap: Node and the program of the host, read-only; hosts that run SQL also plant.db'),
      active('Network', 'bubblewrap: none, not even to this machine'),
      active('Other processes', 'bubblewrap: none can be seen or reached; no capabilities'),
      active('Workspace files', 'bubblewrap: hosts that run SQL reach no other file of the workspace than plant.db'),
      filtered instanceof Wrapper
        ? active('System calls', 'seccomp: no new processes, connections, mounts or debugging')
        : inactive('System calls', filtered.reason),
      MEMORY,
    ],
  };
}

/** From this kernel on, Landlock covers all file operations, above all truncating. */
const LANDLOCK_SINCE = [6, 2] as const;

async function byLandlock(trial: Trial, find: FindTool, whyNot: string): Promise<DetectedSandbox | { reason: string }> {
  const setpriv = find('setpriv');
  if (setpriv === null || !(await knowsLandlock(setpriv, trial.patienceMs)))
    return { reason: 'setpriv does not support Landlock (needs util-linux 2.40)' };
  const [major = 0, minor = 0] = release().split('.').map(Number);
  if (major < LANDLOCK_SINCE[0] || (major === LANDLOCK_SINCE[0] && minor < LANDLOCK_SINCE[1])) {
    return { reason: `Landlock of Linux ${major}.${minor} is too old (${LANDLOCK_SINCE.join('.')})` };
  }
  const filter = systemCallFilter(process.arch, 'Landlock');
  if (filter === null) return { reason: `there is no filter of system calls for ${process.arch}` };
  const tools = {
    setpriv,
    prlimit: find('prlimit'),
    libraries: await librariesOf(trial.binary, trial.patienceMs),
    root: isRoot(),
  };
  const attempt = (unshare: string | null) =>
    Wrapper.attempt(trial, {
      wrap: (command, filterFd) => landlocked(command, { ...tools, unshare, filterFd: filterFd ?? 0 }),
      filter,
    });
  const unshare = find('unshare');
  const inNamespaces = unshare === null ? { reason: 'unshare is not installed' } : await attempt(unshare);
  const wrapper = inNamespaces instanceof Wrapper ? inNamespaces : await attempt(null);
  if (!(wrapper instanceof Wrapper)) return { reason: `Landlock does not work here (${wrapper.reason})` };
  const how = inNamespaces instanceof Wrapper ? 'Landlock and seccomp in namespaces' : 'Landlock and seccomp';
  return {
    wrapper,
    layers: [
      active('Files', `${how}: Node and the program of the host, read-only; names and sizes of others can be seen`),
      active('Network', `${how}: no sockets, not even to this machine`),
      active('Other processes', `${how}: no signals, no debugging, no memory or environment of others`),
      inactive(
        'Workspace files',
        `Landlock cannot hide a part of a folder: hosts that run SQL reach the whole workspace folder; ${whyNot}`,
      ),
      active('System calls', 'seccomp: no new processes, connections, mounts, debugging or signals'),
      MEMORY,
    ],
  };
}

async function knowsLandlock(setpriv: string, patienceMs: number): Promise<boolean> {
  const help = await outputOf(setpriv, ['--help'], patienceMs);
  return ['--landlock-rule', '--seccomp-filter'].every((option) => help.includes(option));
}

async function byNamespaces(trial: Trial, find: FindTool, whyNot: string): Promise<DetectedSandbox> {
  const unshare = find('unshare');
  const setpriv = find('setpriv');
  const prlimit = find('prlimit');
  const wrapper =
    unshare === null || setpriv === null
      ? null
      : await Wrapper.attempt(trial, { wrap: (command) => unshared(command, { unshare, setpriv, prlimit }, isRoot()) });
  if (!(wrapper instanceof Wrapper)) return { wrapper: await byLimits(trial, find), layers: inactiveLayers(whyNot) };
  return {
    wrapper,
    layers: [
      inactive('Files', whyNot),
      active('Network', 'unshare: none, not even to this machine; Unix sockets count as files'),
      active('Other processes', 'unshare: none can be reached; no capabilities'),
      inactive('Workspace files', whyNot),
      inactive('System calls', whyNot),
      MEMORY,
    ],
  };
}

/** If nothing else works, a script host at least cannot write files. */
async function byLimits(trial: Trial, find: FindTool): Promise<Wrapper> {
  const prlimit = find('prlimit');
  const wrapper =
    prlimit === null ? null : await Wrapper.attempt(trial, { wrap: (command) => limited(command, prlimit) });
  return wrapper instanceof Wrapper ? wrapper : Wrapper.none();
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** The most common reason why bubblewrap does not work. */
function hint(): string {
  const restricted = existsSync(USER_NAMESPACES) && readFileSync(USER_NAMESPACES, 'latin1').trim() === '1';
  return restricted
    ? '; AppArmor forbids user namespaces, see "The OS sandbox" on the page "Security" of the manual'
    : '';
}
