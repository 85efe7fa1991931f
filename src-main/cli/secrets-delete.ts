import type { Command } from 'commander';
import type { SecretUsage } from '#domain/tag/usage';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { jsonLine } from './text.ts';
import { secretUsageText } from './usage-text.ts';

export function addSecretsDelete(secrets: Command, context: CommandContext): void {
  const command = secrets
    .command('delete')
    .description('Deletes a secret, and says what names it all the same.')
    .argument('<name>', 'its name');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const usage = await inSession(context, options, async (client) => {
      const found = await client.secrets.usage({ name });
      await client.secrets.delete({ name });
      return found;
    });
    io.out(options.json ? jsonLine({ name, usage }) : `${name} is deleted\n`);
    if (isNamed(usage)) io.err(`{{secret:${name}}} is still named here:\n${secretUsageText(usage)}`);
  });
}

const isNamed = ({ scripts, drafts, mocks, settings }: SecretUsage): boolean =>
  scripts.length + drafts.length + mocks.length + settings.length > 0;
