import { z } from 'zod';
import type { BackupContents, BackupInfo, RestoreOutcome, WorkspaceContents } from '#domain/workspace/backup';
import { BACKUP_SORTS, CONTENT_SORTS } from '#domain/workspace/backup';
import { procedure } from './procedure.ts';

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
