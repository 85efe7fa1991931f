import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../platform/errors.ts';
import { writeWhole } from '../platform/files/whole-file.ts';
import { codeOf, isFull, storageError } from '../storage/storage-error.ts';
import type { JsonOption } from './context.ts';
import { usage } from './input.ts';
import type { Io } from './io.ts';
import { counted, jsonLine } from './text.ts';

/**
 * Writes a file of the user, completely or not at all.
 * @throws TagwrightError STORAGE_FULL, or BAD_REQUEST with the reason
 */
export async function saveFile(file: string, text: string, options: { onlyOwner?: boolean } = {}): Promise<void> {
  await writeWhole(file, text, options).catch((thrown: unknown) => {
    if (isFull(thrown)) throw storageError(thrown, file);
    throw usage(`"${file}" cannot be written: ${reasonOf(thrown, dirname(resolve(file)))}.`);
  });
}

/**
 * Checks that a file can be written, before the work whose outcome it gets.
 * @throws TagwrightError BAD_REQUEST with the reason
 */
export async function checkTarget(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw usage(`"${file}" is a folder. Name a file.`);
  await access(folder, constants.W_OK).catch((thrown: unknown) => {
    throw usage(`"${file}" cannot be written: ${reasonOf(thrown, folder)}.`);
  });
}

/**
 * Writes an export to a file and prints how many items it has, or for `-` writes all of it to standard output.
 * @param what one of these items, such as `1 tag`
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

/** An error of the file system names the temporary file, which would confuse the user. */
function reasonOf(thrown: unknown, folder: string): string {
  const code = codeOf(thrown);
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no folder "${folder}"`;
  if (/^(?:EACCES|EPERM|EROFS)$/.test(code)) return 'this user has no write permission there';
  return messageOf(thrown);
}
