import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { BackupInfo, WorkspaceContents } from '#domain/workspace/backup';
import { TagwrightError } from '../../platform/errors.ts';
import type { Backup } from './backups.ts';
import { backupFolderOf, backupsOf } from './backups.ts';
import type { SchemaReader } from '../database-check.ts';
import { checkDatabaseFile, readDatabaseFile, rowsOf } from '../database-check.ts';
import { MIGRATIONS } from '../migrations/index.ts';

/** The backup with this name. Throws NOT_FOUND, which lists the existing ones. */
export function findBackup(file: string, name: string): Backup {
  const all = backupsOf(file);
  const found = all.find(({ path }) => basename(path) === name);
  if (found) return found;
  const which =
    all.length === 0 ? 'There is none.' : `The backups are: ${all.map(({ path }) => basename(path)).join(', ')}.`;
  throw new TagwrightError('NOT_FOUND', `There is no backup "${name}" in "${backupFolderOf(file)}". ${which}`);
}

/** The facts about a backup that need no reading. */
export function backupInfo({ path, sort, at }: Backup): BackupInfo {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return { name: basename(path), sort, madeAt: new Date(at).toISOString(), bytes };
}

/** Checks a backup like a workspace that is opened. Throws WORKSPACE_DAMAGED or WORKSPACE_NEWER. */
export function checkBackup(file: string, { path }: Backup): void {
  try {
    checkDatabaseFile(path, MIGRATIONS);
  } catch (thrown) {
    throw thrown instanceof TagwrightError ? ofBackup(file, path, thrown) : thrown;
  }
}

/** The advice for a damaged workspace does not help with a backup. */
function ofBackup(file: string, path: string, refused: TagwrightError): unknown {
  const others = backupsOf(file).flatMap((backup) => (backup.path === path ? [] : [backup.path]));
  const { code, data, cause } = refused;
  const reason = typeof data['reason'] === 'string' ? `: ${data['reason']}` : '';
  const [newest] = others;
  const other = newest === undefined ? 'There is no other backup.' : `Choose another one, such as ${basename(newest)}.`;
  if (code === 'WORKSPACE_DAMAGED') {
    return new TagwrightError(
      code,
      `The backup "${basename(path)}" cannot be read${reason}. Nothing was changed. ${other}`,
      {
        data: { ...data, backups: others },
        cause,
      },
    );
  }
  if (code !== 'WORKSPACE_NEWER') return refused;
  return new TagwrightError(
    code,
    `The backup "${basename(path)}" was made by a newer version of Tagwright. Nothing was changed. Update Tagwright, or choose another backup.`,
    { data, cause },
  );
}

/** The contents of a backup. Throws the errors of `checkBackup`. */
export function contentsOfBackup(file: string, backup: Backup): WorkspaceContents {
  checkBackup(file, backup);
  return readDatabaseFile(backup.path, (database) => contentsOf(rowsOf(database)));
}

/** Counts the contents of a workspace of this or an earlier schema. */
export function contentsOf(database: SchemaReader): WorkspaceContents {
  const tables = new Set(
    database.rows(`SELECT name FROM sqlite_schema WHERE type = 'table'`).map((table) => table['name']),
  );
  const count = (table: string, where = '') =>
    tables.has(table) ? Number(database.rows(`SELECT count(*) AS count FROM ${table} ${where}`)[0]?.['count'] ?? 0) : 0;
  return {
    scripts: count('scripts', 'WHERE deleted_at IS NULL'),
    tests: count('script_tests'),
    tags: count('tags'),
    rules: count('rules', 'WHERE deleted_at IS NULL'),
    events: count('events'),
    mocks: count('api_mocks'),
    diagrams: count('diagrams'),
    drafts: count('drafts'),
  };
}
