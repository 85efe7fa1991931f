import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { FAILURES, OUTCOMES } from '#domain/run/failures';
import { procedure } from '../procedure.ts';
import { runContext, runReport } from '../schemas.ts';
import { scriptTestText } from '../texts/script-test-text.ts';

const count = z.int().nonnegative();

const site = z.object({
  call: count,
  line: z.int().positive().nullable(),
  nth: z.int().positive(),
  access: z.enum(['read', 'write', 'call']),
  name: z.string(),
  text: z.string(),
});

const cell = z.object({
  site: count,
  failure: z.enum(FAILURES),
  outcome: z.enum(OUTCOMES),
  unchanged: z.boolean(),
  problem: z.string(),
});

const matrix = z.object({
  script: z.string().nullable(),
  sites: z.array(site),
  notTried: count,
  groups: count.exactOptional(),
  cells: z.array(cell),
  warnings: z.array(z.string()),
});

/** What scripts do when their calls fail; docs/scripting/failures.md explains it. */
export const failures = {
  /**
   * Runs a body without saving anything, replays this run once for each failure of each call, and reports progress; the last
   * message is the matrix, and the key of the recorded run. CONFLICT if the run fails without any failure. It ends early
   * when the stream does.
   */
  try: procedure.write
    .input(
      z.object({
        body: z.string(),
        context: runContext,
        /** The saved script whose body this is: `Group/Name` and version. */
        script: z.object({ name: z.string().max(1_000), version: z.int().positive() }).optional(),
        /** Whether calls that are alike are tried one by one, up to the maximum. */
        everyCall: z.boolean().optional(),
      }),
    )
    .output(
      eventIterator(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('progress'), done: count, of: count, leftMs: count }),
          z.object({ kind: z.literal('matrix'), key: z.string(), matrix }),
        ]),
      ),
    ),
  /**
   * The replay of one outcome: its report, and a test that expects what it did, with what the test does not have. NOT_FOUND
   * after a restart, or when later runs have replaced the recorded one.
   */
  cell: procedure.write
    .input(
      z.object({
        key: z.string().max(100),
        call: count,
        name: z.string(),
        failure: z.enum(FAILURES),
        /** The name of the test. */
        title: z.string().max(1_000),
      }),
    )
    .output(z.object({ report: runReport, test: scriptTestText(), lost: z.array(z.string()) })),
};
