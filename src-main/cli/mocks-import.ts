import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { readText } from './input.ts';
import { counted, jsonLine, printable } from './text.ts';

/** Half of what a message of the RPC takes, since text grows there. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

interface ImportOptions extends WorkspaceOption, JsonOption {
  format: 'auto' | 'tagwright' | 'openapi' | 'har';
  baseUrl?: string;
  replace?: boolean;
}

export function addMocksImport(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('import')
    .description('Adds the mocks of a file: of "mocks export", an OpenAPI document (JSON or YAML) or a HAR file.')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'what sort of file it is')
        .choices(['auto', 'tagwright', 'openapi', 'har'])
        .default('auto'),
    )
    .option('--base-url <url>', 'where the API of an OpenAPI document is, in place of the servers that it names')
    .option('--replace', 'delete all mocks that are there first');
  withJson(withWorkspace(command)).action(async (file: string, options: ImportOptions) => {
    const { io } = context;
    const { format, baseUrl, replace = false } = options;
    const text = await readText(io, file, { bytes: MAX_FILE_BYTES, of: 'a file of mocks' });
    const result = await inSession(context, options, (client) =>
      client.mocks.import({ format, text, replace, ...(baseUrl !== undefined && { baseUrl }) }),
    );
    if (options.json) return io.out(jsonLine(result));
    for (const line of result.skipped) io.err(`left out: ${printable(line)}\n`);
    const removed = result.removed > 0 ? `, ${result.removed.toLocaleString('en')} removed` : '';
    io.out(`${counted(result.added, 'mock')} added (${result.format})${removed}\n`);
  });
}
