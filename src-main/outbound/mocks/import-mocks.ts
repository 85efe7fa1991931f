import { z } from 'zod';
import { isJsonObject, type Json } from '#domain/text/json';
import type { Mock, MockRoute } from '#domain/mock/mock';
import { MAX_MOCKS, routeOf } from '#domain/mock/mock';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { programFile } from '../../platform/files/programs.ts';
import { placeText } from '../../platform/plain-words.ts';
import { inThread, ThreadFailure } from '../../platform/threads/in-thread.ts';
import type { SecretMask } from '../secrets/secret-mask.ts';
import { checkedRoute } from './check-route.ts';
import { isBru } from './clients/bru-blocks.ts';
import { type BruFile, importBruFiles, importBruno, isBruno } from './clients/import-bruno.ts';
import { importCurl, isCurl } from './clients/import-curl.ts';
import { importPostman, isPostman } from './clients/import-postman.ts';
import { type ClientImport, routesOfSaved } from './clients/saved-request.ts';
import { importHar, type Imported } from './import-har.ts';
import { importOpenApi } from './import-openapi.ts';
import type { MockFiles } from './mock-files.ts';

/** Version of the files of mocks. */
const VERSION = 1;

/** What reading YAML may use. */
const YAML_MB = 1_024;
const YAML_MS = 60_000;

/** Remarks on one of several files. */
const SKIPPED_OF_FILE = 20;

export type MockFormat = 'tagwright' | 'openapi' | 'har' | 'postman' | 'bruno' | 'curl';

export interface GivenImport {
  text: string;
  format: MockFormat | 'auto';
  /** Address of the API, in place of the servers of an OpenAPI document, or of an unknown variable. */
  baseUrl?: string | undefined;
  /** The folder for all of them, with the folders that they have. */
  folder?: string | undefined;
  /** Several files, in place of the text. */
  files?: BruFile[] | undefined;
}

/** A file of an import, or all .bru files of a Bruno collection. */
type ImportPart = Omit<GivenImport, 'files'> & { path: string; bru?: BruFile[] };

/** Where large bodies of responses go, and what must be hidden in recordings from elsewhere. */
export interface ImportTarget {
  files: Pick<MockFiles, 'keep'>;
  mask: SecretMask;
}

/**
 * The mocks of a file or of several, and their formats. Throws BAD_REQUEST with the problem; of several files, with that of
 * each in `data.issues`.
 */
export async function importMocks(given: GivenImport, target: ImportTarget): Promise<Imported & { format: string }> {
  const { files, ...whole } = given;
  const bru = files?.filter(({ path, text }) => path.endsWith('.bru') || isBru(text)) ?? [];
  const parts: ImportPart[] = (files?.filter((file) => !bru.includes(file)) ?? []).map((file) => ({
    ...whole,
    ...file,
  }));
  if (bru.length > 0) parts.push({ ...whole, text: '', path: 'the .bru files', bru });
  const [only] = parts;
  if (files === undefined || (parts.length === 1 && only?.bru))
    return importPart(only ?? { ...whole, path: '' }, target);
  // First without a trace, because large bodies become files.
  await importAll(parts, { ...target, files: { keep: () => 'preview' } });
  return importAll(parts, target);
}

async function importAll(parts: readonly ImportPart[], target: ImportTarget): Promise<Imported & { format: string }> {
  const routes: MockRoute[] = [];
  const skipped: string[] = [];
  const formats = new Set<string>();
  const issues: { path: string[]; message: string }[] = [];
  for (const part of parts) {
    const path = part.path.slice(0, 200);
    try {
      // oxlint-disable-next-line no-await-in-loop -- one by one, to need the memory of one
      const imported = await importPart(part, target);
      for (const route of imported.routes) routes.push(route);
      skipped.push(...imported.skipped.slice(0, SKIPPED_OF_FILE).map((line) => (part.bru ? line : `${path}: ${line}`)));
      if (imported.routes.length === 0) skipped.push(`${path}: it has no mocks`);
      formats.add(imported.format);
    } catch (thrown) {
      issues.push({ path: [path], message: messageOf(thrown) });
    }
  }
  if (issues.length > 0) {
    const shown = issues.slice(0, 3).map(({ path, message }) => `“${path.join()}”: ${message}`);
    const more = issues.length > shown.length ? ` ${issues.length - shown.length} more have problems.` : '';
    const count = `${issues.length} of ${parts.length} files cannot be imported`;
    throw new TagwrightError('BAD_REQUEST', `${count}, so none was. ${shown.join(' ')}${more}`, { data: { issues } });
  }
  if (routes.length > MAX_MOCKS)
    throw new TagwrightError('BAD_REQUEST', `The files contain more than ${MAX_MOCKS} mocks. Import fewer of them.`);
  return { routes, skipped, format: [...formats].join(', ') };
}

