import type { Command } from 'commander';
import { RULE_LIMITS } from '#domain/rule/rule';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { usage } from './input.ts';
import { ruleKey } from './rule-input.ts';
import { counted, jsonLine } from './text.ts';

interface FireOptions extends WorkspaceOption, JsonOption {
  times: string;
}

export function addFire(program: Command, context: CommandContext): void {
  const command = program
    .command('fire')
    .summary('fires an aggregation rule by hand')
    .description(
      'Fires a rule with what its open window has gathered and what its tags show now, whatever its condition says: a data row, and an event where it triggers events.',
    )
    .argument('<rule>', 'name or id of the rule')
    .option('--times <n>', 'fire so many times', '1');
  withJson(withWorkspace(command)).action(async (name: string, { times: text, ...options }: FireOptions) => {
    const times = Number(text);
    if (!/^\d+$/.test(text) || times < 1 || times > RULE_LIMITS.firings) {
      throw usage(`--times is a whole number from 1 to ${RULE_LIMITS.firings}, not "${text}".`);
    }
    const fired = await inSession(context, options, (client) => client.rules.fire({ ...ruleKey(name), times }));
    if (options.json) return context.io.out(jsonLine(fired));
    const events =
      fired.firstEvent === null
        ? 'no event, since the rule triggers none'
        : idsText('event', fired.firstEvent, fired.lastEvent);
    context.io.out(
      `Fired ${counted(fired.fired, 'time')}: ${idsText('row', fired.firstRow, fired.lastRow)} of ${fired.resultTable}, ${events}\n`,
    );
  });
}

function idsText(what: string, first: number, last: number | null): string {
  return last === null || last === first ? `${what} ${first}` : `${what}s ${first} to ${last}`;
}
