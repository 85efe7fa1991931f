import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { hubStatus } from './events/hub.ts';
import { procedure } from './procedure.ts';
import { eventsApiStatus } from './schemas.ts';
import { restoreOutcome } from './workspaces.ts';

export const app = {
  info: procedure.read.output(
    z.object({
      version: z.string(),
      workspace: z.string(),
      pid: z.int(),
      /** The base URL of the events API, and the reason if it does not listen. */
      eventsApi: z.string().nullable(),
      eventsApiProblem: z.string().nullable(),
      ui: z.string().nullable(),
      /** When the workspace was opened; identifies the opening. */
      startedAt: z.string(),
      /** The outcome of the restore that opened it; null after a normal start. */
      restored: restoreOutcome.nullable(),
      /** What the operating system enforces on the processes that run scripts and SQL. */
      sandbox: z.object({
        system: z.string(),
        protection: z.enum(['full', 'partial', 'none']),
        layers: z.array(z.object({ name: z.string(), active: z.boolean(), reason: z.string() })),
        summary: z.string(),
      }),
    }),
  ),
  /**
   * Ends the sessions of all browsers with their windows, including this one, and all unused links. Programs stay
   * connected.
   */
  signOut: procedure.write.output(z.object({ sessions: z.int().nonnegative() })),
  /** The status of the instance, first in full and then on every change. */
  status: procedure.watch.output(
    eventIterator(
      z.object({
        hosts: z.object({
          idle: z.int(),
          busy: z.int(),
          starting: z.int(),
          restarts: z.int(),
          /** Busy hosts whose scripts wait for the network; absent for none. */
          waiting: z.int().exactOptional(),
          /** How many can wait without delaying others, by their memory now; absent if none waits. */
          waitingMost: z.int().exactOptional(),
          /** Runs that wait for a host; absent for none. */
          queued: z.int().exactOptional(),
          /** Queued runs that are held back because others of their script wait and no more can; absent for none. */
          held: z.int().exactOptional(),
          /** Hosts ended because they broke the protocol; absent for none. */
          protocolViolations: z.int().exactOptional(),
          /** Why no host can be started; absent while they can. */
          problem: z.string().exactOptional(),
        }),
        lastSavedAt: z.string().nullable(),
        eventsApi: eventsApiStatus,
        /** The mirror of the workspace at a hub; absent if no hub is set. */
        hub: hubStatus.exactOptional(),
      }),
    ),
  ),
};
