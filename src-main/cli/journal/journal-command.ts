import type { Command } from 'commander';
import { JOURNAL_KINDS } from '#domain/run/journal';
import { thingOf, type Why, type WhyLine, type WhyThing } from '#domain/run/why';
import { parseDateTime } from '#domain/text/date-time';
import { grouped } from '#domain/text/grouped';
import { TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { usage, receivedCapsule } from '../input.ts';
import { saveFile } from '../output.ts';
import { runReportText } from '../run-report-text.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, jsonLine, table, valueCell } from '../text.ts';

const EXAMPLES_WHY = `
Examples:
  tagwright why Bottling.Line1.Filler.TankLevel.Value
  tagwright why event:4711
  tagwright why row:agg_1_fill_level/12 --json
  tagwright why run:1234
  tagwright why request:57
  tagwright why Bottling.Line1.Filler.TankLevel.Value --at 2026-11-23T14:00:00Z
  tagwright why Bottling.Line1.Order.Number.Value --diagram "Line overview" --location W1`;

interface WhyOptions {
  at?: string;
  diagram?: string;
  location?: string;
}

/** The command `why`. */
export function addWhy(program: Command, context: CommandContext): void {
  const command = program
    .command('why')
    .summary('explains a value, an event, a data row, a run or a request')
    .description(
      'Explains a thing from the journal: what led to it, the latest first, and what followed from it. The thing is the ' +
        'path of a tag, event:ID, row:TABLE/ID, rule:ID, run:ID, request:ID (a request to the events API), call:ID (an API call in ' +
        'the log of a running instance) or erp:ID (a record of the ERP outbox). Exits with 1 if nothing is known about it.',
    )
    .argument('<thing>', 'the path of a tag, or event:, row:, rule:, run:, request:, call: or erp: with an ID')
    .option('--at <time>', 'its state at this time, RFC 3339 (default: now)')
    .option('--diagram <name>', 'for a tag: the value that this Diagram sees')
    .option('--location <name>', 'for a tag: the value that this location sees');
  withJson(withWorkspace(command)).action(async (text: string, options: WorkspaceOption & JsonOption & WhyOptions) => {
    const thing = namedThing(text);
    const { diagram, location } = options;
    const isScoped = diagram !== undefined || location !== undefined;
    const state = {
      ...(options.at !== undefined && { at: timeOf('--at', options.at) }),
      ...(isScoped && { scope: { diagram: diagram ?? '', location: location ?? '' } }),
    };
    const why = await inSession(context, options, (client) => client.journal.why({ thing, ...state }));
    context.io.out(options.json ? jsonLine(why) : whyText(why));
    if (why.problem !== null && !options.json) context.io.err(`${printable(why.problem)}\n`);
    if (why.causes.length === 0) context.exit(1);
  });
  command.addHelpText('after', EXAMPLES_WHY);
}

/** The command group `journal`. */
export function addJournal(program: Command, context: CommandContext): void {
  const journal = program
    .command('journal')
    .description('Lists, exports, pins and clears entries of the journal, which has the causes of changes.');
  for (const add of [addList, addShow, addPin, addUnpin, addExport, addCapsule, addClear]) add(journal, context);
}

interface JournalFilterOptions extends WorkspaceOption, JsonOption {
  limit: string;
  kind?: string;
  tag?: string;
  text?: string;
  from?: string;
  to?: string;
}

function withFilter(command: Command): Command {
  return command
    .option('--kind <kind>', `only entries of this kind: run, ${JOURNAL_KINDS.join(', ')}`)
    .option('--tag <path>', 'only entries about this tag')
    .option('--text <text>', 'only entries that contain this text')
    .option('--from <time>', 'only entries of this time or later, RFC 3339')
    .option('--to <time>', 'only entries of this time or earlier, RFC 3339');
}

function filterOf({ kind, tag, text, from, to }: Omit<JournalFilterOptions, 'limit'>) {
  const known = (['run', ...JOURNAL_KINDS] as const).find((one) => one === kind);
  if (kind !== undefined && known === undefined) {
    throw usage(`--kind is one of run, ${JOURNAL_KINDS.join(', ')}, not "${kind}".`);
  }
  return {
    ...(known !== undefined && { kind: known }),
    ...(tag !== undefined && { tag }),
    ...(text !== undefined && { text }),
    ...(from !== undefined && { from: timeOf('--from', from) }),
    ...(to !== undefined && { to: timeOf('--to', to) }),
  };
}

function addList(journal: Command, context: CommandContext): void {
  const command = journal
    .command('list')
    .description('Lists the newest entries, newest first.')
    .option('--limit <count>', 'maximum number of entries to list', '50');
  withJson(withWorkspace(withFilter(command))).action(async (options: JournalFilterOptions) => {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
      throw usage('--limit must be a whole number from 1 to 1000.');
    const filter = filterOf(options);
    const entries = await inSession(context, options, async (client) => {
      const all = [];
      let next: number | null | undefined;
      do {
        const page = await client.journal.list({
          ...filter,
          limit: limit - all.length,
          ...(typeof next === 'number' && { below: next }),
        });
        all.push(...page.entries);
        next = page.next;
      } while (next !== null && all.length < limit);
      return all;
    });
    if (options.json) return context.io.out(jsonLine(entries));
    context.io.out(
      table(
        entries.map(({ line }) => [String(line.entry), line.at, cell(line.action), valuesOf(line), cell(line.actor)]),
      ),
    );
    context.io.err(`${entries.length === 1 ? '1 entry' : `${entries.length} entries`}\n`);
  });
}

function addShow(journal: Command, context: CommandContext): void {
  const command = journal
    .command('show')
    .description('Shows an entry: its values, or the report of a run.')
    .argument('<id>', 'the number of the entry');
  withJson(withWorkspace(command)).action(async (text: string, options: WorkspaceOption & JsonOption) => {
    const id = idOf(text);
    const entry = await inSession(context, options, (client) => client.journal.get({ id }));
    if (options.json) return context.io.out(jsonLine(entry));
    context.io.out(lineText(entry.line));
    for (const line of entry.values) context.io.out(`  ${cell(line.action)}  ${valuesOf(line)}\n`);
    const { report, body } = entry.run ?? {};
    const name = entry.line.script?.name ?? 'the run';
    if (report) context.io.out(runReportText(report, { name, body: body ?? '' }, context.io));
  });
}

function addPin(journal: Command, context: CommandContext): void {
  pinning(journal, context, 'pin', 'Pins a run, so that the limits of the journal do not delete it.', true);
}

function addUnpin(journal: Command, context: CommandContext): void {
  pinning(journal, context, 'unpin', 'Unpins a run: the limits of the journal apply to it again.', false);
}

function pinning(journal: Command, context: CommandContext, name: string, description: string, pinned: boolean): void {
  const command = journal.command(name).description(description).argument('<id>', 'the number of the run');
  withJson(withWorkspace(command)).action(async (text: string, options: WorkspaceOption & JsonOption) => {
    const id = idOf(text);
    await inSession(context, options, (client) => client.journal.pin({ id, pinned }));
    context.io.out(
      options.json ? jsonLine({ id, pinned }) : `Run ${id} is ${pinned ? 'pinned' : 'no longer pinned'}\n`,
    );
  });
}

function addExport(journal: Command, context: CommandContext): void {
  const command = journal
    .command('export')
    .description('Writes the newest entries, at most 100,000, as a JSON array with one entry on each line.')
    .argument('[file]', 'the file (default: standard output)');
  withJson(withWorkspace(withFilter(command))).action(
    async (file: string | undefined, options: JournalFilterOptions) => {
      const filter = filterOf(options);
      const { text, count } = await inSession(context, options, (client) => client.journal.export(filter));
      if (file === undefined) return context.io.out(text);
      await saveFile(file, text, { onlyOwner: true });
      context.io.out(options.json ? jsonLine({ file, count }) : `${grouped(count)} entries in ${printable(file)}\n`);
    },
  );
}

function addCapsule(journal: Command, context: CommandContext): void {
  const command = journal
    .command('capsule')
    .description('Writes the capsule of a run, which "tagwright replay" runs on any machine.')
    .argument('<id>', 'the number of the run')
    .argument('<file>', 'the file to write');
  withJson(withWorkspace(command)).action(async (text: string, file: string, options: WorkspaceOption & JsonOption) => {
    const id = idOf(text);
    const { capsule, problem } = await inSession(context, options, (client) =>
      client.journal.capsule({ id, gzip: true }),
    );
    if (capsule === null)
      throw new TagwrightError('CONFLICT', `Run ${id} has no capsule: ${problem ?? 'it was not recorded'}.`);
    await saveFile(file, receivedCapsule(capsule).toString(), { onlyOwner: true });
    context.io.out(options.json ? jsonLine({ id, file }) : `Recorded in ${printable(file)}\n`);
  });
}

function addClear(journal: Command, context: CommandContext): void {
  const command = journal.command('clear').description('Deletes all entries, and all runs that are not pinned.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    await inSession(context, options, (client) => client.journal.clear());
    context.io.out(options.json ? jsonLine({}) : 'The journal is empty\n');
  });
}

