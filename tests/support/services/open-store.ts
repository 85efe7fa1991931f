import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type OpenStoreOptions,
  openWorkspaceStore,
  type WorkspaceStore,
} from '../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** The database of a new workspace. */
let created: Buffer | null = null;

/**
 * Opens the workspace of a folder. A folder without one gets a copy of a new workspace: creating one takes twice the
 * processor time, and waits several times for the disk. Tests of creating a workspace use `openWorkspaceStore`.
 */
export function openStore(directory = temporaryFolder(), options: OpenStoreOptions = {}): WorkspaceStore {
  const file = join(directory, 'workspace.db');
  if (!existsSync(file)) {
    created ??= newDatabase();
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, created, { mode: 0o600 });
  }
  return openWorkspaceStore(directory, options);
}

function newDatabase(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-'));
  openWorkspaceStore(folder).close();
  const database = readFileSync(join(folder, 'workspace.db'));
  rmSync(folder, { recursive: true });
  return database;
}
