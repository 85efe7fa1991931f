import { basename } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { MissingReference, TagDefinition, TagLoss, TagValue } from '#domain/tag/tag';
import { inNaturalOrder } from '#domain/tag/tag-order';
import { lossesSummary } from '#domain/tag/tag';
import { isUsable, QUALITIES } from '#domain/tag/quality';
import { countsText, isUsed } from '#domain/tag/usage';
import type { InstanceClient } from '../../host/instance-client.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, table, valueCell } from '../text.ts';
import { oneOf, parseAssignment, readText, usage } from '../input.ts';
import { EXIT } from '../exit-codes.ts';
import { putExport } from '../output.ts';
import { type ScopeOptions, scopesOf, withScopes } from '../scopes.ts';
import { renamedLines, usageText } from '../usage-text.ts';
import { causesOf } from '#domain/tag/problem';
import { grouped } from '#domain/text/grouped';

/** The command group `tags`. */
export function addTags(program: Command, context: CommandContext): void {
  const tags = program
    .command('tags')
    .description('Lists, reads, writes, overrides, renames, deletes, imports and exports tags.');
  for (const add of [
    addTagsList,
    addTagsGet,
    addTagProblems,
    addTagsSet,
    addTagsRelease,
    addTagsForce,
    addTagsClear,
    addTagsImport,
    addTagsExport,
    addTagsUsage,
    addTagsRename,
    addTagsDelete,
  ])
    add(tags, context);
}

const TAG_PAGE = 10_000;

function addTagsList(tags: Command, context: CommandContext): void {
  const command = tags
    .command('list')
    .description('Lists tags ordered by path: all, or only tags whose path contains every given word.')
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
    if (page.next === null) return inNaturalOrder(found, ({ path }) => path);
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
        const read = await client.tags.get({ paths, ...scopesOf(options), times: options.json ?? false });
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
      for (const { path } of values.filter(({ forced }) => forced)) {
        context.io.err(`${printable(path)}: its quality is forced; readers see that until "tagwright tags clear"\n`);
      }
    },
  );
}

function addTagsRelease(tags: Command, context: CommandContext): void {
  const command = tags
    .command('release')
    .description('Releases overrides of machine tags, all or none: they show their signals again. Prints the values.')
    .argument('<path...>', 'machine tags');
  withJson(withWorkspace(command)).action(async (paths: string[], options: WorkspaceOption & JsonOption) => {
    const values = await inSession(context, options, async (client) => {
      await client.tags.release({ paths });
      return client.tags.get({ paths });
    });
    showValues(context, values, options.json);
  });
}

function addTagsForce(tags: Command, context: CommandContext): void {
  const command = tags
    .command('force')
    .description('Forces the quality of a machine tag until "tags clear". Prints the value.')
    .argument('<path>', 'the machine tag')
    .argument('<quality>', 'an OPC UA quality, such as BadCommunicationError; case is ignored');
  withJson(withWorkspace(command)).action(async (path: string, text: string, options: WorkspaceOption & JsonOption) => {
    const quality = QUALITIES.find((one) => one.toLowerCase() === text.toLowerCase());
    if (!quality) throw usage(`"${text}" is not a quality. Enter one of: ${QUALITIES.join(', ')}.`);
    const values = await inSession(context, options, async (client) => {
      await client.tags.force({ path, quality });
      return client.tags.get({ paths: [path] });
    });
    showValues(context, values, options.json);
  });
}

function addTagsClear(tags: Command, context: CommandContext): void {
  const command = tags
    .command('clear')
    .description('Clears the forced quality of machine tags; overrides stay. Prints the values.')
    .argument('<path...>', 'machine tags');
  withJson(withWorkspace(command)).action(async (paths: string[], options: WorkspaceOption & JsonOption) => {
    const values = await inSession(context, options, async (client) => {
      for (const path of paths) await client.tags.force({ path, quality: null });
      return client.tags.get({ paths });
    });
    showValues(context, values, options.json);
  });
}

