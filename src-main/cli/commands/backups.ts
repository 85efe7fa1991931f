import { grouped } from '#domain/text/grouped';
import type { Command } from 'commander';
import { calledBy } from '../../platform/caller.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { counted, jsonLine, listedMoment, table } from '../text.ts';

/** The command group `backups`. */
export function addBackups(program: Command, context: CommandContext): void {
  const backups = program.command('backups').description('Lists, creates and restores backups of the workspace.');
  for (const add of [addBackupsList, addBackupsCreate, addBackupsRestore]) add(backups, context);
}

function addBackupsList(backups: Command, context: CommandContext): void {
  const command = backups.command('list').description('Lists the backups of the workspace, newest first.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const all = await inSession(context, options, (client) => client.backups.list());
    if (options.json) return io.out(jsonLine(all));
    const rows = all.map(({ name, sort, madeAt, bytes }) => [name, listedMoment(madeAt), sort, grouped(bytes)]);
    io.out(table([['NAME', 'MADE (UTC)', 'SORT', 'BYTES'], ...rows]));
    io.err(`${counted(rows.length, 'backup')}\n`);
  });
}

function addBackupsCreate(backups: Command, context: CommandContext): void {
  const command = backups
    .command('create')
    .description('Backs up the workspace, also while an instance runs. The backup stays until you delete it.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const made = await inSession(context, options, (client) => client.backups.create());
    context.io.out(options.json ? jsonLine(made) : `${made.name} made, ${grouped(made.bytes)} bytes\n`);
  });
}

function addBackupsRestore(backups: Command, context: CommandContext): void {
  const command = backups
    .command('restore')
    .description('Replaces the workspace with a backup. Stop Tagwright first. The replaced workspace is kept.')
    .argument('<name>', 'a name listed by "backups list"');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const { restoreBackup } = await import('../../storage/backups/restore-backup.ts');
    const restore = () => restoreBackup(context.workspace(options.workspace), name);
    const kept = await calledBy({ by: 'person', from: 'command line' }, restore);
    if (options.json) return io.out(jsonLine({ restored: name, kept }));
    io.out(`The workspace was replaced by ${name}\n`);
    if (kept !== null) io.out(`The replaced workspace is kept: ${kept}\n`);
  });
}
