import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { jsonLine, printable } from './text.ts';
import { isUsed, usageText } from './usage-text.ts';

export function addTagsUsage(tags: Command, context: CommandContext): void {
  const command = tags
    .command('usage')
    .description(
      'Shows what names a tag: scripts and drafts with line and column, the settings of other tags, and rules.',
    )
    .argument('<path>', 'the tag, which need not exist');
  withJson(withWorkspace(command)).action(async (path: string, options: WorkspaceOption & JsonOption) => {
    const usage = await inSession(context, options, (client) => client.tags.usage({ path }));
    if (options.json) return context.io.out(jsonLine(usage));
    if (isUsed(usage)) context.io.out(usageText(usage));
    else context.io.err(`Nothing names ${printable(path)}\n`);
  });
}
