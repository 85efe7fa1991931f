import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { TREND_LIMITS } from '#domain/tag/diagram';
import type { TagLoss } from '#domain/tag/tag';
import { MOST_ORDERED, ORDERS_BY } from '#domain/tag/tag-order';
import { procedure } from '../procedure.ts';
import * as s from '../schemas.ts';
import { tagRename, tagsMissing, tagUsage, tagUses } from '../usage.ts';

const none = z.object({});
const page = { limit: z.int().min(1).max(50_000).optional(), after: z.string().optional() };

const tagFile = z.object({ format: z.enum(['csv', 'json']), text: z.string() });
const tagLoss: z.ZodType<TagLoss, TagLoss> = z.object({
  path: z.string(),
  from: z.string(),
  to: z.string(),
  values: z.int().positive(),
});
const refusedRows = z.array(z.object({ row: z.int(), path: z.string(), reason: z.string() }));
/** With `keepValues`, an import that would drop stored values imports nothing, and lists them in `losses`. */
const tagImportInput = tagFile.extend({ keepValues: z.boolean().exactOptional() });
const tagImport = z.object({
  created: z.int(),
  updated: z.int(),
  /** Tags that were already as in the file; absent if there are none. */
  unchanged: z.int().positive().exactOptional(),
  refused: refusedRows,
  /** References of the imported tags to missing items; absent if there are none. */
  missing: z.array(z.object({ path: z.string(), member: z.string(), name: z.string() })).exactOptional(),
  losses: z.array(tagLoss).exactOptional(),
});

