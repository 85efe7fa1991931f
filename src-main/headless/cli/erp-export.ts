import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { messageOf } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import type { MeantOptions } from './erp-options.ts';
import { meantOf, withMeant } from './erp-options.ts';
import { usage } from './input.ts';
import type { FormatOption } from './tags-import.ts';
import { formatOf, formatOption } from './tags-import.ts';
import { counted, jsonLine } from './text.ts';

interface ExportOptions extends WorkspaceOption, JsonOption, FormatOption, MeantOptions {}

export function addErpExport(erp: Command, context: CommandContext): void {
  const command = erp
    .command('export')
    .description('Writes the records that were sent through ERP tags to a file. An existing file is replaced.')
    .argument('<file>', 'CSV or JSON file, or - for standard output')
    .addOption(formatOption());
  withJson(withMeant(withWorkspace(command))).action(async (file: string, options: ExportOptions) => {
    const { io } = context;
    const format = formatOf(file, options);
    const { text, count } = await inSession(context, options, (client) =>
      client.erp.export({ format, ...meantOf(options) }),
    );
    if (file === '-') return io.out(text);
    await writeFile(file, text).catch((thrown: unknown) => {
      throw usage(`"${file}" cannot be written: ${messageOf(thrown)}`);
    });
    io.out(options.json ? jsonLine({ file, count }) : `${counted(count, 'record')} exported to ${file}\n`);
  });
}
