import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { parseAssignment } from './input.ts';
import type { ScopeOptions } from './tags-values.ts';
import { printValues, scopesOf, withScopes } from './tags-values.ts';

export function addTagsSet(tags: Command, context: CommandContext): void {
  const command = tags
    .command('set')
    .description('Writes tags, all or none, and prints the values as written.')
    .argument('<path=json...>', `what to write: Plant.Line.Speed=12.5, Plant.Line.Product='"Cola"'`);
  withJson(withScopes(withWorkspace(command))).action(
    async (assignments: string[], options: WorkspaceOption & ScopeOptions & JsonOption) => {
      const items = assignments.map(parseAssignment).map(({ name, value }) => ({ tag: name, value }));
      const values = await inSession(context, options, (client) => client.tags.set({ items, ...scopesOf(options) }));
      printValues(context, values, options.json);
    },
  );
}
