import type { Command } from 'commander';
import { Option } from 'commander';
import type { FoundItem, Match, SearchEnd, SearchKind } from '#domain/search/found';
import { foundText, SEARCH_KINDS, SEARCH_LIMITS, searchKindName } from '#domain/search/found';
import type { SearchQuery } from '#domain/search/query';
import { replacedText } from '#domain/search/replaced';
import type { Replacement } from '#domain/search/replacement';
import { shownReplacement } from '#domain/search/replacement';
import { grouped } from '#domain/text/grouped';
import type { InstanceClient } from '../../host/instance-client.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usage } from '../input.ts';
import { printable } from '../../platform/report/printable.ts';
import { jsonLine } from '../text.ts';

interface SearchOptions extends WorkspaceOption, JsonOption {
  regex?: boolean;
  case?: boolean;
  word?: boolean;
  kind?: string[];
  include?: string;
  exclude?: string;
  replace?: string;
  preserveCase?: boolean;
  yes?: boolean;
}

/** The names of kinds: `script`, `mock`. */
const KINDS = new Map<string, SearchKind>(SEARCH_KINDS.map((kind) => [searchKindName(kind), kind]));

export function addSearch(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .summary('searches the texts of scripts, drafts, tests, tags, rules and mocks, and replaces them')
    .description(
      'Searches the bodies of scripts and drafts, tests, expressions and SQL of tags, conditions of rules, and mocks. ' +
        'Prints a line for each match: kind, name, field, line and column. Exits with 1 if nothing is found. With ' +
        '--replace, it prints each match before and after, and changes nothing without --yes.',
    )
    .argument('<text>', 'the text to search for')
    .option('--regex', 'the text is a JavaScript regular expression')
    .option('--case', 'match case')
    .option('--word', 'only whole words')
    .addOption(new Option('--kind <kind...>', 'only items of these kinds').choices([...KINDS.keys()]))
    .option('--include <names>', 'only items with these names: patterns with *, separated by commas')
    .option('--exclude <names>', 'no items with these names')
    .option('--replace <text>', 'replace each match; $1 and $<name> are groups of a regular expression')
    .option('--preserve-case', 'write the replacement in the case of the match')
    .option('-y, --yes', 'save the replacements, all in one transaction');
  withJson(withWorkspace(command)).action(async (text: string, options: SearchOptions) => {
    if (options.replace === undefined && (options.yes || options.preserveCase)) {
      throw usage(`${options.yes ? '--yes' : '--preserve-case'} needs --replace TEXT.`);
    }
    await inSession(context, options, (client) => searched(context, client, text, options));
  });
  command.addHelpText(
    'after',
    `
Examples:
  tagwright search "Line1.Filler" --kind script tag
  tagwright search --regex "Get\\(\\s*\\[" --json
  tagwright search speed --word --replace rate --preserve-case --yes`,
  );
}

async function searched(
  context: CommandContext,
  client: InstanceClient,
  text: string,
  options: SearchOptions,
): Promise<void> {
  const { io } = context;
  const query: SearchQuery = {
    text,
    regex: options.regex ?? false,
    matchCase: options.case ?? false,
    wholeWord: options.word ?? false,
  };
  const found = await foundItems(client, query, options);
  if (found.items.length === 0) context.exit(EXIT.refused);
  if (options.replace !== undefined && found.items.length > 0) {
    requireAll(found);
    return replace(context, client, found.items, query, options, { text: options.replace });
  }
  if (options.json) return io.out(jsonLine(found));
  for (const item of found.items) {
    for (const { field, matches } of item.texts) {
      for (const match of matches) io.out(`${placeOf(item, field, match)}: ${lineOf(match, match.text)}\n`);
    }
  }
  io.err(`${foundText(found.end)}\n`);
  return undefined;
}

interface FoundItems {
  items: FoundItem[];
  end: SearchEnd;
}

async function foundItems(client: InstanceClient, query: SearchQuery, options: SearchOptions): Promise<FoundItems> {
  const kinds = options.kind?.flatMap((name) => KINDS.get(name) ?? []);
  const steps = await client.search.find({
    query,
    ...(kinds && { kinds }),
    include: options.include ?? '',
    exclude: options.exclude ?? '',
    limit: SEARCH_LIMITS.mostListed,
  });
  const found: FoundItems = { items: [], end: { items: 0, matches: 0, more: 0, capped: false } };
  for await (const { items, end } of steps) {
    found.items.push(...items);
    if (end) found.end = end;
  }
  return found;
}

/** Replaces all matches or none, because unlisted items would be skipped. */
function requireAll({ end: { matches, more, capped } }: FoundItems): void {
  if (more === 0 && !capped) return;
  throw new TagwrightError(
    'CONFLICT',
    `Nothing was replaced: ${capped ? 'more than ' : ''}${grouped(matches)} matches were found, but one ` +
      `replacement has at most ${grouped(SEARCH_LIMITS.mostListed)}. Replace in fewer items at a time, with ` +
      '--include, --exclude or --kind.',
  );
}

async function replace(
  context: CommandContext,
  client: InstanceClient,
  items: readonly FoundItem[],
  query: SearchQuery,
  options: SearchOptions,
  { text }: Pick<Replacement, 'text'>,
): Promise<void> {
  const { io } = context;
  const replacement: Replacement = { text, preserveCase: options.preserveCase ?? false };
  const outcome = await client.search.replace({
    query,
    replacement,
    // All matches, also if they are not listed.
    items: items.map(({ kind, key, texts }) => ({
      kind,
      key,
      texts: texts.map(({ field, hash }) => ({ field, hash, starts: null })),
    })),
    dryRun: options.yes !== true,
  });
  const refused = new Set(outcome.refused.map(({ kind, key }) => `${kind}:${key}`));
  if (outcome.refused.length > 0) context.exit(EXIT.refused);
  if (options.json) return io.out(jsonLine({ applied: options.yes === true, ...outcome }));
  for (const item of items.filter(({ kind, key }) => !refused.has(`${kind}:${key}`))) {
    for (const { field, matches } of item.texts) {
      for (const match of matches) {
        const next = shownReplacement(match, query, replacement);
        io.out(`${placeOf(item, field, match)}\n- ${lineOf(match, match.text)}\n+ ${lineOf(match, next)}\n`);
      }
    }
  }
  for (const { kind, name, reason } of outcome.refused) {
    io.err(`Not replaced: ${searchKindName(kind)} ${printable(name)}: ${printable(reason)}\n`);
  }
  const count = replacedText(outcome);
  io.err(
    options.yes ? `Replaced ${count}.\n` : `Nothing was saved: this would replace ${count}. To do that, add --yes.\n`,
  );
  return undefined;
}

/** `mock Order answer.body:3:6` */
function placeOf({ kind, name }: FoundItem, field: string, { line, column }: Match): string {
  const inField = field === 'body' && kind !== 'mocks' ? '' : ` ${field}`;
  return `${searchKindName(kind)} ${printable(name)}${inField}:${line}:${column}`;
}

/** The line of a match with a text in its place, on one line. */
const lineOf = ({ before, after }: Match, text: string): string =>
  printable(`${before}${text}${after}`).replaceAll('\n', '\\n');
