import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { ErpRecord } from '#domain/tag/erp';
import { jsonObject } from './schemas.ts';
import { procedure } from './procedure.ts';

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
