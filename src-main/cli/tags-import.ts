import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { readText, usage } from './input.ts';
import { counted, jsonLine, printable, table } from './text.ts';

/** Half of what a message of the RPC takes, since text grows there: the answer names the file, not the connection. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

export type TagFormat = 'csv' | 'json';

export interface FormatOption {
  format?: TagFormat;
}

export const formatOption = () =>
  new Option('--format <format>', 'csv or json (default: by the name of the file)').choices(['csv', 'json']);

/** The format that was named, or that the name of the file tells. */
export function formatOf(file: string, { format }: FormatOption): TagFormat {
  if (format) return format;
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.json$/i.test(file)) return 'json';
  throw usage(`The name "${file}" does not tell the format. Add --format csv or --format json.`);
}

export function addTagsImport(tags: Command, context: CommandContext): void {
  const command = tags
    .command('import')
    .description(
      'Creates and updates tags from a file, as "tags export" writes it: all of them, or none when one is refused.',
    )
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
        io.err(`Nothing was imported: ${counted(result.refused.length, 'row')} refused.\n`);
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
