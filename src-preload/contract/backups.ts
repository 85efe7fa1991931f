import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { BackupInfo } from '#domain/backup';
import { BACKUP_SORTS } from '#domain/backup';

const backup: z.ZodType<BackupInfo, BackupInfo> = z.object({
  name: z.string(),
  sort: z.enum(BACKUP_SORTS),
  madeAt: z.string(),
  bytes: z.int(),
});

/** Copies of the workspace. One is restored by the command line while no instance holds the workspace. */
export const backups = {
  /** Newest first. */
  list: oc.output(z.array(backup)),
  /** Copies the workspace now, while it is used; it is checked and stays until somebody deletes it. */
  create: oc.output(backup),
};
