import type { Command } from 'commander';
import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import { messageOf } from '../platform/errors.ts';
import type { Client } from '../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import type { ScopeOptions } from './tags-values.ts';
import { printValues, scopesOf, withScopes } from './tags-values.ts';
import { printable } from './text.ts';

/** As many tags are explained; the others have their quality. */
const MOST_NOTES = 5;

export function addTagsGet(tags: Command, context: CommandContext): void {
  const command = tags
    .command('get')
    .description('Reads tags: value, type and quality of each. Ends with 1 when the quality of one is bad.')
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

/** Why values are bad, where that is known; of a tag that is not there, which ones may have been meant. */
async function notesOn(client: Client, values: readonly TagValue[]): Promise<string[]> {
  const explained = values
    .filter(({ quality, type, reason }) => !isUsable(quality) && (type === 'Unknown' || reason !== undefined))
    .slice(0, MOST_NOTES);
  return Promise.all(
    explained.map(async ({ path, type, reason }) =>
      type === 'Unknown'
        ? client.tags.definition({ path }).then(() => `${path}: it was made just now; read it again`, messageOf)
        : `${path}: ${reason}`,
    ),
  );
}
