import type { Command } from 'commander';
import { applyFolder } from '../folder/apply-folder.ts';
import { readFolder } from '../folder/read-folder.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { jsonLine } from './text.ts';

interface ImportOptions extends WorkspaceOption, JsonOption {
  mirror?: boolean;
}

export function addImport(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .description('Makes the workspace hold what a folder of "tagwright export" holds. What it does not name stays.')
    .argument('<dir>', 'the folder')
    .option('--mirror', 'delete scripts, tags, mocks, rules and Diagrams that the folder does not name');
  withJson(withWorkspace(command)).action(async (folder: string, options: ImportOptions) => {
    const { io } = context;
    const given = await readFolder(folder);
    const { mirror = false } = options;
    const report = await inSession(context, options, (client) => applyFolder(client, given, mirror));
    if (options.json) return io.out(jsonLine(report));
    for (const [sort, { created, updated, unchanged, deleted }] of Object.entries(report)) {
      const gone = mirror ? `, ${deleted} deleted` : '';
      io.out(`${sort.padEnd(9)} ${created} created, ${updated} updated, ${unchanged} unchanged${gone}\n`);
    }
  });
}
