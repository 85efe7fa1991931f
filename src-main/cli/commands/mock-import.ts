import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { IMPORT_LIMITS, type MockPreview } from '#domain/mock/mock';
import { problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { grouped } from '#domain/text/grouped';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { oneOf, readText, usage } from '../input.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, table } from '../text.ts';

/** Half the size of an RPC message, because text grows there. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

const FORMATS = ['auto', 'tagwright', 'openapi', 'har', 'postman', 'bruno', 'curl'] as const;

interface MockImportOptions extends WorkspaceOption, JsonOption {
  format: (typeof FORMATS)[number];
  baseUrl?: string;
  folder?: string;
  replace?: boolean;
  dryRun?: boolean;
}

export function addMocksImport(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('import')
    .summary('adds mocks from a file or a Bruno folder')
    .description(
      'Adds mocks from a file: one written by "mocks export", an OpenAPI document (JSON or YAML), a HAR file, a ' +
        'Postman (2.1) or Bruno collection (JSON, a .bru file or the folder of a collection), or curl commands.',
    )
    .argument('<file>', 'the file, a Bruno folder, or - for standard input')
    .addOption(oneOf(new Option('--format <format>', 'format of the file'), FORMATS).default('auto'))
    .option('--base-url <url>', 'base URL of the API, instead of the servers of an OpenAPI document or of a variable')
    .option('--folder <folder>', 'folder for the mocks, such as ERP/Orders')
    .option('--replace', 'delete all existing mocks first')
    .option('--dry-run', 'list the mocks, and add nothing');
  withJson(withWorkspace(command)).action(async (file: string, options: MockImportOptions) => {
    const { io } = context;
    const { format, baseUrl, folder, replace = false, dryRun = false } = options;
    const problem = folder === undefined ? null : problemOfFolder(tidyFolder(folder));
    if (problem !== null) throw usage(`--folder is not a folder: ${problem}.`);
    const files = file !== '-' && isFolder(file) ? bruFilesIn(file) : undefined;
    const text = files ? '' : await readText(io, file, { bytes: MAX_FILE_BYTES, of: 'a file of mocks' });
    const given = {
      format,
      text,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(folder !== undefined && { folder }),
      ...(files && { files }),
    };
    if (dryRun) {
      const preview = await inSession(context, options, (client) => client.mocks.preview(given));
      if (options.json) return io.out(jsonLine(preview));
      io.out(previewText(preview));
      for (const line of preview.skipped) io.err(`skipped: ${printable(line)}\n`);
      return io.err(`${counted(preview.count, 'mock')} (${preview.format}), nothing was added\n`);
    }
    const result = await inSession(context, options, (client) => client.mocks.import({ ...given, replace }));
    if (options.json) return io.out(jsonLine(result));
    for (const line of result.skipped) io.err(`skipped: ${printable(line)}\n`);
    const removed = result.removed > 0 ? `, ${grouped(result.removed)} removed` : '';
    io.out(`${counted(result.added, 'mock')} added (${result.format})${removed}\n`);
  });
}

function previewText({ mocks }: MockPreview): string {
  const folders = mocks.some(({ folder }) => folder !== undefined);
  const rows = mocks.map(({ name, folder = '', enabled, method, url, status }) => {
    return [`${method} ${cell(url)}`, enabled ? status : 'off', ...(folders ? [cell(folder)] : []), cell(name)];
  });
  return table([['REQUEST', 'ANSWER', ...(folders ? ['FOLDER'] : []), 'NAME'], ...rows]);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const BRU = { files: IMPORT_LIMITS.files, bytes: IMPORT_LIMITS.bru, allBytes: MAX_FILE_BYTES, depth: 20 } as const;

/** The .bru files in a folder and its folders, without links. */
function bruFilesIn(folder: string): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  let bytes = 0;
  const visit = (directory: string, depth: number) => {
    if (depth > BRU.depth) throw usage(`"${folder}" has more than ${BRU.depth} levels of folders.`);
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(path, depth + 1);
      if (!entry.isFile() || !entry.name.endsWith('.bru')) continue;
      const { size } = lstatSync(path);
      bytes += size;
      if (size > BRU.bytes) throw usage(`"${path}" is larger than 1 MB, too large for a request.`);
      if (found.length >= BRU.files || bytes > BRU.allBytes)
        throw usage(`"${folder}" has more than ${BRU.files} .bru files or 32 MB. Import its folders one by one.`);
      found.push({ path: relative(folder, path).split(sep).join('/'), text: readFileSync(path, 'utf8') });
    }
  };
  visit(folder, 0);
  if (found.length === 0) throw usage(`"${folder}" has no .bru files. Name a file, or a folder of a Bruno collection.`);
  return found;
}