function namedThing(text: string): WhyThing {
  const kind = /^(event|run|row|rule|tag|request|call|erp):/.exec(text)?.[1];
  // The path of a tag has dots.
  if (kind === undefined && /^[a-z]+:[^.]*$/i.test(text))
    throw usage(
      `"${text}" is neither the path of a tag nor a thing that "why" explains. Those are event:ID, row:TABLE/ID, rule:ID, ` +
        'run:ID, request:ID, call:ID and erp:ID.',
    );
  if (kind === undefined) return { kind: 'tag', path: text };
  const thing = thingOf(text);
  if (thing) return thing;
  if (kind === 'tag') return { kind, path: '' };
  if (kind === 'row' && !/^row:.+\//s.test(text)) throw usage(`Name a data row as row:TABLE/ID, not "${text}".`);
  throw usage(`"${text.slice(text.lastIndexOf(kind === 'row' ? '/' : ':') + 1)}" is not a positive whole number.`);
}

function idOf(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || id < 1)
    throw usage(`"${text}" is not a positive whole number.`);
  return id;
}

function timeOf(option: string, text: string): string {
  const refused = (why = '') => usage(`${option} is a time such as 2026-11-23T14:00:00Z, not "${text}"${why}.`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(text)) throw refused();
  const time = parseDateTime(text.replace(/(\.\d{3})\d+/, '$1'));
  if (!time.ok) throw refused(`: ${time.reason}`);
  return time.text;
}

