import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { putExport } from './output.ts';

export function addMocksExport(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('export')
    .description('Writes all mocks to a JSON file that "mocks import" reads. An existing file is replaced.')
    .argument('<file>', 'the file, or - for standard output');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const exported = await inSession(context, options, (client) => client.mocks.export());
    await putExport(context.io, exported, { ...options, file, what: 'mock' });
  });
}
