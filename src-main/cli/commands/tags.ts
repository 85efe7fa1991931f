import type { Command } from 'commander';
import { Option } from 'commander';
import type { TagDefinition, TagValue } from '#domain/tag/tag';
import { isUsable } from '#domain/tag/quality';
import type { InstanceClient } from '../../host/instance-client.ts';
import { messageOf } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { cell, counted, jsonLine, table, printable, valueCell } from '../text.ts';
import { parseAssignment, readText, usage } from '../input.ts';
import { EXIT } from '../exit-codes.ts';
import { putExport } from '../output.ts';
import { isUsed, usageText } from './usage-text.ts';

/** The command group `tags`. */
export function addTags(program: Command, context: CommandContext): void {
  const tags = program.command('tags').description('Lists, reads, writes, renames, imports and exports tags.');
  for (const add of [addTagsList, addTagsGet, addTagsSet, addTagsImport, addTagsExport, addTagsUsage, addTagsRename])
    add(tags, context);
}

const TAG_PAGE = 10_000;

function addTagsList(tags: Command, context: CommandContext): void {
  const command = tags
    .command('list')
    .description('Lists tags ordered by path: all, or those whose path contains every given word.')
    .argument('[words...]', 'words of the path');
  withJson(withWorkspace(command)).action(async (words: string[], options: WorkspaceOption & JsonOption) => {
    const found = await inSession(context, options, (client) => allTags(client, words.join(' ')));
    if (options.json) return context.io.out(jsonLine(found));
    const rows = found.map(({ path, kind, type, unit, description }) => [path, kind, type, unit, cell(description)]);
    context.io.out(table([['PATH', 'KIND', 'TYPE', 'UNIT', 'DESCRIPTION'], ...rows]));
    context.io.err(`${counted(found.length, 'tag')}\n`);
  });
}

async function allTags(client: InstanceClient, filter: string): Promise<TagDefinition[]> {
  const found: TagDefinition[] = [];
  for (let after: string | undefined; ;) {
    const page = await client.tags.list({ limit: TAG_PAGE, filter, ...(after === undefined ? {} : { after }) });
    found.push(...page.tags);
    if (page.next === null) return found;
    after = page.next;
  }
}

/** Maximum number of tags with an explanation; the others only have their quality. */
const MOST_NOTES = 5;

function addTagsGet(tags: Command, context: CommandContext): void {
  const command = tags
    .command('get')
    .description('Reads tags: value, type and quality of each. Exits with 1 if the quality of one is bad.')
    .argument('<path...>', 'paths of the tags');
  withJson(withScopes(withWorkspace(command))).action(
    async (paths: string[], options: WorkspaceOption & ScopeOptions & JsonOption) => {
      const { values, notes } = await inSession(context, options, async (client) => {
        const read = await client.tags.get({ paths, ...scopesOf(options) });
        return { values: read, notes: await notesOn(client, read) };
      });
      printValues(context, values, options.json);
      for (const note of notes) context.io.err(`${printable(note)}\n`);
    },
  );
}

/** Why values are bad, if known; for a missing tag, the nearest paths. */
async function notesOn(client: InstanceClient, values: readonly TagValue[]): Promise<string[]> {
  const explained = values
    .filter(({ quality, type, reason }) => !isUsable(quality) && (type === 'Unknown' || reason !== undefined))
    .slice(0, MOST_NOTES);
  return Promise.all(
    explained.map(async ({ path, type, reason }) =>
      type === 'Unknown'
        ? client.tags.definition({ path }).then(() => `${path}: it was just created; read it again`, messageOf)
        : `${path}: ${reason}`,
    ),
  );
}

function addTagsSet(tags: Command, context: CommandContext): void {
  const command = tags
    .command('set')
    .description('Writes tags, all or none, and prints the values as written.')
    .argument('<path=json...>', `value to write: Plant.Line.Speed=12.5, Plant.Line.Product='"Cola"'`);
  withJson(withScopes(withWorkspace(command))).action(
    async (assignments: string[], options: WorkspaceOption & ScopeOptions & JsonOption) => {
      const items = assignments.map(parseAssignment).map(({ name, value }) => ({ tag: name, value }));
      const values = await inSession(context, options, (client) => client.tags.set({ items, ...scopesOf(options) }));
      printValues(context, values, options.json);
    },
  );
}

/** Half the size of an RPC message, because text grows there: the error names the file, not the connection. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

type TagFormat = 'csv' | 'json';

export interface FormatOption {
  format?: TagFormat;
}

export const formatOption = () =>
  new Option('--format <format>', 'csv or json (default: by file name)').choices(['csv', 'json']);

/** The format from the option or the file name. */
export function formatOf(file: string, { format }: FormatOption): TagFormat {
  if (format) return format;
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.json$/i.test(file)) return 'json';
  throw usage(`The file name "${file}" does not show the format. Add --format csv or --format json.`);
}

