import { access, chmod, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes a file of the user's as a whole or not at all: what was there stays until all of the text stands beside it, so
 * that neither a full disk nor the end of the process costs it. Its permissions stay, and a link to it stays one. What is
 * no file, such as a pipe, is written as it is. Throws what the file system throws.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => null);
  if (before && !before.isFile()) return writeFile(target, text);
  // Renaming over a file needs no right to write it.
  if (before) await access(target, constants.W_OK);
  const unfinished = `${target}.${process.pid}.new`;
  try {
    await writeFile(unfinished, text);
    if (before) await chmod(unfinished, before.mode);
    await rename(unfinished, target);
  } catch (thrown) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw thrown;
  }
}
