import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { ruleKey, ruleTitle } from './rule-input.ts';
import { jsonLine, printable } from './text.ts';

interface DeleteOptions extends WorkspaceOption, JsonOption {
  rows: 'keep' | 'drop';
}

export function addRulesDelete(rules: Command, context: CommandContext): void {
  const command = rules
    .command('delete')
    .description('Deletes a rule. Its data rows and events stay, unless they are to be dropped.')
    .argument('<rule>', 'name or id of the rule')
    .addOption(
      new Option('--rows <what>', 'what becomes of its data rows; "drop" deletes its events too')
        .choices(['keep', 'drop'])
        .default('keep'),
    );
  withJson(withWorkspace(command)).action(async (name: string, { rows, ...options }: DeleteOptions) => {
    const rule = await inSession(context, options, async (client) => {
      const found = await client.rules.get(ruleKey(name));
      await client.rules.delete({ id: found.id, rows });
      return found;
    });
    const { id, resultTable } = rule;
    if (options.json) return context.io.out(jsonLine({ id, name: rule.name, resultTable, rows }));
    const fate =
      rows === 'keep' ? `its data rows stay in ${resultTable}` : 'its data rows and events are being deleted';
    context.io.out(`Deleted ${printable(ruleTitle(rule))}; ${fate}\n`);
  });
}
