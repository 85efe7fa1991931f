import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { cell, counted, jsonLine, listedMoment, table } from './text.ts';

export function addScriptsList(scripts: Command, context: CommandContext): void {
  const command = scripts
    .command('list')
    .description('Lists the scripts of the library with their version and description.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const library = await inSession(context, options, (client) => client.scripts.list());
    if (options.json) return context.io.out(jsonLine(library));
    const rows = library.scripts.map(({ group, name, version, savedAt, description }) => [
      `${group}/${name}`,
      String(version),
      listedMoment(savedAt),
      cell(description),
    ]);
    context.io.out(table([['GROUP/NAME', 'VERSION', 'SAVED (UTC)', 'DESCRIPTION'], ...rows]));
    context.io.err(`${counted(rows.length, 'script')} in ${counted(library.groups.length, 'group')}\n`);
  });
}
