import type { ConfinedCommand, Wrapped } from './confined-command.ts';

export interface NamespaceTools {
  /** Paths of the tools of util-linux. */
  unshare: string;
  setpriv: string;
  /** null if it is not installed: then there are no limits. */
  prlimit: string | null;
}

/** The arguments of setpriv that drop what root keeps, also in a user namespace of its own. */
export const WITHOUT_CAPABILITIES = ['--bounding-set=-all', '--inh-caps=-all'];

/** The command ends with the process that started it. A change of user would clear that; capabilities can be dropped. */
export function endingWithParent(setpriv: string, command: readonly string[]): [program: string, args: string[]] {
  return [setpriv, ['--pdeathsig', 'KILL', '--', ...command]];
}

/**
 * The command line of unshare: namespaces for users, network, processes and the rest, without capabilities, and with
 * the limits of `limited`. Files can still be read. It ends with the process that started it.
 * @param root whether Tagwright runs as root, who has all capabilities in the new user namespace until they are dropped
 */
export function unshared(
  command: ConfinedCommand,
  { unshare, setpriv, prlimit }: NamespaceTools,
  root: boolean,
): Wrapped {
  const dropping = ['--nnp', ...(root ? WITHOUT_CAPABILITIES : []), '--', command.binary, ...command.args];
  const inner = { ...command, binary: setpriv, args: dropping };
  const { program, args } = prlimit === null ? { program: setpriv, args: dropping } : limited(inner, prlimit);
  return inNamespaces([program, ...args], { unshare, setpriv });
}

/** Like `unshared`, for a command that drops its privileges itself. */
export function inNamespaces(
  command: readonly string[],
  { unshare, setpriv }: Pick<NamespaceTools, 'unshare' | 'setpriv'>,
): Wrapped {
  const namespaces = ['--user', '--map-current-user', '--net', '--pid', '--ipc', '--uts', '--cgroup'];
  const unsharing = [unshare, ...namespaces, '--fork', '--kill-child', '--', ...command];
  const [program, args] = endingWithParent(setpriv, unsharing);
  return { program, args, between: 1 };
}

/** The command line of prlimit: no core dumps, and no files if none need to be written. */
export function limited({ binary, args, writable }: ConfinedCommand, prlimit: string): Wrapped {
  const limits = ['--core=0', ...(writable.length === 0 ? ['--fsize=0'] : [])];
  return { program: prlimit, args: [...limits, '--', binary, ...args], between: 0 };
}
