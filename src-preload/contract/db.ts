import { z } from 'zod';
import { json } from './schemas.ts';
import { procedure } from './procedure.ts';

/** plant.db, the database behind the DB tags. */
export const db = {
  /**
   * Runs one statement like a DB tag and returns its result, at most 1,000 rows. A write runs in a transaction that is
   * rolled back. BAD_REQUEST if the statement fails, with `data.issues`; UNAVAILABLE if plant.db fails.
   */
  try: procedure.write
    .input(
      z.object({
        sql: z.string(),
        mode: z.enum(['read', 'write']),
        /** The values of `:value`, `:tagName`, `:diagram` and `:location`. */
        value: json.exactOptional(),
        tagName: z.string().optional(),
        diagram: z.string().nullish(),
        location: z.string().nullish(),
      }),
    )
    .output(
      z.object({
        columns: z.array(z.string()),
        rows: z.array(z.array(json)),
        /** There are more rows than these. */
        more: z.boolean(),
        /** The number of rows that a write changed, before it was rolled back. */
        changes: z.int(),
        ms: z.number(),
      }),
    ),
};
