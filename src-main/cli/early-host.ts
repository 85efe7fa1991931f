import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultWorkspace, hostRuntime, productRoot, scriptHostFile } from '../platform/files/paths.ts';

/** Commands that people and build servers start in loops, and that run scripts without replaying them. */
const RUN_SCRIPTS = new Set(['run', 'test']);

/** Starts the script host of a command line before its command is loaded, which takes as long. */
export async function startHostFor(args: readonly string[]): Promise<void> {
  if (needsHost(args)) await startHost();
}

/**
 * Whether this process will probably run scripts: if it does not, its host ends with it. An instance that serves the workspace
 * has hosts of its own; if it was killed and left its file, the host starts later, with the session.
 */
export function needsHost([command = '', ...args]: readonly string[]): boolean {
  if (!RUN_SCRIPTS.has(command) || args.includes('--help') || args.includes('-h')) return false;
  return !existsSync(join(workspaceOf(args), 'instance.json'));
}

/** Starts the first script host of this process. */
export async function startHost(): Promise<void> {
  // Every command loads this file, and few start a host.
  const { startEarly } = await import('../scripting/sandbox/supervisor/host-command.ts');
  const root = productRoot();
  startEarly({ hostFile: scriptHostFile(root), nodeBinary: hostRuntime(root).node });
  // Loading occupies this process: the host is started before.
  await new Promise((started) => setImmediate(started));
}

/** The command checks its arguments later. */
function workspaceOf(args: string[]): string {
  const options = { workspace: { type: 'string', short: 'w' } } as const;
  const { workspace } = parseArgs({ args, options, strict: false }).values;
  return typeof workspace === 'string' ? resolve(workspace) : defaultWorkspace();
}
