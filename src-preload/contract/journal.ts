import { z } from 'zod';
import { JOURNAL_KINDS } from '#domain/run/journal';
import type { TagHistory, TagUser } from '#domain/run/tag-history';
import type { Why, WhyLine } from '#domain/run/why';
import { MAX_SCOPE_LENGTH } from '#domain/tag/scope';
import { procedure } from './procedure.ts';
import { json, quality, runReport } from './schemas.ts';

const id = z.object({ id: z.int().positive() });
const time = z.iso.datetime({ offset: true });

const name = z.string().max(MAX_SCOPE_LENGTH);

const line: z.ZodType<WhyLine, WhyLine> = z.object({
  depth: z.int().nonnegative(),
  at: z.string(),
  kind: z.enum([...JOURNAL_KINDS, 'run', 'request', 'call']),
  action: z.string(),
  actor: z.string(),
  before: json.exactOptional(),
  after: json.exactOptional(),
  script: z.object({ name: z.string(), version: z.int() }).exactOptional(),
  line: z.int().positive().exactOptional(),
  by: z
    .object({ script: z.object({ name: z.string(), version: z.int() }), line: z.int().positive().exactOptional() })
    .exactOptional(),
  request: z.object({ method: z.string(), address: z.string() }).exactOptional(),
  tag: z.string().exactOptional(),
  rule: z.object({ id: z.int(), name: z.string() }).exactOptional(),
  event: z.int().positive().exactOptional(),
  count: z
    .object({
      runs: z.int(),
      failed: z.int(),
      from: z.string(),
      to: z.string(),
      meanMs: z.number(),
      longestMs: z.number(),
      sample: z.int().nullable(),
    })
    .exactOptional(),
  entry: z.int().nonnegative(),
  thing: z.string().exactOptional(),
});

const why: z.ZodType<Why, Why> = z.object({
  thing: z.string(),
  since: z.string().nullable(),
  problem: z.string().nullable(),
  causes: z.array(line),
  window: z
    .object({
      start: z.string(),
      end: z.string(),
      samples: z.int(),
      badSamples: z.int(),
      rule: z.string(),
      savedAt: z.string(),
      condition: z.string(),
      values: z.record(z.string(), json),
      list: z.array(
        z.object({
          at: z.string(),
          tag: z.string(),
          value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
          quality: quality.exactOptional(),
          current: z.literal(true).exactOptional(),
        }),
      ),
    })
    .nullable(),
  effects: z.array(line),
});

const tagUser: z.ZodType<TagUser, TagUser> = z.object({
  actor: z.string(),
  script: z.object({ name: z.string(), version: z.int() }).exactOptional(),
  line: z.int().positive().exactOptional(),
  count: z.int().positive(),
  at: z.string(),
  thing: z.string().exactOptional(),
});

const tagHistory: z.ZodType<TagHistory, TagHistory> = z.object({
  writers: z.array(tagUser),
  readers: z.array(tagUser),
  entries: z.int().nonnegative(),
  runs: z.int().nonnegative(),
  isComplete: z.boolean(),
});

const thing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), path: z.string().max(1_000) }),
  z.object({ kind: z.literal('event'), id: z.int().positive() }),
  z.object({ kind: z.literal('row'), table: z.string().max(1_000), row: z.int().positive() }),
  z.object({ kind: z.literal('run'), run: z.int().positive() }),
  ...(['rule', 'request', 'call', 'erp'] as const).map((kind) =>
    z.object({ kind: z.literal(kind), id: z.int().positive() }),
  ),
]);

/** Which entries to select; omitted filters match everything. */
const filter = {
  /** Runs are `run`. */
  kind: z.enum([...JOURNAL_KINDS, 'run']).optional(),
  tag: z.string().optional(),
  /** Contained in the action or the actor, regardless of case. */
  text: z.string().max(1_000).optional(),
  from: time.optional(),
  to: time.optional(),
};

/** What led to changes. */
export const journal = {
  /** When the journal begins, how many bytes it has, and whether changes are recorded. */
  status: procedure.read.output(
    z.object({ since: z.string().nullable(), bytes: z.int().nonnegative(), recording: z.boolean() }),
  ),
  /**
   * Entries and runs, newest first, in pages: `next` is the `below` of the next page, null at the end. A page reads at
   * most 20,000 entries, so with a filter it may have fewer than `limit`, or none.
   */
  list: procedure.read
    .input(z.object({ ...filter, limit: z.int().min(1).max(1_000).optional(), below: z.int().positive().optional() }))
    .output(z.object({ entries: z.array(z.object({ kind: z.string(), line })), next: z.int().nullable() })),
  /** An entry or a run: its line, its values, and the report of a run that is stored in full. NOT_FOUND. */
  get: procedure.read.input(id).output(
    z.object({
      line,
      /** The lines of its values. */
      values: z.array(line),
      /** `body` is the text that ran. It and the report are null if the run is not stored in full. */
      run: z
        .object({ pinned: z.boolean(), full: z.boolean(), report: runReport.nullable(), body: z.string().nullable() })
        .nullable(),
    }),
  ),
  /**
   * What led to the state of a thing, and what followed. With `at`, as it was then. With `scope`, the value of a tag that
   * this scope sees, otherwise the last one in any scope.
   */
  why: procedure.read
    .input(z.object({ thing, at: time.optional(), scope: z.object({ diagram: name, location: name }).optional() }))
    .output(why),
  /** Who wrote a tag, and who read it; empty for a tag that does not exist. */
  tag: procedure.read.input(z.object({ path: z.string().max(1_000) })).output(tagHistory),
  /** Pins or unpins a run. Throws NOT_FOUND. */
  pin: procedure.write.input(z.object({ id: z.int().positive(), pinned: z.boolean() })).output(z.object({})),
  /** Deletes all entries, and all runs that are not pinned. */
  clear: procedure.write.output(z.object({})),
  /** The newest entries as a JSON array with one of them on each line, at most 100,000. */
  export: procedure.read.input(z.object(filter)).output(z.object({ text: z.string(), count: z.int() })),
  /** The capsule of a run: its text, with `gzip` compressed and in Base64, or why there is none. NOT_FOUND. */
  capsule: procedure.read
    .input(z.object({ id: z.int().positive(), gzip: z.boolean().optional() }))
    .output(z.object({ capsule: z.string().nullable(), problem: z.string().nullable() })),
};
