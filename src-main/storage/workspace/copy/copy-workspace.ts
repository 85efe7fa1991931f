import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { WorkspaceCopy } from '#domain/workspace/workspace';
import { TagwrightError } from '../../../platform/errors.ts';
import { readPlain, writePlain } from '../../../platform/files/plain-file.ts';
import { hideFile, makePrivateFile } from '../../../platform/files/private-files.ts';
import { checkDatabaseFile } from '../../database-check.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { fillNewFolder } from '../new-folder.ts';
import { syncFile } from '../../sync-file.ts';
import { disableWebhooks, separateFromHub } from './disable-webhooks.ts';
import { snapshotOf } from './snapshot.ts';

export interface CopyRequest {
  /** The folder of a workspace, which an instance in another process may hold. */
  source: string;
  /** A new or empty folder. */
  target: string;
  /** Also copies the key of the secrets. */
  withSecrets: boolean;
}

/** Number of pages that SQLite copies before others run. */
const PAGES_AT_ONCE = 4_096;

/**
 * Copies a consistent snapshot of a workspace: `workspace.db`, `plant.db`, `mock-files` and, if requested,
 * `secrets.key`. Its webhooks are disabled. `workspace.db` gets its name last, so that an interrupted copy is not mistaken for a workspace. Must
 * not be called in a process that runs the workspace.
 *
 * Throws NOT_FOUND if there is no workspace, BAD_REQUEST for a target that is not empty or inside the source, and
 * errors of reading and writing; the target is then empty.
 */
export async function copyWorkspace({ source, target, withSecrets }: CopyRequest): Promise<WorkspaceCopy> {
  const from = resolve(source);
  const file = join(from, 'workspace.db');
  if (!existsSync(file)) {
    throw new TagwrightError('NOT_FOUND', `The folder "${from}" has no workspace. Choose the folder of one.`);
  }
  const way = relative(from, resolve(target));
  if (way !== '..' && !way.startsWith(`..${sep}`) && resolve(from, way) !== way) {
    throw new TagwrightError(
      'BAD_REQUEST',
      way === ''
        ? `"${from}" is the workspace itself. Choose another folder.`
        : `"${resolve(target)}" is inside the workspace. Choose a folder outside it.`,
    );
  }
  return fillNewFolder(target, async (folder) => {
    const copied = join(folder, 'workspace.db');
    const plant = join(folder, 'plant.db');
    const unfinished = `${copied}.partial`;
    const snapshot = await snapshotOf(from);
    try {
      if (snapshot.plant) await copyDatabase(snapshot.plant, plant);
      await copyDatabase(snapshot.workspace, unfinished);
    } finally {
      snapshot.close();
    }
    checkDatabaseFile(unfinished, MIGRATIONS);
    disableWebhooks(unfinished);
    separateFromHub(unfinished);
    syncFile(unfinished);
    const mockFiles = await copyFiles(join(from, 'mock-files'), join(folder, 'mock-files'));
    const secretsKey = withSecrets && (await copyKey(join(from, 'secrets.key'), join(folder, 'secrets.key')));
    renameSync(unfinished, copied);
    const bytes = sizeOf(copied) + sizeOf(plant);
    return { directory: folder, bytes, mockFiles, secretsKey };
  });
}

async function copyDatabase(database: Database, target: string): Promise<void> {
  makePrivateFile(target);
  await database.backup(target, { progress: () => PAGES_AT_ONCE });
  syncFile(target);
  rmSync(`${target}-journal`, { force: true });
}

/** Copies the files of a folder without subfolders; returns how many. */
async function copyFiles(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0;
  await mkdir(to, { mode: 0o700 });
  const names = (await readdir(from, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name } of names) {
    await copyFile(join(from, name), join(to, name));
    hideFile(join(to, name));
    syncFile(join(to, name));
  }
  return names.length;
}

async function copyKey(from: string, to: string): Promise<boolean> {
  if (!existsSync(from)) return false;
  writePlain(to, readPlain(from, { links: true }));
  syncFile(to);
  return true;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
