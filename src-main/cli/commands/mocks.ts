import type { Command } from 'commander';
import { Option, Argument } from 'commander';
import type { Mock } from '#domain/mock/mock';
import type { ApiMode } from '#domain/mock/api-call';
import { API_MODES } from '#domain/mock/api-call';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { cell, counted, jsonLine, table, printable } from '../text.ts';
import { readText, usage } from '../input.ts';
import { putExport } from '../output.ts';

/** The command group `mocks`. */
export function addMocks(program: Command, context: CommandContext): void {
  const mocks = program
    .command('mocks')
    .description('Lists, imports, exports and deletes mocks, and sets where API calls go.');
  for (const add of [addMocksList, addMocksImport, addMocksExport, addMocksDelete, addMocksMode]) add(mocks, context);
}

function addMocksList(mocks: Command, context: CommandContext): void {
  const command = mocks.command('list').description('Lists the mocks in matching order.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const listed = await inSession(context, options, (client) => client.mocks.list());
    if (options.json) return context.io.out(jsonLine(listed));
    const rows = listed.mocks.map(rowOf);
    if (rows.length > 0) context.io.out(table([['ID', 'PRIORITY', 'HITS', 'REQUEST', 'ANSWER', 'NAME'], ...rows]));
    const recording = listed.record ? ', live calls are recorded' : '';
    context.io.err(`${counted(rows.length, 'mock')}, mode ${listed.mode}${recording}\n`);
  });
}

function rowOf({ id, priority, hits, name, enabled, request, answer }: Mock): string[] {
  const delay = answer.delayMs > 0 ? ` after ${answer.delayMs} ms` : '';
  return [
    String(id),
    String(priority),
    String(hits),
    `${request.method} ${cell(request.url)}`,
    enabled ? `${answer.fault ?? answer.status}${delay}` : 'off',
    cell(name),
  ];
}

/** Half the size of an RPC message, because text grows there. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

interface MockImportOptions extends WorkspaceOption, JsonOption {
  format: 'auto' | 'tagwright' | 'openapi' | 'har';
  baseUrl?: string;
  replace?: boolean;
}

function addMocksImport(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('import')
    .description('Adds the mocks of a file: of "mocks export", an OpenAPI document (JSON or YAML) or a HAR file.')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'format of the file')
        .choices(['auto', 'tagwright', 'openapi', 'har'])
        .default('auto'),
    )
    .option('--base-url <url>', 'address of the API, in place of the servers of an OpenAPI document')
    .option('--replace', 'delete all existing mocks first');
  withJson(withWorkspace(command)).action(async (file: string, options: MockImportOptions) => {
    const { io } = context;
    const { format, baseUrl, replace = false } = options;
    const text = await readText(io, file, { bytes: MAX_FILE_BYTES, of: 'a file of mocks' });
    const result = await inSession(context, options, (client) =>
      client.mocks.import({ format, text, replace, ...(baseUrl !== undefined && { baseUrl }) }),
    );
    if (options.json) return io.out(jsonLine(result));
    for (const line of result.skipped) io.err(`skipped: ${printable(line)}\n`);
    const removed = result.removed > 0 ? `, ${result.removed.toLocaleString('en')} removed` : '';
    io.out(`${counted(result.added, 'mock')} added (${result.format})${removed}\n`);
  });
}

function addMocksExport(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('export')
    .description('Writes all mocks to a JSON file that "mocks import" reads. An existing file is replaced.')
    .argument('<file>', 'the file, or - for standard output');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const exported = await inSession(context, options, (client) => client.mocks.export());
    await putExport(context.io, exported, { ...options, file, what: 'mock' });
  });
}

function addMocksDelete(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('delete')
    .description('Deletes mocks: those of the ids that "mocks list" shows, or --all.')
    .argument('[id...]', 'ids of mocks')
    .option('--all', 'every mock');
  withJson(withWorkspace(command)).action(
    async (ids: string[], options: WorkspaceOption & JsonOption & { all?: boolean }) => {
      if ((ids.length === 0) === (options.all === undefined)) throw usage('Enter the ids of mocks, or --all.');
      const named = ids.map(idOf);
      const { count } = await inSession(context, options, (client) =>
        client.mocks.delete({ ids: options.all ? null : named }),
      );
      context.io.out(options.json ? jsonLine({ count }) : `${counted(count, 'mock')} deleted\n`);
    },
  );
}

function idOf(text: string): number {
  const id = Number(text);
  if (Number.isInteger(id) && id > 0) return id;
  throw usage(`"${text}" is not the id of a mock. Run "tagwright mocks list" to see the ids.`);
}

interface ModeOptions extends WorkspaceOption, JsonOption {
  record?: boolean;
}

const MEANING: Readonly<Record<ApiMode, string>> = {
  live: 'API calls are sent to the remote servers, without mocks',
  mockFirst: 'a mock responds if one matches; other API calls are sent to the remote servers',
  offline: 'only mocks respond; no API call leaves this machine',
};

function addMocksMode(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('mode')
    .description('Shows or sets where API calls go: live, mockFirst or offline.')
    .addArgument(new Argument('[mode]', 'the mode to set').choices(API_MODES))
    .option('--record', 'record live calls as mocks from now on')
    .option('--no-record', 'stop recording');
  withJson(withWorkspace(command)).action(async (mode: ApiMode | undefined, options: ModeOptions) => {
    const { record } = options;
    const settings = await inSession(context, options, (client) =>
      mode === undefined && record === undefined
        ? client.settings.get()
        : client.settings.update({
            ...(mode !== undefined && { 'api.mode': mode }),
            ...(record !== undefined && { 'api.record': record }),
          }),
    );
    const { 'api.mode': now, 'api.record': recording } = settings;
    if (options.json) return context.io.out(jsonLine({ mode: now, record: recording }));
    context.io.out(`${now}: ${MEANING[now]}${recording ? '; live calls become mocks' : ''}\n`);
  });
}
