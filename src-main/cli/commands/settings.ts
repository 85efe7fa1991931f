import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { Json } from '#domain/text/json';
import { KEY_IS_SET, PRIVATE_SETTINGS, publicPart } from '#domain/workspace/private-settings';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { jsonLine, table, valueCell } from '../text.ts';
import { parseAssignment, usage } from '../input.ts';

/** The command group `settings`. */
export function addSettings(program: Command, context: CommandContext): void {
  const settings = program.command('settings').description('Shows and changes the settings of the workspace.');
  for (const add of [addSettingsList, addSettingsSet]) add(settings, context);
}

function addSettingsList(settings: Command, context: CommandContext): void {
  const command = settings.command('list').description('Lists the settings of the workspace with their defaults.');
  command.option('--show-secrets', 'also show the proxy password and tokens in addresses');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption & { showSecrets?: true }) => {
    const current = await inSession(context, options, (client) => client.settings.get());
    printSettings(context, options.showSecrets ? current : withoutSecrets(current), options.json);
  });
}

function printSettings({ io }: CommandContext, settings: Settings, asJson: boolean | undefined): void {
  if (asJson) return io.out(jsonLine(settings));
  const defaults = new Map(Object.entries(DEFAULT_SETTINGS));
  const rows = Object.entries(settings).map(([name, value]) => [
    name,
    valueCell(value),
    isDeepStrictEqual(value, defaults.get(name)) ? '' : `(default ${valueCell(defaults.get(name) ?? null)})`,
  ]);
  io.out(table(rows));
}

/** How long an instance may take to move its events API, ms. */
const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 50;

function addSettingsSet(settings: Command, context: CommandContext): void {
  const command = settings
    .command('set')
    .description('Changes settings of the workspace, and prints all of them.')
    .argument('<name=json...>', 'setting to change: limits.scriptMs=10000');
  withJson(withWorkspace(command)).action(async (assignments: string[], options: WorkspaceOption & JsonOption) => {
    const patch = patchOf(assignments.map(parseAssignment));
    const runs = (await context.holder(context.workspace(options.workspace)))?.url != null;
    const { current, problem } = await inSession(context, options, async (client) => {
      const updated = await client.settings.update(patch);
      const moved = runs && updated['events.enabled'] && ('events.port' in patch || 'events.enabled' in patch);
      return { current: updated, problem: moved ? await listeningProblem(client, updated['events.port']) : null };
    });
    printSettings(context, withoutSecrets(current), options.json);
    if (problem !== null) context.io.err(`${problem}\n`);
  });
}

/** Why the running instance does not listen at the new port of its events API; null if it does. */
async function listeningProblem(client: InstanceClient, port: number): Promise<string | null> {
  for (const until = Date.now() + PATIENCE_MS; ; await delay(LOOK_AGAIN_MS)) {
    const { eventsApi, eventsApiProblem } = await client.app.info();
    if (eventsApi !== null && (port === 0 || Number(new URL(eventsApi).port || 80) === port)) return null;
    // Until it has moved, it may still report the previous port.
    if (eventsApiProblem?.includes(`Port ${port} cannot`) || Date.now() > until) return eventsApiProblem;
  }
}

function patchOf(assignments: { name: string; value: Json }[]): Partial<Settings> {
  const patch: Partial<Settings> = {};
  for (const { name, value } of assignments) {
    if (!isSetting(name)) throw usage(`There is no setting "${name}". "tagwright settings list" shows them all.`);
    // The service checks the value.
    Object.assign(patch, { [name]: value });
  }
  return patch;
}

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(DEFAULT_SETTINGS, name);

/** The settings for a screen or a log: without the key, the proxy's password and tokens in addresses. */
function withoutSecrets(settings: Settings): Settings {
  const shown = { ...settings, 'events.apiKey': settings['events.apiKey'] === '' ? '' : KEY_IS_SET };
  for (const key of PRIVATE_SETTINGS) {
    const open = publicPart(key, shown[key]);
    if (open === shown[key]) continue;
    const masked = open.replace('@', ':***@');
    // In an address without a password, the hidden part is its query.
    shown[key] = masked === open ? `${open}?***` : masked;
  }
  return shown;
}
