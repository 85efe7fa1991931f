import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import type { FormatOption } from './tags-import.ts';
import { formatOf, formatOption } from './tags-import.ts';
import { putExport } from './output.ts';

interface ExportOptions extends WorkspaceOption, JsonOption, FormatOption {
  filter?: string;
}

export function addTagsExport(tags: Command, context: CommandContext): void {
  const command = tags
    .command('export')
    .description('Writes tags to a file that "tags import" reads. An existing file is replaced.')
    .argument('<file>', 'CSV or JSON file, or - for standard output')
    .option('--filter <words>', 'only tags whose path holds every word')
    .addOption(formatOption());
  withJson(withWorkspace(command)).action(async (file: string, options: ExportOptions) => {
    const format = formatOf(file, options);
    const { filter } = options;
    const exported = await inSession(context, options, (client) =>
      client.tags.export({ format, ...(filter === undefined ? {} : { filter }) }),
    );
    await putExport(context.io, exported, { ...options, file, what: 'tag' });
  });
}
