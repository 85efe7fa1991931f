import type { Command } from 'commander';
import { restoreBackup } from '../../storage/backups/restore-backup.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { counted, jsonLine, listedMoment, table } from '../text.ts';

/** The command group `backups`. */
export function addBackups(program: Command, context: CommandContext): void {
  const backups = program.command('backups').description('Lists, makes and restores backups of the workspace.');
  for (const add of [addBackupsList, addBackupsCreate, addBackupsRestore]) add(backups, context);
}

function addBackupsList(backups: Command, context: CommandContext): void {
  const command = backups.command('list').description('Lists the backups of the workspace, the newest first.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const all = await inSession(context, options, (client) => client.backups.list());
    if (options.json) return io.out(jsonLine(all));
    const rows = all.map(({ name, sort, madeAt, bytes }) => [
      name,
      listedMoment(madeAt),
      sort,
      bytes.toLocaleString('en'),
    ]);
    io.out(table([['NAME', 'MADE (UTC)', 'SORT', 'BYTES'], ...rows]));
    io.err(`${counted(rows.length, 'backup')}\n`);
  });
}

function addBackupsCreate(backups: Command, context: CommandContext): void {
  const command = backups
    .command('create')
    .description('Copies the workspace now, also while an instance uses it. The copy stays until you delete it.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const made = await inSession(context, options, (client) => client.backups.create());
    context.io.out(options.json ? jsonLine(made) : `${made.name} made, ${made.bytes.toLocaleString('en')} bytes\n`);
  });
}

function addBackupsRestore(backups: Command, context: CommandContext): void {
  const command = backups
    .command('restore')
    .description('Puts a backup in the place of the workspace, which no instance may hold. What it replaces is kept.')
    .argument('<name>', 'a name of "backups list"');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const kept = await restoreBackup(context.workspace(options.workspace), name);
    if (options.json) return io.out(jsonLine({ restored: name, kept }));
    io.out(`${name} is the workspace now\n`);
    if (kept !== null) io.out(`What it replaced is kept: ${kept}\n`);
  });
}
