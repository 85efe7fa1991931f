import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { jsonLine } from './text.ts';

export function addSecretsDelete(secrets: Command, context: CommandContext): void {
  const command = secrets.command('delete').description('Deletes a secret.').argument('<name>', 'its name');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    await inSession(context, options, (client) => client.secrets.delete({ name }));
    context.io.out(options.json ? jsonLine({ name }) : `${name} is deleted\n`);
  });
}
