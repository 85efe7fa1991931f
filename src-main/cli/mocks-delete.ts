import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { usage } from './input.ts';
import { counted, jsonLine } from './text.ts';

export function addMocksDelete(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('delete')
    .description('Deletes mocks: those of the ids that "mocks list" shows, or --all.')
    .argument('[id...]', 'ids of mocks')
    .option('--all', 'every mock');
  withJson(withWorkspace(command)).action(
    async (ids: string[], options: WorkspaceOption & JsonOption & { all?: boolean }) => {
      if ((ids.length === 0) === (options.all === undefined)) throw usage('Name the ids of mocks, or --all.');
      const named = ids.map(idOf);
      const { count } = await inSession(context, options, (client) =>
        client.mocks.delete({ ids: options.all ? null : named }),
      );
      context.io.out(options.json ? jsonLine({ count }) : `${counted(count, 'mock')} deleted\n`);
    },
  );
}

function idOf(text: string): number {
  const id = Number(text);
  if (Number.isInteger(id) && id > 0) return id;
  throw usage(`"${text}" is no id of a mock. "tagwright mocks list" shows them.`);
}
