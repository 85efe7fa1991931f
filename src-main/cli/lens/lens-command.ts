import type { Command } from 'commander';
import { LENS_LIMITS, type LensCell, type LensSubject, originText, type ScopeGrid } from '#domain/run/scope-lens';
import { scopeName } from '#domain/tag/scope';
import { grouped } from '#domain/text/grouped';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { sourceOf } from '../commands/run.ts';
import { EXIT } from '../exit-codes.ts';
import { usage } from '../input.ts';
import { colored, type Io } from '../io.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, table } from '../text.ts';

interface LensOptions extends WorkspaceOption, JsonOption {
  script?: string;
  context?: string;
  tagName?: string;
  tagValue?: string;
  tag?: string;
  page?: string;
  diagram?: string[];
  location?: string[];
}

/** The command `lens`. */
export function addLens(program: Command, context: CommandContext): void {
  const command = program
    .command('lens')
    .summary('shows a script, a tag or a Diagram in each scope')
    .description(
      'Runs a script without saving anything, reads a tag, or reads the tags of a Diagram, once for each Diagram and location: ' +
        'all that are in use, or the chosen ones. Prints result and writes, which stored value each read used, and which it ' +
        'shadows. Exits with 1 if a run failed, or if a script reads with its scope and writes without it, or the reverse.',
    )
    .argument('[file]', 'file with the body of a script, or - for standard input')
    .option('-s, --script <group/name>', 'the saved script with this name')
    .option('--context <name>', 'with --script: the saved context with this name')
    .option('--tag-name <path>', 'tagName for the script')
    .option('--tag-value <json>', 'tagValue: the value being written, as JSON')
    .option('--tag <path>', 'read this tag instead of running a script')
    .option('--page <diagram>', 'read the tags of this Diagram instead')
    .option('--diagram <name...>', 'these Diagrams as scopes, "" for the default (default: all in use)')
    .option('--location <name...>', 'these locations, "" for the default (default: all in use)');
  withJson(withWorkspace(command)).action(async (file: string | undefined, options: LensOptions) => {
    const subjectOf = await subject(context, file, options);
    const { diagram, location } = options;
    const [most] = [diagram, location].map((names) => names?.length ?? 0).toSorted((a, b) => b - a);
    if ((most ?? 0) > LENS_LIMITS.cells) throw usage(`Choose at most ${LENS_LIMITS.cells} Diagrams and locations.`);
    const grid = await inSession(context, { ...options, runsScripts: true }, async (client) =>
      client.lens.show({
        subject: await subjectOf(client),
        ...(diagram && { diagrams: diagram }),
        ...(location && { locations: location }),
      }),
    );
    context.io.out(options.json ? jsonLine(grid) : gridText(grid, context.io));
    if (grid.warnings.length > 0 || grid.cells.some(({ status }) => status !== 'ok')) context.exit(EXIT.refused);
  });
  command.addHelpText(
    'after',
    `
Examples:
  tagwright lens store.js
  tagwright lens --script "Line 1/Start an order" --context "Order 4720" --location W1 W2
  tagwright lens --tag Bottling.Line1.Order.Number.Value
  tagwright lens --page "Line 1" --json`,
  );
}

async function subject(
  context: CommandContext,
  file: string | undefined,
  { script, tag, page, ...options }: LensOptions,
): Promise<(client: InstanceClient) => Promise<LensSubject>> {
  const chosen = [file, script, tag, page].filter((one) => one !== undefined);
  if (chosen.length !== 1)
    throw usage('Use one of a file (or -), --script "Group/Name", --tag PATH and --page DIAGRAM.');
  if (tag !== undefined) return () => Promise.resolve({ tag });
  if (page !== undefined) return () => Promise.resolve({ diagram: page });
  const { context: name, tagName, tagValue } = options;
  const source = await sourceOf(
    context,
    file,
    {
      ...(script !== undefined && { script }),
      ...(name !== undefined && { context: name }),
      ...(tagName !== undefined && { tagName }),
      ...(tagValue !== undefined && { tagValue }),
    },
    'lens',
  );
  return async (client) => {
    const { script: body, context: run } = await source(client);
    return {
      body: body.body,
      context: { tagName: run.tagName, ...(run.tagValue !== undefined && { tagValue: run.tagValue }) },
    };
  };
}

/** The grid as a table, then each scope with its reads and writes. */
function gridText({ diagrams, locations, cells, warnings, dropped }: ScopeGrid, io: Io): string {
  const rows = locations.map((location, row) => [
    location || 'default',
    ...diagrams.map((_, column) => {
      const one = cells[column * locations.length + row];
      return one ? summary(one) : '';
    }),
  ]);
  const heads = ['', ...diagrams.map((name) => cell(name || 'default'))];
  return [
    table([heads, ...rows]),
    dropped > 0 ? `${counted(dropped, 'more location')} not shown: choose with --location\n` : '',
    ...cells.map((one) => detailsText(one)),
    ...warnings.map(({ text }) => `${colored(io, 'yellow', `warning: ${printable(text)}`)}\n`),
  ].join('');
}

function summary({ status, result, error, reads, writes }: LensCell): string {
  if (status !== 'ok') return cell(`${status}: ${error ?? ''}`);
  const written = writes.length === 0 ? '' : `, ${counted(writes.length, 'write')}`;
  return cell(`${result ?? counted(reads.length, 'value')}${written}`);
}

function detailsText(one: LensCell): string {
  const { reads, writes, error, more } = one;
  if (reads.length + writes.length === 0 && error === null) return '';
  const scopeOf = (act: { diagram: string; location: string }) =>
    act.diagram === one.diagram && act.location === one.location ? '' : ` [${scopeName(act)}]`;
  const lines = [
    ...(error === null ? [] : [`  ${printable(error)}\n`]),
    ...reads.map((read) => {
      const origin = originText(read);
      return `  read ${printable(read.path)}${scopeOf(read)} = ${cell(read.value)} ${read.quality}${origin === '' ? '' : `, ${printable(origin)}`}\n`;
    }),
    ...writes.map((write) => `  write ${printable(write.path)}${scopeOf(write)} = ${cell(write.value)}\n`),
    ...(more > 0 ? [`  and ${grouped(more)} more\n`] : []),
  ];
  return `\n${printable(scopeName(one))}\n${lines.join('')}`;
}
