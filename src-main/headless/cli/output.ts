import { dirname, resolve } from 'node:path';
import { messageOf } from '../../platform/errors.ts';
import { writeWhole } from '../../platform/whole-file.ts';
import { codeOf, isFull, storageError } from '../../storage/storage-error.ts';
import type { JsonOption } from './context.ts';
import { usage } from './input.ts';
import type { Io } from './io.ts';
import { counted, jsonLine } from './text.ts';

/**
 * Writes a file that somebody named, as a whole or not at all.
 * @throws TagwrightError STORAGE_FULL, or BAD_REQUEST, which says why it cannot be written
 */
export async function saveFile(file: string, text: string): Promise<void> {
  await writeWhole(file, text).catch((thrown: unknown) => {
    if (isFull(thrown)) throw storageError(thrown, file);
    const why = codeOf(thrown) === 'ENOENT' ? `there is no folder "${dirname(resolve(file))}"` : messageOf(thrown);
    throw usage(`"${file}" cannot be written: ${why}.`);
  });
}

/**
 * Writes what was exported to a file and says how many things it holds, or for `-` all of it to standard output.
 * @param what one of these things, as in `1 tag`
 */
export async function putExport(
  io: Io,
  { text, count }: { text: string; count: number },
  { file, what, json }: JsonOption & { file: string; what: string },
): Promise<void> {
  if (file === '-') return io.out(text);
  await saveFile(file, text);
  io.out(json ? jsonLine({ file, count }) : `${counted(count, what)} exported to ${file}\n`);
}
