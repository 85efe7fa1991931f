import type { Command } from 'commander';
import type { Rule } from '#domain/rule/rule';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { cell, counted, jsonLine, table } from './text.ts';

export function addRulesList(rules: Command, context: CommandContext): void {
  const command = rules.command('list').description('Lists the aggregation rules in order of their names.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const found = await inSession(context, options, (client) => client.rules.list());
    if (options.json) return context.io.out(jsonLine(found));
    const rows = found.map((rule) => [
      String(rule.id),
      cell(rule.name),
      rule.enabled ? 'yes' : 'no',
      rule.triggersEvents ? 'yes' : 'no',
      windowText(rule),
      rule.resultTable,
    ]);
    context.io.out(table([['ID', 'NAME', 'ENABLED', 'EVENTS', 'WINDOW', 'RESULT TABLE'], ...rows]));
    context.io.err(`${counted(found.length, 'rule')}\n`);
  });
}

function windowText({ window }: Rule): string {
  switch (window.kind) {
    case 'tumbling':
      return `every ${window.everyMs / 1_000} s`;
    case 'count':
      return counted(window.samples, 'sample');
    case 'while':
      return `while ${cell(window.tag)}`;
    default:
      return 'by hand';
  }
}
