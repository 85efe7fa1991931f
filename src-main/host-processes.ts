import type { Settings } from '#domain/workspace/settings';
import { scriptHostFile } from './platform/files/paths.ts';
import { programFile } from './platform/files/programs.ts';
import type { Log } from './platform/log.ts';
import { type HostRules, hostSandbox } from './scripting/sandbox/supervisor/host-command.ts';
import { ScriptHostPool } from './scripting/sandbox/supervisor/script-host-pool.ts';
import { PlantDatabase } from './storage/plant/plant-database.ts';
import type { SettingsService } from './workspace/settings/settings-service.ts';

interface HostProcessesOptions {
  /** The folder of the workspace, and that of the product. */
  directory: string;
  root: string;
  /** The Node that runs the hosts. */
  nodeBinary: string;
  settings: SettingsService;
  /** See `WorkbenchOptions`. */
  oneShot: boolean;
  runsScripts: boolean;
  log: Log;
  /** Ends the processes when the workbench closes. */
  closing: AsyncDisposableStack;
}

/** The options of script hosts in the settings. */
export const hostRulesOf = (settings: Settings): HostRules => ({
  jitless: settings['hosts.jitless'],
  requireOsSandbox: settings['hosts.requireOsSandbox'],
});

/** The processes of a workbench besides its own: script hosts and plant hosts, which follow the settings. */
export function openHostProcesses({
  directory,
  root,
  nodeBinary,
  settings,
  oneShot,
  runsScripts,
  log,
  closing,
}: HostProcessesOptions) {
  const hostFiles = { hostFile: scriptHostFile(root), nodeBinary };
  const sandbox = hostSandbox(hostFiles);
  const hosts = new ScriptHostPool({
    ...hostFiles,
    sandbox,
    count: oneShot ? 1 : settings.get()['hosts.count'],
    waiting: settings.get()['hosts.waiting'],
    waitingMb: settings.get()['hosts.waitingMb'],
    rules: hostRulesOf(settings.get()),
    spare: !oneShot,
    // Ending a script at its limit is not an error.
    log: (message, fields) => log[fields['event'] === 'host.ended' ? 'info' : 'warn'](message, fields),
  });
  closing.defer(() => hosts.close());
  if (runsScripts) hosts.start();
  settings.onChange((now) => {
    hosts.resize(oneShot ? 1 : now['hosts.count'], now['hosts.waiting'], now['hosts.waitingMb']);
    hosts.follow(hostRulesOf(now));
  });
  const plant = new PlantDatabase({
    directory,
    nodeBinary,
    hostFile: programFile('plant-host', root),
    settings,
    sandbox,
    log: (message, fields) => log.warn(message, fields),
  });
  closing.defer(() => plant.close());
  settings.onChange(() => plant.review());
  return { hostFiles, sandbox, hosts, plant };
}
