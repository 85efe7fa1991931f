import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { parseJson } from '../input.ts';
import type { ScopeOptions } from '../scopes.ts';
import { scopesOf, withScopes } from '../scopes.ts';
import { cell, counted, jsonLine, table, valueCell } from '../text.ts';

/** The command group `db`. */
export function addDb(program: Command, context: CommandContext): void {
  addDbTry(program.command('db').description('Tries SQL on plant.db.'), context);
}

interface TryOptions extends WorkspaceOption, ScopeOptions, JsonOption {
  write?: boolean;
  value?: string;
  tag?: string;
}

function addDbTry(db: Command, context: CommandContext): void {
  const command = db
    .command('try')
    .description('Runs one statement on plant.db like a DB tag, and shows its result.')
    .argument('<sql>', 'SELECT …, with :tagName, :diagram and :location')
    .option('--write', 'run a writing statement, and roll it back')
    .option('--value <json>', 'value of :value in a write, an object for :value.name or :name')
    .option('--tag <path>', 'value of :tagName');
  withJson(withScopes(withWorkspace(command))).action(async (sql: string, options: TryOptions) => {
    const { write = false, value, tag } = options;
    const result = await inSession(context, options, (client) =>
      client.db.try({
        sql,
        mode: write ? 'write' : 'read',
        ...(value !== undefined && { value: parseJson(value, '--value') }),
        ...(tag !== undefined && { tagName: tag }),
        ...scopesOf(options),
      }),
    );
    const { io } = context;
    if (options.json) return io.out(jsonLine(result));
    const { columns, rows, more, changes, ms } = result;
    if (columns.length > 0) io.out(table([columns.map(cell), ...rows.map((row) => row.map(valueCell))]));
    const found = `${counted(rows.length, 'row')}${more ? ', and there are more' : ''}`;
    io.err(`${write ? `${counted(changes, 'row')} changed, and rolled back` : found}; ${ms.toFixed(1)} ms\n`);
  });
}
