import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { LoggedCall } from '#domain/mock/api-call';
import type { SecretInfo } from '#domain/mock/api-secret';
import { SECRET_LENGTH } from '#domain/mock/api-secret';
import { procedure } from './procedure.ts';
import { apiExchange } from './schemas.ts';
import { secretUsage } from './usage.ts';

const logged: z.ZodType<LoggedCall, LoggedCall> = z.object({
  ...apiExchange,
  seq: z.int().positive(),
  at: z.string(),
  tag: z.string(),
  dryRun: z.boolean(),
  run: z.int().positive().exactOptional(),
  line: z.int().positive().exactOptional(),
});

/** The API calls of every run of this instance: the newest 1,000, masked. */
export const calls = {
  /** The stored calls after that number, oldest first. */
  list: procedure.read
    .input(z.object({ after: z.int().nonnegative().optional(), limit: z.int().min(1).max(1_000).optional() }))
    .output(z.object({ calls: z.array(logged) })),
  /** The stored calls first, then new ones in batches; a slow reader misses some, which `seq` shows. */
  watch: procedure.watch.output(eventIterator(z.array(logged))),
  /** The image in a response, as Base64; null if there is none, or it is no longer stored. */
  image: procedure.read
    .input(z.object({ seq: z.int().positive() }))
    .output(z.object({ base64: z.string().nullable() })),
  clear: procedure.write.output(z.object({ count: z.int() })),
};

const info: z.ZodType<SecretInfo, SecretInfo> = z.object({
  name: z.string(),
  changedAt: z.string(),
  readable: z.boolean(),
});

/** Named secrets, which scripts use as `{{secret:NAME}}`. Values can be set, but never read. */
export const secrets = {
  list: procedure.read.output(z.object({ secrets: z.array(info) })),
  set: procedure.write
    .input(z.object({ name: z.string(), value: z.string().max(SECRET_LENGTH.max * 2) }))
    .output(z.object({})),
  delete: procedure.write.input(z.object({ name: z.string() })).output(z.object({})),
  usage: secretUsage,
  changes: procedure.changes.output(eventIterator(z.object({ name: z.string() }))),
};
