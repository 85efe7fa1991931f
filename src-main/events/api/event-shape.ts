import { z } from 'zod';
import type { AggregationEvent } from '#domain/event/event';

const id = z.int().positive();

/** An event as the API shows it: the fields of the requirements. */
export const eventShape: z.ZodType<AggregationEvent> = z
  .object({
    AggregationEventId: id.meta({ description: 'Id of the event, never reused. Higher is newer.' }),
    RuleId: id.meta({ description: 'Id of the aggregation rule that fired.' }),
    EventDateTime: z.iso.datetime({ offset: true }).meta({
      description: 'When the rule fired: RFC 3339, local time of the host with offset and milliseconds.',
      examples: ['2026-01-31T06:00:00.000+01:00'],
    }),
    Active: z.boolean().meta({ description: 'True until a client has handled the event and set it to false.' }),
    ResultTableName: z.string().meta({ description: 'Table that received the data row of this firing.' }),
    ResultTableRecordId: id.meta({ description: 'Id of the data row in that table.' }),
  })
  .meta({ description: 'One firing of an aggregation rule.' });

/** The body of a PUT; every other member is ignored. */
export const eventChangeShape = z.looseObject({
  Active: z.boolean().meta({ description: 'false: handled; true: active again.' }),
});

const healthReason = z.object({
  code: z.string().meta({
    description: 'The type of the problem, for programs to compare.',
    examples: ['storage-full', 'read-only', 'database-lost', 'database-damaged', 'storage-error', 'plant-full'],
  }),
  message: z.string().meta({ description: 'The problem and how to fix it.' }),
});
export type HealthReason = z.infer<typeof healthReason>;

export const healthShape = z.object({
  status: z.enum(['ok', 'degraded']).meta({
    description:
      '`degraded`: events can be read, but changes fail and nothing new is stored; with only `plant-…` reasons, only DB tags fail.',
  }),
  version: z.string().meta({ description: 'Version of Tagwright.' }),
  time: z.iso.datetime({ offset: true }).meta({ description: 'Now, RFC 3339 in UTC.' }),
  reasons: z.array(healthReason).meta({ description: 'Why it is degraded; empty if it is ok.' }),
});
