import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TagwrightError } from '../../platform/errors.ts';
import { codeOf, storageError } from '../storage-error.ts';

/**
 * Marks the folder while it is being filled: of two processes that fill it at once, one has the folder and the other is
 * rejected.
 */
const CLAIM = 'being-made.tmp';

/**
 * Does work in a new or empty folder. If the work fails, its results are removed, including a new folder. Throws
 * BAD_REQUEST for a folder that is not empty, WORKSPACE_READ_ONLY, STORAGE_FULL, and the error of the work.
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
 * Creates a folder for a workspace that only this user may enter: its files contain values, settings and the key of the
 * events API. An existing folder keeps its permissions.
 */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path);
  // One by one: a recursive call never returns in Node if an existing folder cannot contain folders (automounts,
  // /proc).
  for (const path of missing) makeOne(path);
  if (!statSync(folder).isDirectory()) mkdirSync(folder);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process was faster.
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
      `"${folder}" is not empty (it contains "${first ?? CLAIM}"). Choose a new or empty folder.`,
    );
  } catch (thrown) {
    const known = storageError(thrown, folder);
    if (known !== thrown || thrown instanceof TagwrightError) throw known;
    throw new TagwrightError(
      'BAD_REQUEST',
      `"${folder}" cannot be created (${codeOf(thrown)}). Choose another folder.`,
      {
        cause: thrown,
      },
    );
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
