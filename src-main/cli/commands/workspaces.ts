import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { printable } from '../../platform/report/printable.ts';
import { counted, jsonLine, listedMoment, table } from '../text.ts';

/** The command group `workspaces`. */
export function addWorkspaces(program: Command, context: CommandContext): void {
  const workspaces = program.command('workspaces').description('Lists, creates and copies workspaces.');
  for (const add of [addWorkspacesList, addWorkspacesNew, addWorkspacesCopy, addWorkspacesForget])
    add(workspaces, context);
}

async function recentWorkspaces() {
  const { RecentWorkspaces } = await import('../../workspace/workspaces/recent-workspaces.ts');
  return new RecentWorkspaces();
}

function addWorkspacesList(workspaces: Command, { io }: CommandContext): void {
  const command = workspaces.command('list').description('Lists the recent workspaces, newest first.');
  withJson(command).action(async (options: JsonOption) => {
    const all = (await recentWorkspaces()).list();
    if (options.json) return io.out(jsonLine(all));
    const rows = all.map(({ directory, openedAt, state }) => [listedMoment(openedAt), state, printable(directory)]);
    io.out(table([['OPENED (UTC)', 'STATE', 'FOLDER'], ...rows]));
    io.err(`${counted(rows.length, 'workspace')}\n`);
  });
}

function addWorkspacesForget(workspaces: Command, { io }: CommandContext): void {
  workspaces
    .command('forget')
    .description('Removes a workspace from the list. The workspace itself is not changed.')
    .argument('<dir>', 'a folder listed by "workspaces list"')
    .action(async (directory: string) => {
      const folder = resolve(directory);
      if (!(await recentWorkspaces()).forget(folder)) {
        throw new TagwrightError('NOT_FOUND', `"${folder}" is not on the list. Run "workspaces list" to see the list.`);
      }
      io.out(`${printable(folder)} is forgotten\n`);
    });
}

function addWorkspacesNew(workspaces: Command, context: CommandContext): void {
  const command = workspaces
    .command('new')
    .description('Creates a workspace with the sample plant in a new or empty folder.')
    .argument('<dir>', 'the folder of the new workspace')
    .option('--empty', 'without the sample');
  withJson(command).action(async (directory: string, { json, empty = false }: JsonOption & { empty?: boolean }) => {
    const { fillNewFolder } = await import('../../storage/workspace/new-folder.ts');
    const made = await fillNewFolder(directory, async (folder) => {
      await inSession(context, { workspace: folder, empty, announced: true }, (client) => client.app.info());
      return folder;
    });
    const what = empty ? 'an empty workspace' : 'a workspace with the sample plant';
    context.io.out(json ? jsonLine({ directory: made, sample: !empty }) : `${printable(made)} made: ${what}\n`);
  });
}

function addWorkspacesCopy(workspaces: Command, context: CommandContext): void {
  const command = workspaces
    .command('copy')
    .description('Copies the workspace into a new or empty folder, also while an instance runs.')
    .argument('<dir>', 'the folder of the copy')
    .option('--with-secrets', 'also copy the key of the secrets: anyone with the copy can use them');
  type Options = WorkspaceOption & JsonOption & { withSecrets?: boolean };
  withJson(withWorkspace(command)).action(async (target: string, options: Options) => {
    const { io } = context;
    const source = context.workspace(options.workspace);
    // Finishes interrupted work of a killed instance.
    if (existsSync(join(source, 'workspace.db')) && (await context.holder(source)) === null) {
      await inSession(context, { workspace: source, empty: true }, (client) => client.app.info());
    }
    const { copyWorkspace } = await import('../../storage/workspace/copy/copy-workspace.ts');
    const made = await copyWorkspace({ source, target, withSecrets: options.withSecrets ?? false });
    if (options.json) return io.out(jsonLine(made));
    const key = made.secretsKey ? ' and the key of the secrets' : '';
    const { directory, bytes, mockFiles } = made;
    io.out(`${printable(directory)} created: ${counted(bytes, 'byte')}, ${counted(mockFiles, 'mock file')}${key}\n`);
  });
}
