import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { messageOf } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { usage } from './input.ts';
import { counted, jsonLine } from './text.ts';

export function addMocksExport(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('export')
    .description('Writes all mocks to a JSON file that "mocks import" reads. An existing file is replaced.')
    .argument('<file>', 'the file, or - for standard output');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const { text, count } = await inSession(context, options, (client) => client.mocks.export());
    if (file === '-') return io.out(text);
    await writeFile(file, text).catch((thrown: unknown) => {
      throw usage(`"${file}" cannot be written: ${messageOf(thrown)}`);
    });
    io.out(options.json ? jsonLine({ file, count }) : `${counted(count, 'mock')} exported to ${file}\n`);
  });
}
