import type { Dirent } from 'node:fs';
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { ConfinedCommand, WritableFolder } from '../../platform/os-sandbox/confined-command.ts';
import { type HostRole, MAX_HOST_BYTES } from './protocol.ts';

/** The files that SQLite creates next to a database, and the names of its temporary ones. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];
const TEMPORARY = 'etilqs_';
/** How long a plant host waits for another program that holds plant.db, ms. */
export const BUSY_MS = 2_000;
/** The memory limit that the system enforces, if it can. The host itself and main have lower limits. */
const MEMORY_BYTES = 2 * MAX_HOST_BYTES;

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
    const others = othersIn(file);
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
    const others = othersIn(this.#file);
    this.#outdated = others.some(({ name }) => this.#hidden.get(name) !== identity(this.#file, name));
    return this.#outdated;
  }
}

/** The folders of a plant host without hidden entries; for a sandbox that cannot hide a part of a folder. */
function wholeFolders(file: string): WritableFolder[] {
  const real = realOf(file);
  return dirname(real) === dirname(file) ? [folderOf(file)] : [folderOf(file), folderOf(real)];
}

function folderOf(file: string): WritableFolder {
  const ownFiles = SUFFIXES.map((suffix) => basename(file) + suffix);
  return { folder: dirname(file), ownFiles, temporary: TEMPORARY, hiddenFiles: [], hiddenFolders: [] };
}

/** Links are skipped: their targets are not in the sandbox. */
function othersIn(file: string): Dirent[] {
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

/**
 * Node denies its code files, network, child processes and addons. It may read its own program, and start the thread of
 * its watchdog; it drops both when that has started. SQLite is not subject to this.
 */
const PERMISSIONS = ['--permission', '--allow-worker'];

/** How a plant host is started: it may read its own program, and write its view of the folder of plant.db. */
export function plantCommand(
  { nodeBinary, hostFile: named, file }: { nodeBinary: string; hostFile: string; file: string },
  role: HostRole,
  view: PlantView | null,
): ConfinedCommand {
  // Node may not look where a link in its path leads.
  const hostFile = realOf(named);
  const program = programOf(hostFile);
  const read = program.map((path) => `--allow-fs-read=${path}`);
  const flags = ['--no-warnings', ...PERMISSIONS, ...read, '--disable-sigusr1', '--max-old-space-size=512'];
  return {
    binary: nodeBinary,
    args: [...flags, hostFile, file, role, `${BUSY_MS}`],
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A sandbox has no folder for temporary files; those of SQLite have no name.
    env: { ...environment(), ...(view !== null && { SQLITE_TMPDIR: dirname(file) }) },
    readable: [...program, ...TIME_ZONES],
    writable: view?.folders ?? wholeFolders(file),
    memoryBytes: MEMORY_BYTES,
  };
}

/** The C library reads them for local times of SQLite. */
const TIME_ZONES = ['/etc/localtime', '/usr/share/zoneinfo'];

/** A bundle is one file, sources are a folder. Node reads the module type from the nearest package.json. */
function programOf(hostFile: string): string[] {
  const sources = hostFile.endsWith('.ts') ? hostFile.lastIndexOf(`${sep}src-main${sep}`) : -1;
  const program = sources < 0 ? hostFile : join(hostFile.slice(0, sources), 'src-main');
  return [program, ...packageOf(dirname(hostFile))];
}

function packageOf(folder: string): string[] {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) return [manifest];
  return folder === dirname(folder) ? [] : packageOf(dirname(folder));
}

/** The folder for temporary files, and the time zone of SQLite's local times. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['TZ', 'TMPDIR', 'SQLITE_TMPDIR', 'SystemRoot', 'TEMP', 'TMP'];
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined));
}
