import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { usage } from './input.ts';
import { counted, jsonLine } from './text.ts';

interface ClearOptions extends WorkspaceOption, JsonOption {
  all?: boolean;
  tag?: string;
  before?: string;
}

export function addErpClear(erp: Command, context: CommandContext): void {
  const command = erp
    .command('clear')
    .description('Deletes records from the outbox. Say which: --all, --tag, --before, or the last two together.')
    .option('--all', 'every record')
    .option('--tag <path>', 'those that were sent under this path')
    .option('--before <time>', 'those that were sent before this time, as 2026-08-01T06:00:00Z');
  withJson(withWorkspace(command)).action(async (options: ClearOptions) => {
    const { all, tag, before } = options;
    if ((tag === undefined && before === undefined) === (all === undefined)) {
      throw usage('Say which records are to be deleted: --all, or --tag and --before.');
    }
    const { count } = await inSession(context, options, (client) =>
      client.erp.clear({ ...(tag !== undefined && { tag }), ...(before !== undefined && { before }) }),
    );
    context.io.out(options.json ? jsonLine({ count }) : `${counted(count, 'record')} deleted\n`);
  });
}
