import { z } from 'zod';
import type {
  CapsuleComparison,
  ComparedRun,
  ComparedText,
  RunDifference,
} from '#domain/run/replays/capsule-comparison';
import type { KeptRun, OpenedCapsule, ReplayWithValues } from '#domain/run/replay';
import { RUN_STATUSES } from '#domain/run/run';
import type { ComparedLine, RunComparison, ValueDifference } from '#domain/run/run-comparison';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { procedure } from '../procedure.ts';
import { shownNotes } from './debug.ts';
import { json, runContext, runReport } from '../schemas.ts';
import { scriptTestText } from '../texts/script-test-text.ts';

const count = z.int().nonnegative();
const scope = { diagram: z.string(), location: z.string() };
const masked = z.object({ places: z.array(z.string()), more: count });
const line = z.int().positive().nullable();

const comparedLines: z.ZodType<ComparedLine[], ComparedLine[]> = z.array(
  z.object({ mark: z.enum(['-', '+', '=']), text: z.string(), line }),
);
const differences: z.ZodType<ValueDifference[], ValueDifference[]> = z.array(
  z.object({ place: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
);
const comparison: z.ZodType<RunComparison, RunComparison> = z.object({
  equal: z.boolean(),
  end: differences,
  result: differences,
  writes: comparedLines,
  calls: comparedLines,
  console: comparedLines,
});

const replay: z.ZodType<ReplayWithValues, ReplayWithValues> = z.object({
  script: z.string().nullable(),
  recordedAt: z.string(),
  product: z.string(),
  intact: z.boolean(),
  edited: z.boolean(),
  report: runReport,
  missing: z
    .object({
      line,
      access: z.enum(['read', 'write', 'call']),
      call: z.string(),
      reason: z.string(),
      nearest: z.array(z.object({ call: count, line, text: z.string() })),
    })
    .nullable(),
  assumed: z.array(z.object({ tag: z.string(), value: json, ...scope, line })),
  comparison,
  warnings: z.array(z.string()),
  values: shownNotes.nullable(),
});

const comparedText: z.ZodType<ComparedText, ComparedText> = z.object({ text: z.string(), line });
const sides = { before: comparedText.nullable(), after: comparedText.nullable() };
const runDifference: z.ZodType<RunDifference, RunDifference> = z.object({
  what: z.enum(['context', 'read', 'API call', 'rejected write', 'executed line', 'write', 'console', 'result', 'end']),
  ...sides,
});
const comparedRun: z.ZodType<ComparedRun, ComparedRun> = z.object({
  script: z.string().nullable(),
  version: z.int().nullable(),
  startedAt: z.string(),
  status: z.enum(RUN_STATUSES),
});
const capsuleComparison: z.ZodType<CapsuleComparison, CapsuleComparison> = z.object({
  equal: z.boolean(),
  runs: z.tuple([comparedRun, comparedRun]),
  sameBody: z.boolean(),
  input: runDifference.nullable(),
  path: runDifference.nullable(),
  pathNote: z.string().nullable(),
  output: runDifference.nullable(),
  exchanges: z.array(z.object({ ...sides, differs: z.boolean() })),
  more: count,
});

const keptRun: z.ZodType<KeptRun, KeptRun> = z.object({
  id: z.int().positive(),
  at: z.string(),
  script: z.object({ name: z.string(), version: z.int() }).nullable(),
  from: z.enum(['window', 'command line']).nullable(),
  status: z.enum(RUN_STATUSES),
  error: z.string().nullable(),
  errorLine: line,
  ms: z.number(),
  dryRun: z.boolean(),
  pinned: z.boolean(),
});

const opened: z.ZodType<OpenedCapsule, OpenedCapsule> = z.object({
  key: z.string(),
  script: z.object({ name: z.string().nullable(), version: z.int().nullable() }),
  body: z.string(),
  context: runContext,
  product: z.string(),
  intact: z.boolean(),
  masked,
  report: runReport,
});

const key = z.string().max(100);

/** Runs that become capsules, and capsules that become replays and tests; docs/scripting/capsules.md explains them. */
export const capsules = {
  /**
   * Runs a body like `runs.execute`, and records what it sees: `capsule` is the text of the capsule (with
   * `gzip` compressed and in Base64), or null with the `problem`. Its clock and random numbers come from the recording. `runs.cancel` cancels it by its key.
   */
  record: procedure.write
    .input(
      z.object({
        body: z.string(),
        context: runContext,
        dryRun: z.boolean(),
        /** The saved script whose body this is: `Group/Name` and version. */
        script: z.object({ name: z.string().max(1_000), version: z.int().positive() }).optional(),
        key: z.string().min(1).max(100).optional(),
        gzip: z.boolean().optional(),
      }),
    )
    .output(z.object({ report: runReport, capsule: z.string().nullable(), problem: z.string().nullable() })),
  /**
   * The newest runs that the journal has in full, at most 50 unless `limit` says otherwise: those of this script, and those
   * of texts that were not saved.
   */
  runs: procedure.read
    .input(z.object({ script: z.string().max(1_000).nullable(), limit: z.int().min(1).max(500).optional() }))
    .output(z.object({ runs: z.array(keptRun) })),
  /**
   * Opens a capsule: the text of a file of at most 8 MB, also compressed with gzip in Base64, or a run of the journal. BAD_REQUEST with the position and the
   * reason for a text that is not a capsule, NOT_FOUND or CONFLICT for a run without one. The last 20 stay open.
   */
  open: procedure.write
    .input(
      z.union([
        z.strictObject({ text: z.string() }),
        z.strictObject({ gzip: z.string() }),
        z.strictObject({ run: z.int().positive() }),
      ]),
    )
    .output(opened),
  /**
   * Replays an open capsule with its body, or with another one, and with `values` notes what variables become. Aborting
   * cancels it. `values: 'steps'` also keeps the order of its
   * steps. NOT_FOUND when it is no longer open.
   */
  replay: procedure.write
    .input(
      z.object({
        key,
        body: z.string().max(SCRIPT_LIMITS.bodyBytes).nullable(),
        values: z.union([z.boolean(), z.literal('steps')]).exactOptional(),
      }),
    )
    .output(replay),
  /**
   * Compares two open capsules: the first difference in input, path and output, and their exchanges side by side. Both are
   * replayed for their paths. Aborting cancels it. NOT_FOUND as of `replay`.
   */
  compare: procedure.write.input(z.object({ before: key, after: key })).output(capsuleComparison),
  /** A test that expects what the recorded run did, and what the test does not have. NOT_FOUND as of `replay`. */
  test: procedure.read
    .input(z.object({ key, name: z.string().max(1_000) }))
    .output(z.object({ test: scriptTestText(), lost: z.array(z.string()) })),
};
