import type { Command } from 'commander';
import { SECRET_LENGTH } from '#domain/mock/api-secret';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { readText } from './input.ts';
import { promptHidden } from './prompt-hidden.ts';
import { jsonLine } from './text.ts';

export function addSecretsSet(secrets: Command, context: CommandContext): void {
  const command = secrets
    .command('set')
    .description(
      'Sets a secret, which scripts write as {{secret:NAME}}. The value is asked for, or read from standard input, so\n' +
        'that it stands in no history of a shell.',
    )
    .argument('<name>', 'a letter first, then letters, digits, _ . or -');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const typed = await promptHidden(io, `Value of ${name}: `);
    const text = typed ?? (await readText(io, '-', { bytes: SECRET_LENGTH.max * 4, of: 'a secret' }));
    // The line break of echo and of editors is no part of it.
    const value = text.replace(/\r?\n$/, '');
    await inSession(context, options, (client) => client.secrets.set({ name, value }));
    if (options.json) return io.out(jsonLine({ name }));
    io.out(`${name} is set; scripts write it as {{secret:${name}}}\n`);
  });
  command.addHelpText('after', '\nExample:\n  tagwright secrets set ERP_KEY < key.txt');
}
