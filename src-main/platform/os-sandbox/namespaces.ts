import type { ConfinedCommand, Wrapped } from './confined-command.ts';

export interface NamespaceTools {
  /** Paths of the tools of util-linux. */
  unshare: string;
  setpriv: string;
}

/**
 * The command line of unshare: namespaces for users, network, processes and the rest, without capabilities. Files stay
 * accessible. It ends with the process that started it.
 */
export function unshared({ binary, args }: ConfinedCommand, { unshare, setpriv }: NamespaceTools): Wrapped {
  const namespaces = ['--user', '--map-current-user', '--net', '--pid', '--ipc', '--uts', '--cgroup'];
  return {
    program: setpriv,
    args: ['--pdeathsig', 'KILL', '--', unshare, ...namespaces, '--fork', '--kill-child', '--', binary, ...args],
    between: 1,
  };
}

/** The command line of prlimit: no core dumps, and no files if none need to be written. */
export function limited({ binary, args, writable }: ConfinedCommand, prlimit: string): Wrapped {
  const limits = ['--core=0', ...(writable.length === 0 ? ['--fsize=0'] : [])];
  return { program: prlimit, args: [...limits, '--', binary, ...args], between: 0 };
}
