import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { jsonLine, table, valueCell } from './text.ts';
import { withoutSecrets } from './settings-secrets.ts';

export function addSettingsList(settings: Command, context: CommandContext): void {
  const command = settings.command('list').description('Lists the settings of the workspace with their defaults.');
  command.option('--show-secrets', 'shows the password of the proxy and tokens in addresses too');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption & { showSecrets?: true }) => {
    const current = await inSession(context, options, (client) => client.settings.get());
    printSettings(context, options.showSecrets ? current : withoutSecrets(current), options.json);
  });
}

export function printSettings({ io }: CommandContext, settings: Settings, asJson: boolean | undefined): void {
  if (asJson) return io.out(jsonLine(settings));
  const defaults = new Map(Object.entries(DEFAULT_SETTINGS));
  const rows = Object.entries(settings).map(([name, value]) => [
    name,
    valueCell(value),
    isDeepStrictEqual(value, defaults.get(name)) ? '' : `(default ${valueCell(defaults.get(name) ?? null)})`,
  ]);
  io.out(table(rows));
}
