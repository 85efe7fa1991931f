import type { Command } from 'commander';
import { OUTCOME_NAMES, previewNote } from '#domain/rule/rule-preview';
import type { RulePreview } from '#domain/rule/rule-preview';
import { localTimeText } from '#domain/text/local-time';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { printable } from '../../platform/report/printable.ts';
import { counted, jsonLine, table, valueCell } from '../text.ts';

export function addRulesPreview(rules: Command, context: CommandContext): void {
  const command = rules
    .command('preview')
    .description('Prints the data rows and events that a rule would have created in the past hour. Saves nothing.')
    .argument('<file>', 'file with the rule, or - for standard input');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const { readRule } = await import('../rule-file.ts');
    const rule = await readRule(context.io, file);
    const preview = await inSession(context, options, (client) => client.rules.preview(rule));
    if (options.json) return context.io.out(jsonLine(preview));
    const rows = preview.windows.map(({ start, end, outcome, samples, badSamples, outputs }) => [
      moment(start),
      moment(end),
      OUTCOME_NAMES[outcome],
      String(samples),
      String(badSamples),
      ...outputs.map(valueCell),
    ]);
    const names = rule.outputs.map(({ name }) => printable(name));
    if (rows.length > 0) context.io.out(table([['START', 'END', 'OUTCOME', 'SAMPLES', 'BAD', ...names], ...rows]));
    for (const note of notesOf(preview)) context.io.err(`${printable(note)}\n`);
    const fired = preview.windows.filter(({ outcome }) => outcome === 'fires').length;
    const events = rule.triggersEvents ? `, ${counted(fired, 'event')}` : ', no events';
    context.io.err(
      `${counted(preview.windows.length, 'window')} of ${counted(preview.samples, 'sample')}: ${counted(fired, 'data row')}${events}\n`,
    );
  });
}

const moment = (ms: number): string => localTimeText(ms).slice(0, 23).replace('T', ' ');

function* notesOf({ sources, limit, span, earlier }: RulePreview): Generator<string> {
  for (const source of sources) {
    const note = previewNote(source, moment);
    if (note !== null) yield `${source.path}: ${note}`;
  }
  if (earlier > 0) yield `Only the newest windows are listed; ${earlier} earlier ones are not.`;
  if (limit === 'samples' && span) yield `The preview begins at ${moment(span.from)}: an hour has too many samples.`;
  if (limit === 'time' && span) yield `The preview ends at ${moment(span.to)}: it took too long.`;
}
