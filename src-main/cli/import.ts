import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { applyFolder } from '../exchange/apply-folder.ts';
import { readFolder } from '../exchange/read-folder.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { jsonLine } from './text.ts';

interface ImportOptions extends WorkspaceOption, JsonOption {
  mirror?: boolean;
}

export function addImport(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .description(
      'Makes the workspace hold what a folder of "tagwright export" holds. What it does not name stays. A workspace that\n' +
        'does not exist yet is made, without the sample.',
    )
    .argument('<dir>', 'the folder')
    .option('--mirror', 'delete scripts, tags, mocks, rules and Diagrams that the folder does not name');
  withJson(withWorkspace(command)).action(async (folder: string, options: ImportOptions) => {
    const { io } = context;
    const given = await readFolder(folder);
    const { mirror = false } = options;
    const directory = context.workspace(options.workspace);
    const isNew = !existsSync(join(directory, 'workspace.db'));
    // A workspace that is made for it holds what the folder holds, and no sample.
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
