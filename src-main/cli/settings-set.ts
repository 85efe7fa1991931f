import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Json } from '#domain/text/json';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { Client } from '../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { parseAssignment, usage } from './input.ts';
import { printSettings } from './settings-list.ts';
import { withoutSecrets } from './settings-secrets.ts';

/** How long an instance may take to move its events API, ms. */
const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 50;

export function addSettingsSet(settings: Command, context: CommandContext): void {
  const command = settings
    .command('set')
    .description('Changes settings of the workspace, and prints all of them.')
    .argument('<name=json...>', 'what to change: limits.scriptMs=10000');
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

/** Why the running instance does not listen for tools at the port that it was just given; null where it does. */
async function listeningProblem(client: Client, port: number): Promise<string | null> {
  for (const until = Date.now() + PATIENCE_MS; ; await delay(LOOK_AGAIN_MS)) {
    const { eventsApi, eventsApiProblem } = await client.app.info();
    if (eventsApi !== null && (port === 0 || Number(new URL(eventsApi).port || 80) === port)) return null;
    // Until it has moved, it may still tell of the port before.
    if (eventsApiProblem?.includes(`Port ${port} cannot`) || Date.now() > until) return eventsApiProblem;
  }
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