/** Half the size of an RPC message, because text grows there: the error names the file, not the connection. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

type TagFormat = 'csv' | 'json';

export interface FormatOption {
  format?: TagFormat;
}

export const formatOption = () =>
  oneOf(new Option('--format <format>', 'csv or json (default: by file name)'), ['csv', 'json']);

/** The format from the option or the file name. */
export function formatOf(file: string, { format }: FormatOption): TagFormat {
  if (format) return format;
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.json$/i.test(file)) return 'json';
  throw usage(`The file name "${file}" does not show the format. Add --format csv or --format json.`);
}

export interface DropOption {
  yes?: boolean;
}

const dropOption = () =>
  new Option('--yes', 'drop stored values that do not fit a changed type or kind, or whose tag is deleted');

/** Maximum number of tags with losses that are listed. */
const MOST_LOSSES = 100;

/** The references of imported tags to missing items. */
function missingLines(missing: readonly MissingReference[]): string[] {
  if (missing.length === 0) return [];
  const shown = missing
    .slice(0, MOST_LISTED)
    .map(({ path, member, name }) => `  ${printable(`${path}, ${member}: "${name}" does not exist`)}\n`);
  const more = missing.length > shown.length ? [`  and ${missing.length - shown.length} more\n`] : [];
  return [`Kept ${counted(missing.length, 'reference')} to missing items:\n`, ...shown, ...more];
}

/** Why an import needs `--yes`. */
export function lossesText(losses: readonly TagLoss[]): string {
  const shown = losses.slice(0, MOST_LOSSES);
  const more = losses.length > shown.length ? `  and ${losses.length - shown.length} more\n` : '';
  return `Nothing was imported: it would drop ${lossesSummary(losses)}. To drop them, add --yes.\n${table(
    shown.map(({ path, from, to, values }) => [`  ${printable(path)}`, `${from} → ${to}`, counted(values, 'value')]),
  )}${more}`;
}

