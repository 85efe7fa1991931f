import { z } from 'zod';
import { API_OPERATIONS } from '#domain/mock/api-call';
import {
  type Capsule,
  CAPSULE_FORMAT,
  CAPSULE_VERSION,
  MAX_MASKED_PLACES,
  MAX_SCRIPT_MS,
  MAX_TOTAL_MS,
  type RecordedCall,
} from '#domain/run/capsule';
import type {
  CapsuleComparison,
  ComparedRun,
  ComparedText,
  RunDifference,
} from '#domain/run/replays/capsule-comparison';
import { MAX_CLOCK_STEPS } from '#domain/run/clock-readings';
import type { KeptRun, OpenedCapsule, ReplayWithValues } from '#domain/run/replay';
import { RUN_STATUSES } from '#domain/run/run';
import type { ComparedLine, RunComparison, ValueDifference } from '#domain/run/run-comparison';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { TAG_KINDS } from '#domain/tag/tag';
import { procedure } from '../procedure.ts';
import { shownNotes } from './debug.ts';
import { apiExchange, json, quality, resultType, runContext, runReport, writeFailure } from '../schemas.ts';
import { scriptTestText } from '../script-tests.ts';

/** An IANA name, or an offset: that is what the engine reports for `TZ=GMT+2`. */
const TIME_ZONE = /^(?:[A-Za-z][\w+/-]{1,63}|[+-]\d\d:00)$/;

const count = z.int().nonnegative();
const place = { call: z.int().positive(), line: z.int().positive().nullable(), clock: count };
const scope = { diagram: z.string(), location: z.string() };
const error = z.strictObject({ message: z.string(), failures: z.array(writeFailure).exactOptional() }).exactOptional();

const value = {
  path: z.string(),
  value: json,
  quality,
  type: resultType,
  reason: z.string().exactOptional(),
  overridden: z.literal(true).exactOptional(),
  forced: z.literal(true).exactOptional(),
  changedAt: z.string().exactOptional(),
};

const unfit = z.union([
  z.strictObject({ digits: z.string() }),
  z.strictObject({ lost: z.string() }),
  z.strictObject({ problem: z.string() }),
]);

const call: z.ZodType<RecordedCall, RecordedCall> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('get'),
    ...place,
    ...scope,
    paths: z.array(z.string()).exactOptional(),
    values: z.array(z.strictObject(value)).exactOptional(),
    error,
  }),
  z.strictObject({
    kind: z.literal('set'),
    ...place,
    ...scope,
    items: z.array(z.strictObject({ tag: z.string(), value: json, unfit: unfit.exactOptional() })),
    written: z.array(z.strictObject({ ...value, before: json.exactOptional() })).exactOptional(),
    error,
  }),
  z.strictObject({
    kind: z.literal('api'),
    ...place,
    operation: z.enum(API_OPERATIONS),
    args: z.array(z.union([z.string(), z.null(), z.strictObject({ not: z.string().max(20) })])).max(9),
    response: z
      .strictObject({
        success: z.boolean(),
        statusCode: z.string(),
        errorMessage: z.string().nullable(),
        responseObject: z.string().nullable(),
        responseHeaders: z.record(z.string(), z.string()).exactOptional(),
        image: z.base64().exactOptional(),
      })
      .exactOptional(),
    exchange: z.object(apiExchange).exactOptional(),
  }),
]);

/** A capsule in its file (docs/scripting/capsules.md). Values of settings are within the ranges of the settings. */
export const capsule: z.ZodType<Capsule, Capsule> = z.strictObject({
  format: z.literal(CAPSULE_FORMAT),
  version: z.literal(CAPSULE_VERSION),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'Expected sha256: and 64 hexadecimal digits'),
  product: z.string().max(100),
  script: z.strictObject({
    name: z.string().nullable(),
    version: z.int().positive().nullable(),
    body: z.array(z.string().max(SCRIPT_LIMITS.bodyBytes)).min(1),
  }),
  context: runContext,
  limits: z.strictObject({
    scriptMs: z.number().positive().max(MAX_SCRIPT_MS),
    totalMs: z.number().positive().max(MAX_TOTAL_MS),
    memoryMb: z.int().min(16).max(4_096),
    consoleEntries: z.int().min(0).max(100_000),
    resultBytes: z
      .int()
      .min(1)
      .max(256 * 1_048_576),
    processorMs: z.number().positive().max(MAX_SCRIPT_MS).exactOptional(),
    calls: z.int().positive().exactOptional(),
  }),
  environment: z.strictObject({
    // It becomes a part of the environment of a process. A name that the engine does not know is reported by the replay.
    timeZone: z.string().regex(TIME_ZONE, 'Expected the name of a time zone, such as Europe/Paris'),
    locale: z.string().regex(/^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,8}$/, 'Expected a locale, such as en-US'),
    clock: z.strictObject({
      start: z.int(),
      steps: z.array(z.tuple([z.int().positive(), z.int()])).max(MAX_CLOCK_STEPS),
      ticks: z.literal(true).exactOptional(),
    }),
    seed: z.string().regex(/^[0-9a-f]{64}$/, 'Expected 64 hexadecimal digits'),
  }),
  masked: z.strictObject({ places: z.array(z.string()).max(MAX_MASKED_PLACES), more: count }),
  tags: z.array(z.strictObject({ path: z.string(), kind: z.enum(TAG_KINDS), type: resultType })),
  calls: z.array(call),
  report: runReport,
});

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
    .output(z.object({ test: scriptTestText, lost: z.array(z.string()) })),
};
