import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { ruleKey } from './rule-input.ts';
import { jsonLine } from './text.ts';

export function addRulesShow(rules: Command, context: CommandContext): void {
  const command = rules
    .command('show')
    .description('Prints a rule as JSON, which "rules save" takes; with --json on one line.')
    .argument('<rule>', 'name or id of the rule');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const rule = await inSession(context, options, (client) => client.rules.get(ruleKey(name)));
    context.io.out(options.json ? jsonLine(rule) : `${JSON.stringify(rule, null, 2)}\n`);
  });
}
