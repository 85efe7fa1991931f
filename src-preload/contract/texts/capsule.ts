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
import { MAX_CLOCK_STEPS } from '#domain/run/clock-readings';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { TAG_KINDS } from '#domain/tag/tag';
import { apiExchange, json, ofTagValue, resultType, runContext, runReport, writeFailure } from '../schemas.ts';
import { onFirstUse } from './on-first-use.ts';

/** An IANA name, or an offset: that is what the engine reports for `TZ=GMT+2`. */
const TIME_ZONE = /^(?:[A-Za-z][\w+/-]{1,63}|[+-]\d\d:00)$/;

/** A capsule in its file (docs/scripting/capsules.md). Values of settings are within the ranges of the settings. */
export const capsule = onFirstUse((): z.ZodType<Capsule, Capsule> => {
  const count = z.int().nonnegative();
  const place = { call: z.int().positive(), line: z.int().positive().nullable(), clock: count };
  const scope = { diagram: z.string(), location: z.string() };
  const error = z
    .strictObject({ message: z.string(), failures: z.array(writeFailure).exactOptional() })
    .exactOptional();

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
      values: z.array(z.strictObject(ofTagValue)).exactOptional(),
      error,
    }),
    z.strictObject({
      kind: z.literal('set'),
      ...place,
      ...scope,
      items: z.array(z.strictObject({ tag: z.string(), value: json, unfit: unfit.exactOptional() })),
      written: z.array(z.strictObject({ ...ofTagValue, before: json.exactOptional() })).exactOptional(),
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

  return z.strictObject({
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
});
