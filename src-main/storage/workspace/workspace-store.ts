import { accessSync, constants, existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { ExposedFile } from '../../platform/files/private-files.ts';
import { hideFiles, makePrivateFile } from '../../platform/files/private-files.ts';
import { InTurn } from '../../platform/in-turn.ts';
import { backUp, backupsOf } from '../backups/backups.ts';
import { CommitQueue } from '../commit-queue.ts';
import { openDatabase } from '../database.ts';
import { DiagramRepository } from '../repositories/diagram-repository.ts';
import { DraftRepository } from '../repositories/draft-repository.ts';
import { ErpOutboxRepository } from '../repositories/erp-outbox-repository.ts';
import { EventChangeRepository, EventRepository } from '../events/event-repository.ts';
import { MirrorStateRepository } from '../hub/mirror-state.ts';
import { InstanceLock } from './instance-lock.ts';
import { Journal } from '../journal/journal.ts';
import { MachineOverrideRepository } from '../repositories/machine-override-repository.ts';
import { MockRepository } from '../repositories/mock-repository.ts';
import { makePrivateFolder } from './new-folder.ts';
import { removePrepared } from '../backups/restore-backup.ts';
import { ResultTables } from '../events/result-tables.ts';
import { RuleRepository } from '../repositories/rule-repository.ts';
import { ScriptRepository } from '../repositories/script-repository.ts';
import { RunContextRepository } from '../repositories/run-context-repository.ts';
import { ScriptTestRepository } from '../repositories/script-test-repository.ts';
import { SecretRepository } from '../repositories/secret-repository.ts';
import { SettingsRepository } from '../repositories/settings-repository.ts';
import { codeOf, storageError } from '../storage-error.ts';
import { StorageValueRepository } from '../repositories/storage-value-repository.ts';
import { TagRepository } from '../repositories/tag-repository.ts';
import { WriteIntentRepository } from '../repositories/write-intent-repository.ts';
import { WebhookRepository } from '../events/webhook-repository.ts';
import { WindowRepository } from '../repositories/window-repository.ts';

/** An open workspace: its database, the queue for all writes, and the repositories. */
export interface WorkspaceStore {
  /** Absolute path of the folder. */
  readonly directory: string;
  /** Whether this open created the workspace. */
  readonly created: boolean;
  /** Files that others may read, because this user cannot change their permissions. */
  readonly exposed: readonly ExposedFile[];
  /**
   * Size of the write-ahead log in bytes that a process left when it did not stop normally, and that this open
   * recovered.
   */
  readonly recoveredBytes: number;
  readonly clock: Clock;
  readonly lock: InstanceLock;
  readonly database: Database;
  readonly commits: CommitQueue;
  readonly journal: Journal;
  readonly scripts: ScriptRepository;
  readonly drafts: DraftRepository;
  readonly diagrams: DiagramRepository;
  readonly scriptTests: ScriptTestRepository;
  readonly runContexts: RunContextRepository;
  readonly settings: SettingsRepository;
  readonly tags: TagRepository;
  readonly values: StorageValueRepository;
  readonly overrides: MachineOverrideRepository;
  readonly outbox: ErpOutboxRepository;
  readonly intents: WriteIntentRepository;
  readonly mocks: MockRepository;
  readonly secrets: SecretRepository;
  readonly events: EventRepository;
  readonly eventChanges: EventChangeRepository;
  readonly webhooks: WebhookRepository;
  readonly mirrorState: MirrorStateRepository;
  readonly rules: RuleRepository;
  readonly windows: WindowRepository;
  readonly results: ResultTables;
  /**
   * Copies the database into `backups/` while it is in use, if the newest copy is older than `ms` or there is none;
   * keeps the newest five. Resolves with the path of the new copy, or null if none was needed or the workspace was
   * closed in the meantime.
   */
  backupIfOlderThan(ms: number): Promise<string | null>;
  /** Copies the database into `backups/` now, while it is in use; that copy stays. Resolves with its path. */
  backUpNow(): Promise<string>;
  /**
   * Commits waiting jobs, moves the WAL into the file and releases the workspace, unless the caller that opened it
   * passed the lock. May be called twice.
   */
  close(): void;
}

export interface OpenStoreOptions {
  clock?: Clock;
  /** A lock of this workspace that the caller holds, and releases itself after `close`. */
  lock?: InstanceLock | undefined;
}

/**
 * Opens the workspace folder, creating a missing one, and holds it until `close()`.
 *
 * Throws WORKSPACE_LOCKED, WORKSPACE_NEWER, WORKSPACE_DAMAGED, WORKSPACE_READ_ONLY, STORAGE_FULL, or BAD_REQUEST if the
 * path is that of a file.
 */
export function openWorkspaceStore(directory: string, options: OpenStoreOptions = {}): WorkspaceStore {
  const { clock = systemClock } = options;
  const folder = resolve(directory);
  const file = join(folder, 'workspace.db');
  const lock = options.lock ?? lockWorkspace(folder, clock);
  const release = () => {
    if (!options.lock) lock.release();
  };
  try {
    removePrepared(file);
    const exposed = hideFiles(folder);
    const created = !existsSync(file);
    const recoveredBytes = created ? 0 : sizeOf(`${file}-wal`);
    const database = openDatabase(file, { clock });
    reserveJournal(file);
    return storeOf(database, { directory: folder, created, clock, lock, exposed, recoveredBytes }, release);
  } catch (thrown) {
    release();
    throw storageError(thrown, file);
  }
}

/** Creates a missing folder, and acquires its lock. Throws the errors of `openWorkspaceStore`, which then reads it. */
export function lockWorkspace(directory: string, clock: Clock = systemClock): InstanceLock {
  const folder = resolve(directory);
  makeFolder(folder);
  checkWritable(folder, join(folder, 'workspace.db'));
  return InstanceLock.acquire(folder, clock);
}

function storeOf(
  database: Database,
  opened: Pick<WorkspaceStore, 'directory' | 'created' | 'clock' | 'lock' | 'exposed' | 'recoveredBytes'>,
  release: () => void,
): WorkspaceStore {
  const commits = new CommitQueue(database, opened.clock);
  // A process that ends removes unfinished files of others.
  const backups = new InTurn();
  const closing = new AbortController();
  const events = new EventRepository(database);
  const journal = new Journal(database, commits, opened.clock);
  return {
    ...opened,
    database,
    commits,
    journal,
    scripts: new ScriptRepository(database),
    drafts: new DraftRepository(database),
    diagrams: new DiagramRepository(database),
    scriptTests: new ScriptTestRepository(database),
    runContexts: new RunContextRepository(database),
    settings: new SettingsRepository(database),
    tags: new TagRepository(database),
    values: new StorageValueRepository(database),
    overrides: new MachineOverrideRepository(database),
    outbox: new ErpOutboxRepository(database),
    intents: new WriteIntentRepository(database),
    mocks: new MockRepository(database),
    secrets: new SecretRepository(database),
    events,
    eventChanges: new EventChangeRepository(database, events),
    webhooks: new WebhookRepository(database),
    mirrorState: new MirrorStateRepository(database),
    rules: new RuleRepository(database),
    windows: new WindowRepository(database),
    results: new ResultTables(database),

    async backupIfOlderThan(ms) {
      const newest = backupsOf(database.name)[0];
      if (newest && opened.clock.now() - newest.at <= ms) return null;
      try {
        return await backups.run(() => backUp(database, opened.clock, 'regular', closing.signal));
      } catch (thrown) {
        if (!database.open) return null;
        throw storageError(thrown, database.name);
      }
    },

    async backUpNow() {
      try {
        return await backups.run(() => backUp(database, opened.clock, 'manual', closing.signal));
      } catch (thrown) {
        throw storageError(thrown, database.name);
      }
    },

    close() {
      if (!database.open) return;
      closing.abort();
      try {
        void journal.flush();
        commits.close();
        rmSync(journalOf(database.name), { force: true });
        // Closing the last connection checkpoints the WAL.
        database.close();
      } finally {
        release();
      }
    },
  };
}

/** SQLite looks for it next to the target of a link. */
const journalOf = (file: string): string => `${realpathSync(file)}-journal`;

/**
 * Creates an empty journal, which SQLite ignores. Hosts that run SQL cannot reach files that exist when they start, so
 * none of them can create a journal that prevents the next start. No program needs one while the workspace is held,
 * because the database then has a write-ahead log, so `close` deletes it.
 */
function reserveJournal(file: string): void {
  try {
    makePrivateFile(journalOf(file));
  } catch {
    // It was left by a process that was killed, or the disk is full.
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (thrown) {
    const known = storageError(thrown, folder);
    if (known !== thrown) throw known;
    const details = { data: { directory: folder }, cause: thrown };
    const code = codeOf(thrown);
    // The error of Node if the parent folder cannot be written.
    if (code === 'ENOENT') {
      throw new TagwrightError(
        'WORKSPACE_READ_ONLY',
        `"${folder}" cannot be created. Give this user write permission for its parent folder, or choose another workspace.`,
        details,
      );
    }
    const reason = code === 'EEXIST' || code === 'ENOTDIR' ? 'is a file, or inside one' : `cannot be created (${code})`;
    throw new TagwrightError('BAD_REQUEST', `"${folder}" ${reason}. Choose another folder for the workspace.`, details);
  }
}

/** Checked before anything is opened, so that a read-only workspace stays exactly as it is. */
function checkWritable(folder: string, file: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}
