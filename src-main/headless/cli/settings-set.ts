import type { Command } from 'commander';
import type { Json } from '#domain/json';
import type { Settings } from '#domain/settings';
import { DEFAULT_SETTINGS } from '#domain/settings';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { parseAssignment, usage } from './input.ts';
import { printSettings } from './settings-list.ts';
import { withoutSecrets } from './settings-secrets.ts';

export function addSettingsSet(settings: Command, context: CommandContext): void {
  const command = settings
    .command('set')
    .description('Changes settings of the workspace, and prints all of them.')
    .argument('<name=json...>', 'what to change: limits.scriptMs=10000');
  withJson(withWorkspace(command)).action(async (assignments: string[], options: WorkspaceOption & JsonOption) => {
    const patch = patchOf(assignments.map(parseAssignment));
    const current = await inSession(context, options, (client) => client.settings.update(patch));
    printSettings(context, withoutSecrets(current), options.json);
  });
}

function patchOf(assignments: { name: string; value: Json }[]): Partial<Settings> {
  const patch: Partial<Settings> = {};
  for (const { name, value } of assignments) {
    if (!isSetting(name)) throw usage(`There is no setting "${name}". "tagwright settings list" shows them all.`);
    // Whether the value fits is for the service to say.
    Object.assign(patch, { [name]: value });
  }
  return patch;
}

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(DEFAULT_SETTINGS, name);
