import type { Command } from 'commander';
import { textOfWorkspace, writeFolder } from '../exchange/write-folder.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { counted, jsonLine, printable } from './text.ts';

export function addExport(program: Command, context: CommandContext): void {
  const command = program
    .command('export')
    .description(
      'Writes scripts, tags, values, rules, mocks, Diagrams and settings into a folder of text files for Git.',
    )
    .argument('<dir>', 'the folder: a new one, an empty one, or one that was exported before');
  withJson(withWorkspace(command)).action(async (folder: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const { files, leftOut } = await inSession(context, options, textOfWorkspace);
    const { written, unchanged, removed } = await writeFolder(folder, files);
    if (options.json) return io.out(jsonLine({ folder, written, unchanged, removed, leftOut }));
    for (const file of removed) io.out(`removed ${printable(file)}\n`);
    io.out(
      `${counted(written.length, 'file')} written, ${unchanged} unchanged, ${removed.length} removed in ${folder}\n`,
    );
    for (const key of leftOut)
      io.out(`the secret in setting ${key} was left out: set it where the folder is imported\n`);
  });
}
