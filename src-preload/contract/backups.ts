import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { BackupContents, BackupInfo, RestoreOutcome, WorkspaceContents } from '#domain/workspace/backup';
import { BACKUP_SORTS, CONTENT_SORTS } from '#domain/workspace/backup';

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

/** Copies of the workspace. */
export const backups = {
  /** Newest first. */
  list: oc.output(z.array(backup)),
  /** Copies the workspace now, while it is used; it is checked and stays until somebody deletes it. */
  create: oc.output(backup),
  /** What a backup holds beside what the workspace holds now. */
  contents: oc.input(named).output(compared),
  /**
   * Checks a backup and copies it. After the answer the instance ends all calls, streams and runs, puts the backup in
   * the place of the workspace, keeps what it replaces and opens it: `app.info` has another `startedAt` then, and says
   * in `restored` how it went. What fails leaves the workspace as it was. CONFLICT while another one is under way.
   */
  restore: oc.input(named).output(backup),
};
