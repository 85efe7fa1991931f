import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { messageOf } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { usage } from './input.ts';
import type { FormatOption } from './tags-import.ts';
import { formatOf, formatOption } from './tags-import.ts';
import { counted, jsonLine } from './text.ts';

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
    const { io } = context;
    const format = formatOf(file, options);
    const { filter } = options;
    const { text, count } = await inSession(context, options, (client) =>
      client.tags.export({ format, ...(filter === undefined ? {} : { filter }) }),
    );
    if (file === '-') return io.out(text);
    await writeFile(file, text).catch((thrown: unknown) => {
      throw usage(`"${file}" cannot be written: ${messageOf(thrown)}`);
    });
    io.out(options.json ? jsonLine({ file, count }) : `${counted(count, 'tag')} exported to ${file}\n`);
  });
}
