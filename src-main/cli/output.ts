import { dirname, resolve } from 'node:path';
import { messageOf } from '../platform/errors.ts';
import { writeWhole } from '../platform/files/whole-file.ts';
import { codeOf, isFull, storageError } from '../storage/storage-error.ts';
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
    throw usage(`"${file}" cannot be written: ${reasonOf(thrown, dirname(resolve(file)))}.`);
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

/** What the file system says names the file that is written first, which nobody asked for. */
function reasonOf(thrown: unknown, folder: string): string {
  const code = codeOf(thrown);
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no folder "${folder}"`;
  if (/^(?:EACCES|EPERM|EROFS)$/.test(code)) return 'this user may not write there';
  return messageOf(thrown);
}
