import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { Consumer } from '#domain/event/consumer';
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
};
