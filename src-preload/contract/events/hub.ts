import { z } from 'zod';
import type { HubStatus } from '#domain/event/hub';
import { HUB_STATES } from '#domain/event/hub';
import { procedure } from '../procedure.ts';

export const hubStatus: z.ZodType<HubStatus, HubStatus> = z.object({
  state: z.enum(HUB_STATES),
  site: z.string(),
  url: z.string(),
  seq: z.int().nullable(),
  listed: z.int().nullable(),
  waiting: z.int().nullable(),
  mirroredAt: z.string().nullable(),
  applied: z.int(),
  problem: z.string().nullable(),
});

/** The mirror of the workspace at a hub. */
export const hub = {
  status: procedure.read.output(hubStatus),
  /** Makes this workspace the valid one of its site. Fails with CONFLICT without a hub. */
  rejoin: procedure.write.output(z.object({})),
};
