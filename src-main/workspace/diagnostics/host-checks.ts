import type { RunLimits } from '#domain/run/run';
import type { OsSandboxState } from '#domain/workspace/os-sandbox';
import { messageOf } from '../../platform/errors.ts';
import { hostRuntime, scriptHostFile } from '../../platform/files/paths.ts';
import { sandboxRefusal } from '../../platform/os-sandbox/os-sandbox.ts';
import { hostSandbox } from '../../scripting/sandbox/supervisor/host-command.ts';
import { ScriptHostPool } from '../../scripting/sandbox/supervisor/script-host-pool.ts';
import type { Check, DiagnosticFinding, RunningInstance, CheckInput } from './check.ts';
import { counted, notChecked, ok, problem, warning } from './check.ts';
import { settingsOf } from './setting-checks.ts';

const LIMITS: RunLimits = {
  scriptMs: 5_000,
  totalMs: 20_000,
  memoryMb: 128,
  consoleEntries: 10,
  resultBytes: 1_000,
  bodyBytes: 1_000,
};
const NO_TAGS = { values: [], qualities: [], types: [] };

/** Whether scripts run here. */
export const HOST_CHECKS: readonly Check[] = [
  { id: 'scripts.host', group: 'Scripts', title: 'Script host', run: startHost },
  {
    id: 'scripts.waiting',
    group: 'Scripts',
    title: 'Waiting scripts',
    run: ({ instance }) => waitingScripts(instance),
  },
  { id: 'scripts.os-sandbox', group: 'Scripts', title: 'OS sandbox', run: systemSandbox },
];

/** Starts a separate host and runs a script in it, without affecting those of a running instance. */
async function startHost({ root, signal, facts }: CheckInput): Promise<DiagnosticFinding> {
  const fix =
    'Allow Tagwright to start programs (virus scanner, process limit); if that does not help, run "npm ci" in its folder.';
  const began = performance.now();
  const took = () => `${Math.round(performance.now() - began)} ms`;
  let pool: ScriptHostPool | null = null;
  try {
    const { node } = hostRuntime(root);
    const settings = settingsOf(facts);
    // A missing sandbox is a separate check.
    const rules = { jitless: settings['hosts.jitless'], requireOsSandbox: false };
    pool = new ScriptHostPool({ hostFile: scriptHostFile(root), nodeBinary: node, count: 1, spare: false, rules });
    const { status, result, error } = await pool.run({
      body: 'return 1 + 1',
      context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
      limits: LIMITS,
      calls: { get: () => NO_TAGS, set: () => NO_TAGS },
      signal,
    });
    if (status === 'ok' && result === 2) return ok(`started and ran "return 1 + 1" in ${took()}`);
    return problem(`"return 1 + 1" ended with ${status}: ${error?.message ?? JSON.stringify(result)}`, fix);
  } catch (thrown) {
    return problem(messageOf(thrown), fix);
  } finally {
    await pool?.close();
  }
}

/** Whether scripts that wait for slow systems hold back others. */
export function waitingScripts(instance: Pick<RunningInstance, 'hosts'> | null): DiagnosticFinding {
  if (instance === null) return ok('none waits: no instance runs');
  const { busy, waiting = 0, waitingMost = 0, queued = 0, held = 0 } = instance.hosts();
  if (held > 0) {
    return warning(
      `${counted(held, 'run')} held back, because others of the same script wait: ${waiting} scripts wait for the network`,
      'Find the slow system in the call log, shorten api.timeoutMs, or raise hosts.waiting and hosts.waitingMb.',
    );
  }
  const others = `${counted(busy - waiting, 'other script')} in progress, ${queued} queued`;
  return ok(
    waiting === 0
      ? `none waits for the network; ${others}`
      : `${waiting} of up to ${waitingMost} wait for the network; ${others}`,
  );
}

/** What the operating system enforces for a script that has escaped from its host. */
async function systemSandbox({ root, node, facts }: CheckInput): Promise<DiagnosticFinding> {
  if (node === null) return notChecked('the Node of Tagwright is missing, see Versions');
  const sandbox = hostSandbox({ hostFile: scriptHostFile(root), nodeBinary: node });
  await sandbox.known;
  return judgeSandbox(sandbox.state, settingsOf(facts)['hosts.requireOsSandbox']);
}

/** @param required the setting hosts.requireOsSandbox */
export function judgeSandbox(state: OsSandboxState, required: boolean): DiagnosticFinding {
  const { protection, summary, layers } = state;
  const names = (active: boolean) =>
    layers.filter((layer) => layer.active === active).map(({ name }) => name.toLowerCase());
  const enforced = `Enforced: ${names(true).join(', ')}.`;
  if (protection === 'full') return ok(`${summary} ${enforced}`);
  const missing = names(false).join(', ');
  const fix =
    process.platform === 'linux'
      ? 'Install bubblewrap, or allow it to work: see "The OS sandbox" on the page "Security" of the manual (F1 in the window).'
      : 'Run only scripts that you trust: the page "Security" of the manual (F1 in the window) lists the restrictions that still apply on this system.';
  const detail = `${summary} ${enforced} Not enforced: ${missing}.`;
  if (!required) return warning(detail, fix);
  const refused = sandboxRefusal('scripts', state) === null ? 'SQL does' : 'Scripts and SQL do';
  return problem(`${detail} ${refused} not run, because the setting hosts.requireOsSandbox is on.`, fix);
}
