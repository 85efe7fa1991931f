import type { Command } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import type { MeantOptions } from './erp-options.ts';
import { meantOf, withMeant } from './erp-options.ts';
import type { FormatOption } from './tags-import.ts';
import { formatOf, formatOption } from './tags-import.ts';
import { putExport } from './output.ts';

interface ExportOptions extends WorkspaceOption, JsonOption, FormatOption, MeantOptions {}

export function addErpExport(erp: Command, context: CommandContext): void {
  const command = erp
    .command('export')
    .description('Writes the records that were sent through ERP tags to a file. An existing file is replaced.')
    .argument('<file>', 'CSV or JSON file, or - for standard output')
    .addOption(formatOption());
  withJson(withMeant(withWorkspace(command))).action(async (file: string, options: ExportOptions) => {
    const format = formatOf(file, options);
    const exported = await inSession(context, options, (client) => client.erp.export({ format, ...meantOf(options) }));
    await putExport(context.io, exported, { ...options, file, what: 'record' });
  });
}
