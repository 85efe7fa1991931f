import { access, chmod, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes a file of the user completely or not at all: the previous file stays until the whole text is on the disk, so
 * that neither a full disk nor the end of the process destroys it. Its permissions stay, and a link to it stays one. A
 * special file, such as a pipe, is written directly. With `onlyOwner`, others can neither read nor write it from its first
 * byte on. Throws errors of the file system.
 */
export async function writeWhole(file: string, text: string, { onlyOwner = false } = {}): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => null);
  if (before && !before.isFile()) return writeFile(target, text);
  // Renaming over a file needs no permission to write it.
  if (before) await access(target, constants.W_OK);
  const unfinished = `${target}.${process.pid}.new`;
  try {
    await writeFile(unfinished, text, { mode: onlyOwner ? 0o600 : 0o666, flush: onlyOwner });
    if (before && !onlyOwner) await chmod(unfinished, before.mode);
    await rename(unfinished, target);
  } catch (thrown) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw thrown;
  }
}
