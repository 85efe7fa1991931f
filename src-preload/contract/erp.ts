import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import type { ErpRecord } from '#domain/tag/erp';
import { jsonObject } from './schemas.ts';

const record: z.ZodType<ErpRecord, ErpRecord> = z.object({
  id: z.int().positive(),
  tag: z.string(),
  record: jsonObject,
  diagram: z.string(),
  location: z.string(),
  sentAt: z.string(),
});

/** Which records are meant: all, unless something is said. */
const meant = {
  /** The path under which they were sent. */
  tag: z.string().optional(),
  /** Stands in the record or in the path. */
  text: z.string().max(1_000).optional(),
  /** Sent at this moment or later, and before that one; ISO 8601 with an offset. */
  from: z.string().optional(),
  to: z.string().optional(),
};

/** The outbox of the ERP tags. */
export const erp = {
  /** The newest first, a page at a time: `after` is the `next` of the page before. `total` counts the whole outbox. */
  list: oc
    .input(z.object({ ...meant, limit: z.int().min(1).max(10_000).optional(), after: z.int().positive().optional() }))
    .output(z.object({ records: z.array(record), next: z.int().nullable(), total: z.int() })),
  /** The newest first, as CSV with the record as JSON, or as a JSON array. */
  export: oc
    .input(z.object({ ...meant, format: z.enum(['csv', 'json']) }))
    .output(z.object({ text: z.string(), count: z.int() })),
  /** Deletes all records, or those of a tag, or those sent before a moment; what is sent meanwhile stays. */
  clear: oc.input(z.object({ tag: meant.tag, before: z.string().optional() })).output(z.object({ count: z.int() })),
  /** Sent when records were sent or cleared, with the id of the newest (0 where there is none): clients list again. */
  changes: oc.output(eventIterator(z.object({ newest: z.int() }))),
};
