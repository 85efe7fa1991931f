import { z } from 'zod';
import type { BackupContents, BackupInfo, RestoreOutcome, WorkspaceContents } from '#domain/workspace/backup';
import { BACKUP_SORTS, CONTENT_SORTS } from '#domain/workspace/backup';
import type { RecentWorkspace, WorkspaceCopy } from '#domain/workspace/workspace';
import { procedure } from './procedure.ts';

const recent: z.ZodType<RecentWorkspace, RecentWorkspace> = z.object({
  directory: z.string(),
  openedAt: z.string(),
  state: z.enum(['there', 'gone']),
});
const copy: z.ZodType<WorkspaceCopy, WorkspaceCopy> = z.object({
  directory: z.string(),
  bytes: z.int(),
  mockFiles: z.int(),
  secretsKey: z.boolean(),
});
/** A new or empty folder, as an absolute path. */
const directory = z.string().min(1).max(4_096);

/** The workspaces of this machine; the open one stays open. */
export const workspaces = {
  /** The workspaces that a long-running instance opened, newest first. */
  recent: procedure.read.output(z.array(recent)),
  /** Creates a workspace, with the sample plant or empty. BAD_REQUEST if the folder is not empty. */
  create: procedure.write
    .input(z.object({ directory, sample: z.boolean() }))
    .output(z.object({ directory: z.string() })),
  /**
   * Copies a consistent snapshot of the open workspace, without its backups and logs. BAD_REQUEST if the folder is not
   * empty.
   */
  copy: procedure.write.input(z.object({ directory, withSecrets: z.boolean() })).output(copy),
};

const backup: z.ZodType<BackupInfo, BackupInfo> = z.object({
  name: z.string(),
  sort: z.enum(BACKUP_SORTS),
  madeAt: z.string(),
  bytes: z.int(),
});
const contents: z.ZodType<WorkspaceContents, WorkspaceContents> = z.record(z.enum(CONTENT_SORTS), z.int());
const compared: z.ZodType<BackupContents, BackupContents> = z.object({ backup, holds: contents, now: contents });
export const restoreOutcome: z.ZodType<RestoreOutcome, RestoreOutcome> = z.object({
  backup: z.string(),
  kept: z.string().nullable(),
  problem: z.string().nullable(),
});
const named = z.object({ name: z.string().max(255) });

/** Backups of the workspace. */
export const backups = {
  /** Newest first. */
  list: procedure.read.output(z.array(backup)),
  /** Backs up the workspace now, while it is in use; the backup is checked and stays until someone deletes it. */
  create: procedure.write.output(backup),
  /** Compares the contents of a backup with the workspace. */
  contents: procedure.read.input(named).output(compared),
  /**
   * Checks a backup and copies it. After the response, the instance ends all calls, streams and runs, replaces the
   * workspace with the backup, keeps the replaced one and opens the backup: then `app.info` has another `startedAt`,
   * and the outcome in `restored`. After a failure, the workspace is unchanged. CONFLICT while another restore is
   * running.
   */
  restore: procedure.write.input(named).output(backup),
};
