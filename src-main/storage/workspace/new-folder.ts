import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TagwrightError } from '../../platform/errors.ts';
import { codeOf, storageError } from '../storage-error.ts';

/** In the folder while it is being filled: of two who fill it at once, one has the folder and the other is refused. */
const CLAIM = 'being-made.tmp';

/**
 * Does a work in a folder that is new or empty. When the work fails, what it left is removed, and the folder too where
 * it was new. Throws BAD_REQUEST for a folder that holds something, WORKSPACE_READ_ONLY, STORAGE_FULL, and what the work
 * throws.
 */
export async function fillNewFolder<T>(directory: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = resolve(directory);
  const isNew = !existsSync(folder);
  makeEmpty(folder);
  try {
    const result = await work(folder);
    rmSync(join(folder, CLAIM), { force: true });
    return result;
  } catch (thrown) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    if (isNew) rmdirSync(folder);
    throw storageError(thrown, folder);
  }
}

/**
 * Makes a folder for a workspace, which nobody but this user may enter: values, settings and with them the key of the
 * events API are in files of it. A folder that is there keeps the rights that somebody gave it.
 */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path);
  // One by one: asked to make all of them, Node never ends where a folder that is there holds none (automounts, /proc).
  for (const path of missing) makeOne(path);
  if (!statSync(folder).isDirectory()) mkdirSync(folder);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Somebody else was quicker.
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  }
}

function makeEmpty(folder: string): void {
  try {
    makePrivateFolder(folder);
    const [first] = readdirSync(folder);
    if (first === undefined && claimed(folder)) return;
    throw new TagwrightError(
      'BAD_REQUEST',
      `"${folder}" holds something (such as "${first ?? CLAIM}"). Name a new or empty folder.`,
    );
  } catch (thrown) {
    const known = storageError(thrown, folder);
    if (known !== thrown || thrown instanceof TagwrightError) throw known;
    throw new TagwrightError('BAD_REQUEST', `"${folder}" cannot be made (${codeOf(thrown)}). Name a folder.`, {
      cause: thrown,
    });
  }
}

function claimed(folder: string): boolean {
  try {
    closeSync(openSync(join(folder, CLAIM), 'wx', 0o600));
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}
