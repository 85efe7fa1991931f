import { Worker } from 'node:worker_threads';
import type { Json } from '#domain/text/json';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { productRoot, yamlReaderFile } from '../../platform/files/paths.ts';

/** Maximum length of a YAML text. */
const MOST_MB = 1_024;
const LONGEST_MS = 60_000;

/** The value of a text that is JSON or YAML. Throws BAD_REQUEST with the problem. */
export async function readDocument(text: string): Promise<Json> {
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
  const reader = new Worker(yamlReaderFile(productRoot()), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('it takes too long to read; convert it to JSON')), LONGEST_MS);
      reader.once('message', resolve);
      reader.once('error', (error: unknown) => reject(isMemory(error) ? new Error('it takes too much memory') : error));
      reader.once('exit', () => reject(new Error('it could not be read')));
    });
  } finally {
    clearTimeout(timer);
    await reader.terminate();
  }
}

const isMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function notReadable(thrown: unknown): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `The file is neither JSON nor YAML: ${firstLine(messageOf(thrown))}.`);
}

/** From a message, for use within a sentence. */
export const firstLine = (text: string) => (text.split('\n')[0] ?? '').replace(/[.:]$/, '').slice(0, 500);
