import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { Consumer } from '#domain/event/consumer';
import type { ConformanceReport, ConformanceStep, SituationReport } from '#domain/event/conformance';
import { CONFORMANCE_LIMITS } from '#domain/event/conformance';
import { FAULT_KINDS, FAULT_LIMITS } from '#domain/event/consumer';
import { procedure } from '../procedure.ts';

/** The consumers of the events API, and the faults that are injected for them. */

const plan = {
  faults: z.array(z.enum(FAULT_KINDS)).min(1),
  share: z.number().gt(0).max(1),
  latencyMs: z.int().min(0).max(FAULT_LIMITS.latencyMs),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31),
  requests: z.int().min(1).max(FAULT_LIMITS.requests).nullable(),
  seconds: z.int().min(1).max(FAULT_LIMITS.seconds),
};
const failedRequest = z.object({ at: z.string(), method: z.string(), path: z.string(), status: z.int() });

const consumer: z.ZodType<Consumer, Consumer> = z.object({
  name: z.string(),
  program: z.string(),
  address: z.string(),
  firstAt: z.string(),
  lastAt: z.string(),
  requests: z.int(),
  polls: z.int(),
  lastPollAt: z.string().nullable(),
  intervalMs: z.number().nullable(),
  streams: z.int(),
  acknowledged: z.int(),
  unacknowledged: z.object({ count: z.int(), oldestId: z.int(), sentAt: z.string() }).nullable(),
  errors: z.int(),
  lastError: failedRequest.nullable(),
  readOnlyAttempts: z.int(),
  lastReadOnlyAttempt: z.object({ at: z.string(), eventId: z.int(), fields: z.array(z.string()) }).nullable(),
  faults: z.object({ ...plan, injected: z.int(), endsAt: z.string() }).nullable(),
});

const situation: z.ZodType<SituationReport, SituationReport> = z.object({
  name: z.string(),
  title: z.string(),
  expected: z.string(),
  state: z.enum(['passed', 'failed', 'unmet', 'skipped']),
  ms: z.number(),
  events: z.int(),
  acknowledged: z.int(),
  requests: z.int(),
  faults: z.int(),
  findings: z.array(
    z.object({ kind: z.enum(['lost', 'twice', 'hammered', 'absent']), count: z.int(), message: z.string() }),
  ),
  notes: z.array(z.string()),
});

const report: z.ZodType<ConformanceReport, ConformanceReport> = z.object({
  format: z.literal(1),
  state: z.enum(['passed', 'failed', 'cancelled']),
  client: z.string().nullable(),
  consumers: z.array(z.string()),
  others: z.array(z.string()),
  seed: z.int(),
  startedAt: z.string(),
  ms: z.number(),
  version: z.string(),
  events: z.int(),
  lost: z.int(),
  twice: z.int(),
  hammered: z.int(),
  situations: z.array(situation),
});

const step: z.ZodType<ConformanceStep, ConformanceStep> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ready'),
    url: z.string(),
    apiKey: z.string().nullable(),
    situations: z.array(z.object({ name: z.string(), title: z.string() })),
  }),
  z.object({ kind: z.literal('begun'), name: z.string() }),
  z.object({ kind: z.literal('situation'), situation }),
  z.object({ kind: z.literal('done'), report, junit: z.string(), page: z.string() }),
]);

/** Names a run, for `endCheck`; chosen by the caller. */
const checkKey = z.string().min(1).max(100);

export const consumers = {
  /** Since the start of the instance, the last one that was active first; at most 100. */
  list: procedure.read.output(z.array(consumer)),
  /** The list at once, and again after changes, at most once a second. */
  watch: procedure.watch.output(eventIterator(z.array(consumer))),
  /** Replaces the faults of the consumer. NOT_FOUND if there is no consumer of that name. */
  inject: procedure.write.input(z.object({ consumer: z.string().max(1_000), ...plan })).output(z.object({})),
  /** Ends the faults of a consumer, or of all. */
  endFaults: procedure.write
    .input(z.object({ consumer: z.string().max(1_000).optional() }))
    .output(z.object({ ended: z.int() })),
  /**
   * Takes a consumer through the situations of a conformance run, with test events on a port of its own; nothing of the
   * workspace is read or changed. `client` is a name of a consumer, a User-Agent or its first part, or an address; null:
   * every request. PORT_TAKEN if the port is. It ends without a report when the caller leaves.
   */
  check: procedure.write
    .input(
      z.object({
        key: checkKey,
        client: z.string().min(1).max(CONFORMANCE_LIMITS.name).nullable(),
        /** 0 picks a free one. */
        port: z.int().min(0).max(65_535),
        /** Requests need no API key. */
        isOpen: z.boolean(),
        ruleId: z.int().min(1).max(CONFORMANCE_LIMITS.ruleId),
        seed: z.int().min(0).max(CONFORMANCE_LIMITS.seed),
        /** Maximum time without progress of the consumer in a situation. */
        seconds: z.int().min(1).max(CONFORMANCE_LIMITS.seconds),
        /** How long to wait for its first request. */
        waitSeconds: z.int().min(1).max(CONFORMANCE_LIMITS.waitSeconds),
      }),
    )
    .output(eventIterator(step)),
  /** Ends a run early: its stream reports what was done so far. */
  endCheck: procedure.write.input(z.object({ key: checkKey })).output(z.object({})),
};
