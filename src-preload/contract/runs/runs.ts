import { z } from 'zod';
import { procedure } from '../procedure.ts';
import { runContext, runReport } from '../schemas.ts';

export const runs = {
  /**
   * Runs a body to its end. Never fails because of the script: the report has the outcome. Aborting cancels the run.
   */
  execute: procedure.write
    .input(
      z.object({
        body: z.string(),
        context: runContext,
        dryRun: z.boolean(),
        /** The saved script whose body this is, for the journal: `Group/Name` and version. */
        script: z.object({ name: z.string().max(1_000), version: z.int().positive() }).optional(),
        /**
         * A run of a text during editing: always a dry run, within `limits.liveMs` of script time. A crashed host is
         * replaced without a notice.
         */
        live: z.boolean().exactOptional(),
        /** A name for `cancel` that the caller chooses, unique among the current runs. */
        key: z.string().min(1).max(100).optional(),
      }),
    )
    .output(runReport),
  /**
   * Cancels the run of that key, which then returns a report of status `cancelled` to its own caller (aborting
   * `execute` also cancels, but discards the report). False if there is no such run.
   */
  cancel: procedure.write.input(z.object({ key: z.string() })).output(z.object({ cancelled: z.boolean() })),
};
