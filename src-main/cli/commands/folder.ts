import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { textOfWorkspace, writeFolder } from '../../exchange/write-folder.ts';
import { applyFolder } from '../../exchange/apply-folder.ts';
import { readFolder } from '../../exchange/read-folder.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { counted, jsonLine, printable } from '../text.ts';

export function addExport(program: Command, context: CommandContext): void {
  const command = program
    .command('export')
    .description(
      'Writes scripts, tags, values, rules, mocks, Diagrams and settings into a folder of text files for Git.',
    )
    .argument('<dir>', 'a new or empty folder, or one from an earlier export');
  withJson(withWorkspace(command)).action(async (folder: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const { files, leftOut } = await inSession(context, options, textOfWorkspace);
    const { written, unchanged, removed } = await writeFolder(folder, files);
    if (options.json) return io.out(jsonLine({ folder, written, unchanged, removed, leftOut }));
    for (const file of removed) io.out(`removed ${printable(file)}\n`);
    io.out(
      `${counted(written.length, 'file')} written, ${unchanged} unchanged, ${removed.length} removed in ${folder}\n`,
    );
    for (const key of leftOut) io.out(`the secret in setting ${key} was omitted: set it after the import\n`);
  });
}

interface FolderImportOptions extends WorkspaceOption, JsonOption {
  mirror?: boolean;
}

export function addImport(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .description(
      'Imports a folder written by "tagwright export". Items that are not in the folder stay. A workspace that\n' +
        'does not exist is created without the sample.',
    )
    .argument('<dir>', 'the folder')
    .option('--mirror', 'delete scripts, tags, mocks, rules and Diagrams that are not in the folder');
  withJson(withWorkspace(command)).action(async (folder: string, options: FolderImportOptions) => {
    const { io } = context;
    const given = await readFolder(folder);
    const { mirror = false } = options;
    const directory = context.workspace(options.workspace);
    const isNew = !existsSync(join(directory, 'workspace.db'));
    // A new workspace gets only the contents of the folder, without the sample.
    const report = await inSession(context, { ...options, empty: true }, (client) =>
      applyFolder(client, given, mirror),
    );
    if (isNew) io.err(`Created the workspace ${directory}\n`);
    if (options.json) return io.out(jsonLine(report));
    for (const [sort, { created, updated, unchanged, deleted }] of Object.entries(report)) {
      const gone = mirror ? `, ${deleted} deleted` : '';
      io.out(`${sort.padEnd(9)} ${created} created, ${updated} updated, ${unchanged} unchanged${gone}\n`);
    }
  });
}
