import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { RecentWorkspace, WorkspaceCopy } from '#domain/workspace/workspace';

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
/** A folder that is new or empty, as an absolute path. */
const directory = z.string().min(1).max(4_096);

/** Workspaces of this machine; the one that is open stays open. */
export const workspaces = {
  /** Those that were opened by an instance that lives long, the newest first. */
  recent: oc.output(z.array(recent)),
  /** Makes a workspace, with the sample plant or empty. BAD_REQUEST for a folder that holds something. */
  create: oc.input(z.object({ directory, sample: z.boolean() })).output(z.object({ directory: z.string() })),
  /**
   * Copies the open workspace as it is at one moment, without its backups and logs. BAD_REQUEST for a folder that holds
   * something.
   */
  copy: oc.input(z.object({ directory, withSecrets: z.boolean() })).output(copy),
};