function addTagsImport(tags: Command, context: CommandContext): void {
  const command = tags
    .command('import')
    .description(
      'Creates and updates tags from a file written by "tags export": all of them, or none if one is rejected.',
    )
    .argument('<file>', 'CSV or JSON file, or - for standard input')
    .addOption(formatOption())
    .addOption(dropOption());
  withJson(withWorkspace(command)).action(
    async (file: string, options: WorkspaceOption & JsonOption & FormatOption & DropOption) => {
      const { io } = context;
      const format = formatOf(file, options);
      const text = await readText(io, file, { bytes: MAX_FILE_BYTES, of: 'a file of tags' });
      const importing = file === '-' ? '' : basename(file);
      const result = await inSession(context, { ...options, importing }, async (client) => {
        const done = await client.tags.import({ format, text, keepValues: options.yes !== true });
        return { ...done, losses: done.losses ?? [] };
      });
      if (options.json) io.out(jsonLine(result));
      if (result.refused.length > 0) {
        io.err(`Nothing was imported: ${counted(result.refused.length, 'row')} rejected.\n`);
        io.err(
          table(result.refused.map(({ row, path, reason }) => [`  row ${row}`, printable(path), printable(reason)])),
        );
        return context.exit(EXIT.refused);
      }
      if (result.losses.length > 0) {
        io.err(lossesText(result.losses));
        return context.exit(EXIT.refused);
      }
      if (!options.json) {
        const same = result.unchanged === undefined ? '' : `, ${grouped(result.unchanged)} unchanged`;
        io.out(`${counted(result.created, 'tag')} created, ${grouped(result.updated)} updated${same}\n`);
      }
      for (const line of missingLines(result.missing ?? [])) io.err(line);
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
      'Lists the references to a tag: scripts, drafts, saved contexts, the settings of other tags, rules, Diagrams, tests ' +
        'and mocks, with their places.',
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
    .option('--update-scripts', 'also change the path wherever "tags usage" lists it, all or nothing');
  withJson(withWorkspace(command)).action(async (path: string, newPath: string, options: RenameOptions) => {
    const { io } = context;
    const updateScripts = options.updateScripts ?? false;
    const result = await inSession(context, options, (client) => client.tags.rename({ path, newPath, updateScripts }));
    if (options.json) return io.out(jsonLine(result));
    const { left, ...renamed } = result;
    io.out(`${printable(path)} is ${printable(newPath)} now\n`);
    for (const line of renamedLines(renamed)) io.out(line);
    if (isUsed(left)) io.err(`Remaining references to the former path:\n${usageText(left)}`);
  });
}

interface TagDeleteOptions extends WorkspaceOption, JsonOption {
  yes?: boolean;
}

function addTagsDelete(tags: Command, context: CommandContext): void {
  const command = tags
    .command('delete')
    .description(
      'Deletes tags with their values, all or none. If other items use them, the command lists them and needs --yes.',
    )
    .argument('<path...>', 'the tags')
    .option('-y, --yes', 'delete the tags even if they are used');
  withJson(withWorkspace(command)).action(async (given: string[], options: TagDeleteOptions) => {
    const { io } = context;
    const paths = [...new Set(given)];
    const uses = await inSession(context, options, async (client) => {
      for (const path of paths) await client.tags.definition({ path });
      const counts = await client.tags.uses({ paths });
      const used = countsText(counts);
      if (used !== '' && !options.yes) throw await inUse(client, paths, used);
      await client.tags.delete({ paths });
      return { counts, used };
    });
    if (options.json) return io.out(jsonLine({ deleted: paths, uses: uses.counts }));
    for (const path of paths) io.out(`${printable(path)} is deleted\n`);
    if (uses.used !== '') io.err(`Still used by ${uses.used}: they read BadNodeIdUnknown now.\n`);
  });
}

/** Maximum number of tags whose references are listed. */
const MOST_LISTED = 10;

/** The rejection of a delete, with the references to each tag. */
async function inUse(client: InstanceClient, paths: readonly string[], used: string): Promise<TagwrightError> {
  const [what, them] = paths.length === 1 ? [`${paths[0]} is`, 'it'] : [`These ${paths.length} tags are`, 'them'];
  const usages = await Promise.all(
    paths.slice(0, MOST_LISTED).map(async (path) => ({ path, usage: await client.tags.usage({ path }) })),
  );
  const lists = usages
    .filter(({ usage: own }) => isUsed(own))
    .map(({ path, usage: own }) => `${paths.length === 1 ? '' : `\n${path}`}\n${usageText(own).trimEnd()}`);
  return new TagwrightError(
    'CONFLICT',
    `${what} used by ${used}; nothing was deleted. Add --yes to delete ${them} anyway.${lists.join('')}`,
  );
}

function showValues({ io }: CommandContext, values: TagValue[], asJson: boolean | undefined): void {
  if (asJson) io.out(jsonLine(values));
  else {
    const rows = values.map(({ path, value, quality, type, overridden, forced }) => {
      const badges = [overridden && 'overridden', forced && 'forced'].filter((badge) => badge !== undefined);
      return [path, valueCell(value), type, quality, badges.join(', ')];
    });
    io.out(table(rows));
  }
}

/** Prints values, and exits with 1 if one of them is unusable. */
function printValues(context: CommandContext, values: TagValue[], asJson: boolean | undefined): void {
  showValues(context, values, asJson);
  if (!values.every(({ quality }) => isUsable(quality))) context.exit(EXIT.refused);
}

/** `tags problems`: the tags with a bad quality, by their causes. */
function addTagProblems(tags: Command, context: CommandContext): void {
  const command = tags
    .command('problems')
    .description('Lists the tags with a bad quality by their causes. Exits with 1 if there is one.');
  withJson(withScopes(withWorkspace(command))).action(async (options: WorkspaceOption & ScopeOptions & JsonOption) => {
    const { io } = context;
    const { problems, total, read } = await inSession(context, options, (client) => client.tags.bad(scopesOf(options)));
    if (options.json) io.out(jsonLine({ problems, total, read }));
    else {
      for (const { text, problems: of } of causesOf(problems)) {
        io.out(`${printable(text)} (${counted(of.length, 'tag')})\n`);
        io.out(
          table(
            of.map(({ path, kind, quality }) => [printable(path), kind, quality]),
            '  ',
          ),
        );
      }
      if (problems.length < total) io.err(`${counted(total - problems.length, 'more tag')} not listed\n`);
      io.err(`${counted(total, 'tag')} of ${grouped(read)} with a bad quality\n`);
    }
    if (total > 0) context.exit(EXIT.refused);
  });
}
