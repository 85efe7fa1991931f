import { oc } from '@orpc/contract';
import { z } from 'zod';
import { json } from './schemas.ts';

/** plant.db, the database behind the DB tags. */
export const db = {
  /**
   * Runs one statement as a DB tag does and shows what it gives, at most 1,000 rows of it. A write runs in a transaction
   * that is rolled back. BAD_REQUEST where the statement fails, with `data.issues`; UNAVAILABLE where plant.db does.
   */
  try: oc
    .input(
      z.object({
        sql: z.string(),
        mode: z.enum(['read', 'write']),
        /** What `:value`, `:tagName`, `:diagram` and `:location` stand for. */
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
        /** Rows that a write changed, before it was rolled back. */
        changes: z.int(),
        ms: z.number(),
      }),
    ),
};
