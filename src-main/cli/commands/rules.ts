import type { Command } from 'commander';
import { Option } from 'commander';
import type { Rule } from '#domain/rule/rule';
import { RULE_LIMITS } from '#domain/rule/rule';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { addRulesPreview } from './rules-preview.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, table } from '../text.ts';
import { oneOf, usage } from '../input.ts';

/** The command group `rules`. */
export function addRules(program: Command, context: CommandContext): void {
  const rules = program.command('rules').description('Lists, shows, saves and deletes aggregation rules.');
  for (const add of [addRulesList, addRulesShow, addRulesPreview, addRulesSave, addRulesDelete]) add(rules, context);
}

function addRulesList(rules: Command, context: CommandContext): void {
  const command = rules.command('list').description('Lists the aggregation rules ordered by name.');
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

function addRulesShow(rules: Command, context: CommandContext): void {
  const command = rules
    .command('show')
    .description('Prints a rule as JSON for "rules save"; with --json, on one line.')
    .argument('<rule>', 'name or id of the rule');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const rule = await inSession(context, options, (client) => client.rules.get(ruleKey(name)));
    context.io.out(options.json ? jsonLine(rule) : `${JSON.stringify(rule, null, 2)}\n`);
  });
}

function addRulesSave(rules: Command, context: CommandContext): void {
  const command = rules
    .command('save')
    .description('Saves a rule from a JSON file: changes the rule with its id or name, or creates one.')
    .argument('<file>', 'file with the rule, or - for standard input');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const { readRule } = await import('../rule-file.ts');
    const rule = await readRule(context.io, file);
    const saved = await inSession(context, options, async (client) => {
      const id = rule.id ?? (await idOf(client, rule.name));
      return client.rules.save({ ...rule, ...(id !== undefined && { id }) });
    });
    const text = `Saved ${printable(ruleTitle(saved))}; its data rows go to ${saved.resultTable}\n`;
    context.io.out(options.json ? jsonLine(saved) : text);
  });
}

async function idOf(client: InstanceClient, name: string): Promise<number | undefined> {
  const rules = await client.rules.list();
  return rules.find((rule) => rule.name.toLowerCase() === name.toLowerCase())?.id;
}

interface DeleteOptions extends WorkspaceOption, JsonOption {
  rows: 'keep' | 'drop';
}

function addRulesDelete(rules: Command, context: CommandContext): void {
  const command = rules
    .command('delete')
    .description('Deletes a rule. Its data rows and events stay unless you drop them.')
    .argument('<rule>', 'name or id of the rule')
    .addOption(
      oneOf(new Option('--rows <what>', 'what to do with its data rows; "drop" also deletes its events'), [
        'keep',
        'drop',
      ]).default('keep'),
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

interface FireOptions extends WorkspaceOption, JsonOption {
  times: string;
}

export function addFire(program: Command, context: CommandContext): void {
  const command = program
    .command('fire')
    .summary('fires an aggregation rule manually')
    .description(
      'Fires a rule with the samples of its open window and the current values of its tags, regardless of its condition: creates a data row, and an event if the rule triggers events.',
    )
    .argument('<rule>', 'name or id of the rule')
    .option('--times <n>', 'number of times to fire', '1');
  withJson(withWorkspace(command)).action(async (name: string, { times: text, ...options }: FireOptions) => {
    const times = Number(text);
    if (!/^\d+$/.test(text) || times < 1 || times > RULE_LIMITS.firings) {
      throw usage(`--times must be a whole number from 1 to ${RULE_LIMITS.firings}, not "${text}".`);
    }
    const fired = await inSession(context, options, (client) => client.rules.fire({ ...ruleKey(name), times }));
    if (options.json) return context.io.out(jsonLine(fired));
    const events =
      fired.firstEvent === null
        ? 'no event, because the rule triggers none'
        : idsText('event', fired.firstEvent, fired.lastEvent);
    context.io.out(
      `Fired ${counted(fired.fired, 'time')}: ${idsText('row', fired.firstRow, fired.lastRow)} of ${fired.resultTable}, ${events}\n`,
    );
  });
}

function idsText(what: string, first: number, last: number | null): string {
  return last === null || last === first ? `${what} ${first}` : `${what}s ${first} to ${last}`;
}

/** A rule as written on the command line: digits are its id, anything else its name. */
function ruleKey(text: string): { id: number } | { name: string } {
  return /^[1-9]\d{0,14}$/.test(text) ? { id: Number(text) } : { name: text };
}

/** `"Fill volume check" (1)` */
const ruleTitle = ({ id, name }: Pick<Rule, 'id' | 'name'>): string => `"${name}" (${id})`;
