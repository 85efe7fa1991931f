import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { ErpRecord } from '#domain/tag/erp';
import { json, jsonObject } from '../schemas.ts';
import { procedure } from '../procedure.ts';

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

const record: z.ZodType<ErpRecord, ErpRecord> = z.object({
  id: z.int().positive(),
  tag: z.string(),
  record: jsonObject,
  diagram: z.string(),
  location: z.string(),
  sentAt: z.string(),
});

/** A filter of records; omitted members match everything. */
const filter = {
  /** The original path. */
  tag: z.string().optional(),
  /** A part of the record or of the path. */
  text: z.string().max(1_000).optional(),
  /** Sent at or after this time, and before that one; ISO 8601 with an offset. */
  from: z.string().optional(),
  to: z.string().optional(),
};

/** The outbox of the ERP tags. */
export const erp = {
  /** Newest first, in pages: `after` is the `next` of the previous page. `total` counts the whole outbox. */
  list: procedure.read
    .input(z.object({ ...filter, limit: z.int().min(1).max(10_000).optional(), after: z.int().positive().optional() }))
    .output(z.object({ records: z.array(record), next: z.int().nullable(), total: z.int() })),
  /** Newest first, as CSV with the record as JSON, or as a JSON array. */
  export: procedure.read
    .input(z.object({ ...filter, format: z.enum(['csv', 'json']) }))
    .output(z.object({ text: z.string(), count: z.int() })),
  /** Deletes all records, those of a tag, or those sent before a time; records sent in the meantime stay. */
  clear: procedure.write
    .input(z.object({ tag: filter.tag, before: z.string().optional() }))
    .output(z.object({ count: z.int() })),
  /** Sent when records are sent or cleared, with the id of the newest (0 if there is none): clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ newest: z.int() }))),
};
