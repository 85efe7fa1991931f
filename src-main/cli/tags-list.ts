import type { Command } from 'commander';
import type { TagDefinition } from '#domain/tag/tag';
import type { Client } from '../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { cell, counted, jsonLine, table } from './text.ts';

const PAGE = 10_000;

export function addTagsList(tags: Command, context: CommandContext): void {
  const command = tags
    .command('list')
    .description('Lists tags in order of path: all, or those whose path holds every word given.')
    .argument('[words...]', 'words of the path');
  withJson(withWorkspace(command)).action(async (words: string[], options: WorkspaceOption & JsonOption) => {
    const found = await inSession(context, options, (client) => allTags(client, words.join(' ')));
    if (options.json) return context.io.out(jsonLine(found));
    const rows = found.map(({ path, kind, type, unit, description }) => [path, kind, type, unit, cell(description)]);
    context.io.out(table([['PATH', 'KIND', 'TYPE', 'UNIT', 'DESCRIPTION'], ...rows]));
    context.io.err(`${counted(found.length, 'tag')}\n`);
  });
}

async function allTags(client: Client, filter: string): Promise<TagDefinition[]> {
  const found: TagDefinition[] = [];
  for (let after: string | undefined; ;) {
    const page = await client.tags.list({ limit: PAGE, filter, ...(after === undefined ? {} : { after }) });
    found.push(...page.tags);
    if (page.next === null) return found;
    after = page.next;
  }
}