const shown = (value: WhyLine['after']): string => (value === undefined ? '?' : valueCell(value));
const valuesOf = ({ before, after }: WhyLine): string =>
  after === undefined ? '' : `${shown(before)} → ${shown(after)}`;

function lineText(line: WhyLine): string {
  const values = valuesOf(line);
  const what = `${printable(line.action)}${values === '' ? '' : `: ${values}`}`;
  const entry = line.entry === 0 ? '' : `; entry ${line.entry}`;
  return `${'  '.repeat(line.depth)}${line.at}  ${what}  (${printable(line.actor)}${entry})\n`;
}

function whyText({ thing, since, causes, window, effects }: Why): string {
  const parts = [`${printable(thing)}\n`];
  if (causes.length > 0) parts.push('\nCauses\n', ...causes.map(lineText));
  if (window) {
    const { start, end, rule, samples, badSamples, condition, values, list } = window;
    parts.push(
      `\nWindow of ${printable(rule)}: ${start} to ${end}, ${samples} samples, ${badSamples} excluded\n`,
      ...(condition === '' ? [] : [`Condition: ${printable(condition)}\n`]),
      table(
        Object.entries(values).map(([column, value]) => [cell(column), valueCell(value)]),
        '  ',
      ),
      table(
        list.map(({ at, tag, value, quality, current }) => [
          at,
          cell(tag),
          value === null ? `excluded: ${quality ?? 'bad'}` : valueCell(value),
          current ? 'current value' : '',
        ]),
        '  ',
      ),
    );
  }
  if (effects.length > 0) parts.push('\nEffects\n', ...effects.map(lineText));
  parts.push(since === null ? '\nThe journal is empty\n' : `\nThe journal has data since ${since}\n`);
  return parts.join('');
}
