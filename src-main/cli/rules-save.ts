import type { Command } from 'commander';
import type { Client } from '../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { readText } from './input.ts';
import { MAX_RULE_BYTES, parseRule, ruleTitle } from './rule-input.ts';
import { jsonLine, printable } from './text.ts';

export function addRulesSave(rules: Command, context: CommandContext): void {
  const command = rules
    .command('save')
    .description('Saves a rule from a file of JSON: the rule of its id, else of its name, else a new one.')
    .argument('<file>', 'file with the rule, or - for standard input');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const rule = parseRule(await readText(context.io, file, { bytes: MAX_RULE_BYTES, of: 'a rule' }));
    const saved = await inSession(context, options, async (client) => {
      const id = rule.id ?? (await idOf(client, rule.name));
      return client.rules.save({ ...rule, ...(id !== undefined && { id }) });
    });
    const text = `Saved ${printable(ruleTitle(saved))}; its data rows go to ${saved.resultTable}\n`;
    context.io.out(options.json ? jsonLine(saved) : text);
  });
}

async function idOf(client: Client, name: string): Promise<number | undefined> {
  const rules = await client.rules.list();
  return rules.find((rule) => rule.name.toLowerCase() === name.toLowerCase())?.id;
}