function addTagsImport(tags: Command, context: CommandContext): void {
  const command = tags
    .command('import')
    .description('Creates and updates tags from a file of "tags export": all of them, or none if one is rejected.')
    .argument('<file>', 'CSV or JSON file, or - for standard input')
    .addOption(formatOption());
  withJson(withWorkspace(command)).action(
    async (file: string, options: WorkspaceOption & JsonOption & FormatOption) => {
      const { io } = context;
      const format = formatOf(file, options);
      const text = await readText(io, file, { bytes: MAX_FILE_BYTES, of: 'a file of tags' });
      const result = await inSession(context, options, (client) => client.tags.import({ format, text }));
      if (options.json) io.out(jsonLine(result));
      if (result.refused.length > 0) {
        io.err(`Nothing was imported: ${counted(result.refused.length, 'row')} rejected.\n`);
        io.err(
          table(result.refused.map(({ row, path, reason }) => [`  row ${row}`, printable(path), printable(reason)])),
        );
        return context.exit(EXIT.refused);
      }
      if (!options.json)
        io.out(`${counted(result.created, 'tag')} created, ${result.updated.toLocaleString('en')} updated\n`);
    },
  );
}

interface TagExportOptions extends WorkspaceOption, JsonOption, FormatOption {
  filter?: string;
}

function addTagsExport(tags: Command, context: CommandContext): void {
  const command = tags
    .command('export')
    .description('Writes tags to a file for "tags import". An existing file is replaced.')
    .argument('<file>', 'CSV or JSON file, or - for standard output')
    .option('--filter <words>', 'only tags whose path contains every word')
    .addOption(formatOption());
  withJson(withWorkspace(command)).action(async (file: string, options: TagExportOptions) => {
    const format = formatOf(file, options);
    const { filter } = options;
    const exported = await inSession(context, options, (client) =>
      client.tags.export({ format, ...(filter === undefined ? {} : { filter }) }),
    );
    await putExport(context.io, exported, { ...options, file, what: 'tag' });
  });
}

function addTagsUsage(tags: Command, context: CommandContext): void {
  const command = tags
    .command('usage')
    .description(
      'Lists the references to a tag: scripts and drafts with line and column, the settings of other tags, and rules.',
    )
    .argument('<path>', 'the tag, which need not exist');
  withJson(withWorkspace(command)).action(async (path: string, options: WorkspaceOption & JsonOption) => {
    const uses = await inSession(context, options, (client) => client.tags.usage({ path }));
    if (options.json) return context.io.out(jsonLine(uses));
    if (isUsed(uses)) context.io.out(usageText(uses));
    else context.io.err(`No references to ${printable(path)}\n`);
  });
}

interface RenameOptions extends WorkspaceOption, JsonOption {
  updateScripts?: boolean;
}

function addTagsRename(tags: Command, context: CommandContext): void {
  const command = tags
    .command('rename')
    .description('Renames a tag. It keeps its values.')
    .argument('<old>', 'the tag')
    .argument('<new>', 'its new path')
    .option('--update-scripts', 'also change the path in scripts, in the settings of other tags and in rules');
  withJson(withWorkspace(command)).action(async (path: string, newPath: string, options: RenameOptions) => {
    const { io } = context;
    const updateScripts = options.updateScripts ?? false;
    const result = await inSession(context, options, (client) => client.tags.rename({ path, newPath, updateScripts }));
    if (options.json) return io.out(jsonLine(result));
    const { scripts, tags: changed, rules, left } = result;
    io.out(`${printable(path)} is ${printable(newPath)} now\n`);
    for (const { group, name, version, literals } of scripts) {
      io.out(`  ${printable(`${group}/${name}`)}: ${counted(literals, 'literal')} changed, version ${version}\n`);
    }
    for (const tag of changed) io.out(`  ${printable(tag)}: settings changed\n`);
    for (const rule of rules) io.out(`  rule ${printable(rule)}: changed\n`);
    if (isUsed(left)) io.err(`Remaining references to the former path:\n${usageText(left)}`);
  });
}

export interface ScopeOptions {
  diagram?: string;
  location?: string;
}

export function withScopes(command: Command): Command {
  return command
    .option('--diagram <name>', 'use the scope of this Diagram for storage and script tags')
    .option('--location <name>', 'use the scope of this location (workcenter)');
}

export const scopesOf = ({ diagram, location }: ScopeOptions) => ({
  diagram: diagram ?? null,
  location: location ?? null,
});

/** Prints values, and exits with 1 if one of them is unusable. */
function printValues(context: CommandContext, values: TagValue[], asJson: boolean | undefined): void {
  if (asJson) context.io.out(jsonLine(values));
  else context.io.out(table(values.map(({ path, value, quality, type }) => [path, valueCell(value), type, quality])));
  if (!values.every(({ quality }) => isUsable(quality))) context.exit(EXIT.refused);
}
