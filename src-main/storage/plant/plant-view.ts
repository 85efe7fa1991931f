import type { Dirent } from 'node:fs';
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { WritableFolder } from '../../platform/os-sandbox/confined-command.ts';

/** The files that SQLite creates next to a database, and the names of its temporary ones. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];
const TEMPORARY = 'etilqs_';

/**
 * What a plant host may see of the workspace folder: plant.db and its logs, which SQLite creates and deletes there. All
 * other existing entries are hidden. Entries that appear later or replace a hidden one are visible, so the host must
 * then be replaced. If plant.db is a link, the folder of the file itself is also visible, with nothing hidden.
 */
export class PlantView {
  readonly folders: WritableFolder[];
  readonly #file: string;
  readonly #hidden = new Map<string, string>();
  #changed: bigint | undefined;
  #outdated = false;

  /** @param file plant.db */
  constructor(file: string) {
    this.#file = file;
    this.#changed = lastChange(file);
    const others = othersBeside(file);
    for (const { name } of others) this.#hidden.set(name, identity(file, name));
    const workspace: WritableFolder = {
      ...folderOf(file),
      hiddenFiles: others.filter((entry) => !entry.isDirectory()).map(({ name }) => name),
      hiddenFolders: others.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    };
    const real = realOf(file);
    const linked = dirname(real) === realOf(dirname(file)) ? [] : [folderOf(real)];
    // If one contains the other, the inner one counts.
    this.folders = [workspace, ...linked].toSorted((a, b) => a.folder.length - b.folder.length);
  }

  /** Whether there is an entry that is hidden from a new host, but not from this one. */
  isOutdated(): boolean {
    const changed = lastChange(this.#file);
    if (changed === this.#changed || this.#outdated) return this.#outdated;
    this.#changed = changed;
    const others = othersBeside(this.#file);
    this.#outdated = others.some(({ name }) => this.#hidden.get(name) !== identity(this.#file, name));
    return this.#outdated;
  }
}

/** The folders of a plant host without hidden entries; for a sandbox that cannot hide a part of a folder. */
export function wholeFolders(file: string): WritableFolder[] {
  const real = realOf(file);
  return dirname(real) === dirname(file) ? [folderOf(file)] : [folderOf(file), folderOf(real)];
}

function folderOf(file: string): WritableFolder {
  const ownFiles = SUFFIXES.map((suffix) => basename(file) + suffix);
  return { folder: dirname(file), ownFiles, temporary: TEMPORARY, hiddenFiles: [], hiddenFolders: [] };
}

/** Links are skipped: their targets are not in the sandbox. */
function othersBeside(file: string): Dirent[] {
  const own = new Set(folderOf(file).ownFiles);
  return entriesOf(dirname(file)).filter((entry) => !own.has(entry.name) && !entry.isSymbolicLink());
}

/** Empty if the folder cannot be read: a host cannot read it either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A host can set every other time of the folder. */
function lastChange(file: string): bigint | undefined {
  return statSync(dirname(file), { bigint: true, throwIfNoEntry: false })?.ctimeNs;
}

/** A new file can have the inode of a deleted one, but not its birth. */
function identity(file: string, name: string): string {
  const found = lstatSync(join(dirname(file), name), { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
