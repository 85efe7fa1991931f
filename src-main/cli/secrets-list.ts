import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { counted, jsonLine, listedMoment, table } from './text.ts';

export function addSecretsList(secrets: Command, context: CommandContext): void {
  const command = secrets.command('list').description('Lists the names of the secrets. Values are never shown.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const { secrets: listed } = await inSession(context, options, (client) => client.secrets.list());
    if (options.json) return context.io.out(jsonLine(listed));
    const rows = listed.map(({ name, changedAt, readable }) => [
      name,
      listedMoment(changedAt),
      readable ? 'readable' : 'encrypted with another key: set it again',
    ]);
    context.io.out(table([['NAME', 'CHANGED (UTC)', 'STATE'], ...rows]));
    context.io.err(`${counted(rows.length, 'secret')}\n`);
  });
}
