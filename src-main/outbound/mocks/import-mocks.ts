import { z } from 'zod';
import { isJsonObject, type Json } from '#domain/text/json';
import type { Mock } from '#domain/mock/mock';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { SecretMask } from '../secrets/secret-mask.ts';
import { checkedRoute } from './check-route.ts';
import { importHar, type Imported } from './import-har.ts';
import { importOpenApi } from './import-openapi.ts';
import { MAX_MOCKS } from './mock-book.ts';
import type { MockFiles } from './mock-files.ts';
import { firstLine, readDocument } from './read-document.ts';

/** Version of the files of mocks. */
const VERSION = 1;

export type MockFormat = 'tagwright' | 'openapi' | 'har';

/**
 * The mocks of a file, and its format. Throws BAD_REQUEST with the problem.
 * @param mask hides secrets in recordings from elsewhere
 * @param baseUrl address of the API, in place of the servers of an OpenAPI document
 */
export async function importMocks(
  text: string,
  wanted: MockFormat | 'auto',
  baseUrl: string | undefined,
  files: MockFiles,
  mask: SecretMask,
): Promise<Imported & { format: MockFormat }> {
  const document = await readDocument(text);
  const format = wanted === 'auto' ? formatOf(document) : wanted;
  try {
    const imported = read(document, format, baseUrl, files, mask);
    if (imported.routes.length > MAX_MOCKS) throw new Error(`it has more than ${MAX_MOCKS} mocks`);
    // Imported mocks follow the same rules as hand-written ones.
    const routes = imported.routes.map((route) => checkedRoute(route));
    return { ...imported, routes, format };
  } catch (thrown) {
    if (thrown instanceof TagwrightError) throw thrown;
    throw new TagwrightError('BAD_REQUEST', `The file cannot be read as ${format}: ${firstLine(reasonOf(thrown))}.`);
  }
}

/** The part of an importer's error that helps people. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'it is nested too deeply';
  if (!(thrown instanceof z.ZodError)) return messageOf(thrown);
  const [issue] = thrown.issues;
  return `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`;
}

function read(
  document: Json,
  format: MockFormat,
  baseUrl: string | undefined,
  files: MockFiles,
  mask: SecretMask,
): Imported {
  if (format === 'har') return importHar(document, files, mask);
  if (format === 'tagwright') return { routes: mocksIn(document).map((route) => checkedRoute(route)), skipped: [] };
  if (!isJsonObject(document)) throw new Error('it is not an object');
  return importOpenApi(document, baseUrl);
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
  const routes = mocks.map(({ id: _id, hits: _hits, lastHitAt: _last, ...route }) => route);
  return `${JSON.stringify({ tagwright: 'mocks', version: VERSION, mocks: routes }, null, 2)}\n`;
}

function formatOf(document: Json): MockFormat {
  if (Array.isArray(document) && document.some(isMock)) return 'tagwright';
  if (isJsonObject(document)) {
    if ('openapi' in document || 'swagger' in document) return 'openapi';
    if (isJsonObject(document['log']) && 'entries' in document['log']) return 'har';
    if ('mocks' in document || isMock(document)) return 'tagwright';
  }
  throw new TagwrightError(
    'BAD_REQUEST',
    'The file contains neither mocks of Tagwright (one mock, an array of mocks, or "mocks"), nor an OpenAPI document ("openapi"), nor a HAR file ("log").',
  );
}
