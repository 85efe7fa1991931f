import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { TagwrightError } from '../../../platform/errors.ts';
import { DISTRUST } from '../../database-check.ts';
import { codeOf, isDamage, storageError } from '../../storage-error.ts';

/** A consistent snapshot of both databases of a workspace, whatever is written in the meantime. */
export interface Snapshot {
  readonly workspace: Database.Database;
  /** null if there is no plant.db. */
  readonly plant: Database.Database | null;
  close(): void;
}

/** How long to wait for a Set or another program that writes, ms. */
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 20;
/** How often it is checked whether the intent of a Set has ended, while no other may begin. */
const END_TRIES = 10;

/**
 * Opens the workspace for reading at a moment between two Sets, so that a Set that writes to both files is in both or
 * in neither. Must not be called in a process that runs the workspace: other code there opens and closes `plant.db` as
 * a file, which would release the locks of the snapshot.
 *
 * Throws UNAVAILABLE if something writes for 10 s without a pause, and errors of opening the files.
 */
export async function snapshotOf(directory: string): Promise<Snapshot> {
  for (const until = performance.now() + PATIENCE_MS; ; await delay(LOOK_AGAIN_MS)) {
    const snapshot = await snapshotBetweenSets(directory);
    if (snapshot) return snapshot;
    if (performance.now() > until) {
      throw new TagwrightError(
        'UNAVAILABLE',
        `"${directory}" is constantly being written to. Close the program that has plant.db open, and try again.`,
      );
    }
  }
}

/** null during a Set over both files, or while another program holds plant.db. */
async function snapshotBetweenSets(directory: string): Promise<Snapshot | null> {
  const [file, plantFile] = [join(directory, 'workspace.db'), join(directory, 'plant.db')];
  const opened: Database.Database[] = [];
  const open = (path: string, readonly: boolean) => {
    const database = new Database(path, { readonly, fileMustExist: true, timeout: 0 });
    opened.push(database);
    // The library itself makes every connection defensive.
    database.exec(DISTRUST);
    return database;
  };
  const close = () => {
    for (const database of opened.splice(0).toReversed()) database.close();
  };
  let at = file;
  try {
    const workspace = open(file, true);
    at = plantFile;
    // Opened before the gate and closed after it: a reader that closes last does not move the write-ahead log, which
    // recovery inspects.
    const plant = existsSync(plantFile) ? open(plantFile, true) : null;
    const gate = plant && open(plantFile, false);
    if (gate) shut(gate);
    at = file;
    const intents = workspace.prepare<[], number>('SELECT count(*) FROM write_intents').pluck();
    // A transaction shows the moment of its first read.
    workspace.exec('BEGIN');
    // The intent of a Set of DB tags stays for a moment after it. No other can begin while the gate is shut.
    for (let tries = gate ? END_TRIES : 0; tries > 0 && intents.get() !== 0; tries -= 1) {
      await delay(LOOK_AGAIN_MS);
      workspace.exec('COMMIT; BEGIN');
    }
    if (intents.get() === 0) {
      at = plantFile;
      plant?.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
      if (gate) opened.pop()?.close();
      return { workspace, plant, close };
    }
  } catch (thrown) {
    close();
    if (codeOf(thrown).startsWith('SQLITE_BUSY')) return null;
    throw at === plantFile && isDamage(thrown) ? damagedPlant(plantFile, thrown) : storageError(thrown, at);
  }
  close();
  return null;
}

function damagedPlant(file: string, cause: unknown): TagwrightError {
  return new TagwrightError(
    'WORKSPACE_DAMAGED',
    `"${file}" is damaged, or not a database. Replace it with an intact one, or move it out of the folder, and copy again.`,
    { data: { file, reason: codeOf(cause), backups: [] }, cause },
  );
}

/** Blocks writers of plant.db until the connection closes; a file that cannot be written has none. */
function shut(gate: Database.Database): void {
  try {
    gate.exec('BEGIN IMMEDIATE');
  } catch (thrown) {
    if (!/^SQLITE_(READONLY|CANTOPEN)/.test(codeOf(thrown))) throw thrown;
  }
}
