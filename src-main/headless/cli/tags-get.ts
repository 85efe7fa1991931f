import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import type { ScopeOptions } from './tags-values.ts';
import { printValues, scopesOf, withScopes } from './tags-values.ts';

export function addTagsGet(tags: Command, context: CommandContext): void {
  const command = tags
    .command('get')
    .description('Reads tags: value, type and quality of each. Ends with 1 when the quality of one is bad.')
    .argument('<path...>', 'paths of the tags');
  withJson(withScopes(withWorkspace(command))).action(
    async (paths: string[], options: WorkspaceOption & ScopeOptions & JsonOption) => {
      const values = await inSession(context, options, (client) => client.tags.get({ paths, ...scopesOf(options) }));
      printValues(context, values, options.json);
    },
  );
}