export const tags = {
  /** Tags whose path contains every word of `filter`, ordered by path, in pages. */
  list: procedure.read
    .input(z.object({ ...page, filter: z.string().optional() }))
    .output(z.object({ tags: z.array(s.tagDefinition), total: z.int(), next: z.string().nullable() })),
  definition: procedure.read.input(z.object({ path: z.string() })).output(s.tagDefinition),
  /**
   * Creates the tag, or replaces its definition. Its values stay; when its type changes, they are converted if
   * possible, and otherwise dropped; when its kind changes, all are dropped.
   */
  save: procedure.write.input(s.tagDefinition).output(none),
  /** The problems that `save` would report for this definition; saves nothing. */
  problems: procedure.read
    .input(s.tagDefinition)
    .output(
      z.object({ issues: z.array(z.object({ path: z.array(z.union([z.string(), z.int()])), message: z.string() })) }),
    ),
  /** The curve of a machine tag with this definition, which need not be saved. BAD_REQUEST with `data.issues`. */
  preview: procedure.read.input(s.tagDefinition).output(s.signalCurve),
  delete: procedure.write.input(z.object({ paths: z.array(z.string()) })).output(none),
  usage: tagUsage,
  uses: tagUses,
  missing: tagsMissing,
  rename: tagRename,
  /** The number formats of the tags that have one, by path. */
  formats: procedure.read.output(z.record(z.string(), z.string())),
  /** The locations of stored values and of the contexts of scripts, at most 1,000, in natural order. */
  locations: procedure.read.output(z.object({ locations: z.array(z.string()) })),
  /** Completions of a path, best first. */
  complete: procedure.read
    .input(z.object({ text: z.string(), limit: z.int().min(1).max(1_000).optional() }))
    .output(z.object({ tags: z.array(s.tagDefinition), incomplete: z.boolean() })),
  /**
   * The unknown ones of these paths, each once, with the nearest existing paths; these are searched for the first 32
   * only.
   */
  check: procedure.read
    .input(z.object({ paths: z.array(z.string()).max(10_000) }))
    .output(z.object({ unknown: z.array(z.object({ path: z.string(), nearest: z.array(z.string()) })) })),
  /** With `times`, values have `changedAt`, if it is known. */
  get: procedure.read
    .input(z.object({ paths: z.array(z.string()), ...s.scopes, times: z.boolean().exactOptional() }))
    .output(z.array(s.tagValue)),
  /**
   * The tags with a bad quality in the scope, ordered by path, at most 10,000; tags that are not readable at all are
   * omitted. `total` counts all of them, `read` all tags.
   */
  bad: procedure.read
    .input(z.object(s.scopes))
    .output(z.object({ problems: z.array(s.tagProblem), total: z.int(), read: z.int() })),
  /**
   * The order of tags by one reading of each in the scope: by value (numbers, texts in natural order, structures), by
   * quality (the worst first) or by the time of the last change (the oldest first). Unreadable values and unknown times
   * are last in both directions; equal ones keep their order. `order` has places in `paths`.
   */
  order: procedure.read
    .input(
      z.object({
        paths: z.array(z.string()).max(MOST_ORDERED),
        by: z.enum(ORDERS_BY),
        descending: z.boolean().exactOptional(),
        ...s.scopes,
      }),
    )
    .output(z.object({ order: z.array(z.int().nonnegative()), unread: z.int().nonnegative() })),
  /** All or nothing; WRITE_REFUSED with data.failures. Returns the values as written. */
  set: procedure.write.input(z.object({ items: z.array(s.tagWrite), ...s.scopes })).output(z.array(s.tagValue)),
  /** The values of the given tags in the scope: all first, then changed ones, in at most 10 batches a second. */
  watch: procedure.watch
    .input(z.object({ paths: z.array(z.string()).max(50_000), ...s.scopes, times: z.boolean().exactOptional() }))
    .output(eventIterator(z.array(s.tagValue))),
  /**
   * The numbers of machine tags over a past time, at equal steps, computed from their signals: 1 and 0 for Booleans, null
   * while they are bad. Tags whose past can't be computed have no points. Times are ms since 1970 in UTC.
   */
  past: procedure.read
    .input(
      z.object({
        paths: z.array(z.string()).max(TREND_LIMITS.tags),
        from: z.number(),
        to: z.number(),
        points: z.int().min(2).max(1_000),
      }),
    )
    .output(
      z.array(
        z.object({
          path: z.string(),
          points: z.array(z.object({ at: z.number(), value: z.number().nullable() })),
        }),
      ),
    ),
  /** Sent when definitions change: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ total: z.int() }))),
  /** Forces the quality of a machine tag; null clears it. */
  force: procedure.write.input(z.object({ path: z.string(), quality: s.quality.nullable() })).output(none),
  /** Forces one quality of many machine tags, all or none; null clears them. BAD_REQUEST if one is of another kind. */
  forceAll: procedure.write
    .input(z.object({ paths: z.array(z.string()).max(50_000), quality: s.quality.nullable() }))
    .output(none),
  /** Releases the overrides of machine tags, so that they show their signals again. */
  release: procedure.write.input(z.object({ paths: z.array(z.string()) })).output(none),
  /** The values of a storage tag by scope, ordered by Diagram and location; BAD_REQUEST for other kinds. */
  scopes: procedure.read.input(z.object({ path: z.string() })).output(z.object({ values: z.array(s.scopedValue) })),
  /** Clears the value of exactly this scope, so that reads fall back to the next one; does nothing if there is none. */
  clear: procedure.write.input(z.object({ path: z.string(), ...s.scopes })).output(none),
  /**
   * The stored values that an import of the file would drop; callers ask for confirmation first. With `mirror`, also
   * those of the tags that the file does not have. `refused` are the rows with which `import` would reject the file,
   * which then drops nothing; absent if there are none.
   */
  losses: procedure.read
    .input(tagFile.extend({ mirror: z.boolean().exactOptional() }))
    .output(z.object({ losses: z.array(tagLoss), refused: refusedRows.exactOptional() })),
  /** All or nothing: either `refused` is empty and `losses` absent, or nothing was imported. */
  import: procedure.write.input(tagImportInput).output(tagImport),
  /**
   * Like `import`, and reports the progress of its checks, at most ten times a second; the last message has the result.
   * Ending it before that imports nothing.
   */
  importing: procedure.write
    .input(tagImportInput)
    .output(eventIterator(z.object({ checked: z.int(), total: z.int(), done: tagImport.nullable() }))),
  export: procedure.read
    .input(z.object({ format: z.enum(['csv', 'json']), filter: z.string().optional() }))
    .output(z.object({ text: z.string(), count: z.int() })),
};
