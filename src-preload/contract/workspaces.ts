import { z } from 'zod';
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