async function importPart(given: ImportPart, target: ImportTarget): Promise<Imported & { format: MockFormat }> {
  const format = textFormat(given);
  const document = format === null ? await readDocument(given.text) : null;
  const named = format ?? (given.format === 'auto' ? formatOf(document) : given.format);
  try {
    const imported = read(given, document, named, target);
    if (imported.routes.length > MAX_MOCKS) throw new Error(`it has more than ${MAX_MOCKS} mocks`);
    // Imported mocks follow the same rules as hand-written ones.
    const routes = imported.routes.map((route, index) => {
      const folders = [given.folder, route.folder].filter((one) => one !== undefined);
      return checkedRoute({ ...route, ...(folders.length > 0 && { folder: folders.join('/') }) }, `mock ${index + 1}`);
    });
    return { ...imported, routes, format: named };
  } catch (thrown) {
    if (thrown instanceof TagwrightError) throw thrown;
    throw new TagwrightError('BAD_REQUEST', `The file cannot be read as ${named}: ${firstLine(reasonOf(thrown))}.`);
  }
}

/** The format of a text that is neither JSON nor YAML; null for those. */
function textFormat({ text, format, bru }: ImportPart): 'curl' | 'bruno' | null {
  if (bru !== undefined) return 'bruno';
  if (format === 'curl' || (format === 'auto' && isCurl(text))) return 'curl';
  return (format === 'bruno' || format === 'auto') && isBru(text) ? 'bruno' : null;
}

/** The part of an importer's error that helps people. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'it is nested too deeply';
  if (!(thrown instanceof z.ZodError)) return messageOf(thrown);
  const [issue] = thrown.issues;
  return `${placeText(issue?.path ?? [])}: ${issue?.message ?? ''}`;
}

function read(given: ImportPart, document: Json, format: MockFormat, { files, mask }: ImportTarget): Imported {
  const { text, baseUrl, bru } = given;
  const saved = (client: ClientImport) => routesOfSaved(client, { baseUrl, files, mask });
  switch (format) {
    case 'har':
      return importHar(document, files, mask);
    case 'curl':
      return saved(importCurl(text));
    case 'postman':
      return saved(importPostman(document));
    case 'bruno':
      if (bru !== undefined || isBru(text)) return saved(importBruFiles(bru ?? [{ path: 'request.bru', text }]));
      return saved(importBruno(document));
    case 'tagwright':
      return { routes: mocksIn(document).map((route, index) => checkedRoute(route, `mock ${index + 1}`)), skipped: [] };
    default:
      if (!isJsonObject(document)) throw new Error('it is not an object');
      return importOpenApi(document, baseUrl);
  }
}

/** One mock, an array of mocks, or an export. */
function mocksIn(document: Json): Json[] {
  if (Array.isArray(document)) return document;
  if (!isJsonObject(document)) throw new Error('it is not an object');
  if (isMock(document)) return [document];
  const { version = VERSION, mocks } = document;
  if (version !== VERSION)
    throw new Error(`its version is ${JSON.stringify(version).slice(0, 40)}, but this Tagwright reads ${VERSION}`);
  if (!Array.isArray(mocks)) throw new Error('it has no list "mocks"');
  return mocks;
}

function isMock(value: Json): boolean {
  return isJsonObject(value) && 'request' in value && !('mocks' in value);
}

/** All mocks as a file for importMocks. */
export function exportMocks(mocks: readonly Mock[]): string {
  return `${JSON.stringify({ tagwright: 'mocks', version: VERSION, mocks: mocks.map(routeOf) }, null, 2)}\n`;
}

function formatOf(document: Json): MockFormat {
  if (Array.isArray(document) && document.some(isMock)) return 'tagwright';
  if (isJsonObject(document)) {
    if ('openapi' in document || 'swagger' in document) return 'openapi';
    if (isJsonObject(document['log']) && 'entries' in document['log']) return 'har';
    if ('mocks' in document || isMock(document)) return 'tagwright';
    if (isPostman(document)) return 'postman';
    if (isBruno(document)) return 'bruno';
  }
  throw new TagwrightError(
    'BAD_REQUEST',
    'The file contains neither mocks of Tagwright (one mock, an array of mocks, or "mocks"), nor an OpenAPI document ("openapi"), nor a HAR file ("log"), nor a collection of Postman ("info", "item") or Bruno ("items"), nor a curl command.',
  );
}

/** The value of a text that is JSON or YAML. Throws BAD_REQUEST with the problem. */
async function readDocument(text: string): Promise<Json> {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (thrown) {
    if (/^\s*[[{]/.test(text)) throw notReadable(thrown);
  }
  try {
    const value: Json = JSON.parse(await yamlAsJson(text));
    return value;
  } catch (thrown) {
    throw notReadable(thrown);
  }
}

/** In a separate thread, because everything else would wait for it. */
async function yamlAsJson(text: string): Promise<string> {
  try {
    const given = { data: text, mostMb: YAML_MB, mostMs: YAML_MS };
    return await inThread<string>(programFile('yaml-reader'), given);
  } catch (thrown) {
    const isSlow = thrown instanceof ThreadFailure && thrown.reason === 'time';
    throw isSlow ? new Error('it takes too long to read; convert it to JSON', { cause: thrown }) : thrown;
  }
}

function notReadable(thrown: unknown): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `The file is neither JSON nor YAML: ${firstLine(messageOf(thrown))}.`);
}

/** From a message, for use within a sentence. */
const firstLine = (text: string) => (text.split('\n')[0] ?? '').replace(/[.:]$/, '').slice(0, 500);
