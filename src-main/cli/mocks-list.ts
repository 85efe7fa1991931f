import type { Command } from 'commander';
import type { Mock } from '#domain/mock/mock';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { cell, counted, jsonLine, table } from './text.ts';

export function addMocksList(mocks: Command, context: CommandContext): void {
  const command = mocks.command('list').description('Lists the mocks in the order in which they are asked.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const listed = await inSession(context, options, (client) => client.mocks.list());
    if (options.json) return context.io.out(jsonLine(listed));
    const rows = listed.mocks.map(rowOf);
    if (rows.length > 0) context.io.out(table([['ID', 'PRIORITY', 'HITS', 'REQUEST', 'ANSWER', 'NAME'], ...rows]));
    const recording = listed.record ? ', live calls are recorded' : '';
    context.io.err(`${counted(rows.length, 'mock')}, mode ${listed.mode}${recording}\n`);
  });
}

function rowOf({ id, priority, hits, name, enabled, request, answer }: Mock): string[] {
  const delay = answer.delayMs > 0 ? ` after ${answer.delayMs} ms` : '';
  return [
    String(id),
    String(priority),
    String(hits),
    `${request.method} ${cell(request.url)}`,
    enabled ? `${answer.fault ?? answer.status}${delay}` : 'off',
    cell(name),
  ];
}
