import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { usage } from '../input.ts';
import { cell, counted, jsonLine, table } from '../text.ts';

/** The command group `calls`. */
export function addCalls(program: Command, context: CommandContext): void {
  const calls = program.command('calls').description('Lists and clears the API calls of scripts.');
  for (const add of [addCallsList, addCallsClear]) add(calls, context);
}

interface CallListOptions extends WorkspaceOption, JsonOption {
  limit: string;
}

function addCallsList(calls: Command, context: CommandContext): void {
  const command = calls
    .command('list')
    .description('Lists the newest API calls of the running instance, masked, oldest first.')
    .option('--limit <count>', 'maximum number of calls to list', '50');
  withJson(withWorkspace(command)).action(async (options: CallListOptions) => {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
      throw usage('--limit must be a whole number from 1 to 1000.');
    const { calls: listed } = await inSession(context, options, (client) => client.calls.list({ limit }));
    if (options.json) return context.io.out(jsonLine(listed));
    const rows = listed.map(({ at, method, url, statusCode, error, ms, source, mock }) => [
      at,
      method,
      error ?? statusCode,
      `${Math.round(ms)} ms`,
      mock === null ? source : `mock ${cell(mock)}`,
      cell(url),
    ]);
    context.io.out(table(rows));
    context.io.err(`${counted(rows.length, 'call')}\n`);
  });
}

function addCallsClear(calls: Command, context: CommandContext): void {
  const command = calls.command('clear').description('Clears the log of API calls.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const { count } = await inSession(context, options, (client) => client.calls.clear());
    context.io.out(options.json ? jsonLine({ count }) : `${counted(count, 'call')} removed\n`);
  });
}
