import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { procedure } from './procedure.ts';
import * as s from './schemas.ts';
import { scriptUsage } from './usage.ts';

const none = z.object({});
const id = z.object({ id: z.int().positive() });

export const groups = {
  create: procedure.write.input(z.object({ name: z.string() })).output(none),
  rename: procedure.write.input(z.object({ name: z.string(), newName: z.string() })).output(none),
  /** CONFLICT while the group contains scripts. */
  delete: procedure.write.input(z.object({ name: z.string() })).output(none),
};

export const scripts = {
  list: procedure.read.output(z.object({ groups: z.array(z.string()), scripts: z.array(s.scriptSummary) })),
  get: procedure.read.input(z.union([id, z.object({ group: z.string(), name: z.string() })])).output(s.script),
  /**
   * Saves a new version. Without `id` a new script (CONFLICT if the name is taken); with `id` that script, where a
   * `baseVersion` other than the current one is a CONFLICT whose data.current is the stored version. `draft` is the key
   * of the draft that becomes the version, and is discarded. Drafts of other windows stay.
   */
  save: procedure.write
    .input(
      z.object({
        ...s.scriptText,
        id: z.int().positive().optional(),
        baseVersion: z.int().nonnegative().optional(),
        draft: z.string().max(100).optional(),
      }),
    )
    .output(s.script),
  /** Deleted scripts keep their versions and can be restored. */
  delete: procedure.write.input(id).output(none),
  restore: procedure.write.input(id).output(s.script),
  /** The changes of each save, newest first, without the bodies. */
  history: procedure.read.input(id).output(z.array(s.scriptRevision)),
  /** One saved version with its body. */
  version: procedure.read
    .input(z.object({ id: z.int().positive(), version: z.int().positive() }))
    .output(s.scriptVersion),
  /** Every saved version, newest first. */
  versions: procedure.read.input(id).output(z.array(s.scriptVersion)),
  /**
   * The scripts whose versions had these names, each `Group/Name`, at these times; null for unknown ones. Their current
   * version is null if they were deleted.
   */
  named: procedure.read
    .input(z.object({ versions: z.array(s.namedVersion).max(1_000) }))
    .output(z.array(z.object({ id: z.int(), version: z.int().nullable() }).nullable())),
  usage: scriptUsage,
  /** Sent when the library changes: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ scriptId: z.int().nullable() }))),
};

export const drafts = {
  list: procedure.read.output(z.array(s.draft)),
  get: procedure.read.input(z.object({ key: z.string() })).output(s.draft),
  /**
   * All drafts without their texts, and again after each change. `window` is open, and owns its drafts, as long as it
   * follows them.
   */
  follow: procedure.watch
    .input(z.object({ window: z.string().min(1).max(50) }))
    .output(eventIterator(z.array(s.draftSummary))),
  /** Gives the draft of a closed window to this one. CONFLICT while its window is open, or if this one has its own. */
  take: procedure.write.input(z.object({ key: z.string(), window: z.string().min(1).max(50) })).output(s.draft),
  put: procedure.write.input(s.draft).output(none),
  discard: procedure.write.input(z.object({ key: z.string() })).output(none),
};
