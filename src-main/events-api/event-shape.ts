import { z } from 'zod';
import type { AggregationEvent } from '#domain/event';

const id = z.int().positive();

/** An event as the API shows it: the fields of the requirements. */
export const eventShape: z.ZodType<AggregationEvent> = z
  .object({
    AggregationEventId: id.meta({ description: 'Id of the event, never used again. Higher is newer.' }),
    RuleId: id.meta({ description: 'Id of the aggregation rule that fired.' }),
    EventDateTime: z.iso.datetime({ offset: true }).meta({
      description: 'When the rule fired: RFC 3339, local time of the host with offset and milliseconds.',
      examples: ['2026-01-31T06:00:00.000+01:00'],
    }),
    Active: z.boolean().meta({ description: 'True until a client has dealt with the event and set it to false.' }),
    ResultTableName: z.string().meta({ description: 'Table that received the data row of this firing.' }),
    ResultTableRecordId: id.meta({ description: 'Id of the data row in that table.' }),
  })
  .meta({ description: 'One firing of an aggregation rule.' });

/** What a PUT must hold; every other member is ignored. */
export const eventChangeShape = z.looseObject({
  Active: z.boolean().meta({ description: 'false: dealt with; true: active again.' }),
});

export const healthShape = z.object({
  status: z.literal('ok'),
  version: z.string().meta({ description: 'Version of Tagwright.' }),
  time: z.iso.datetime({ offset: true }).meta({ description: 'Now, RFC 3339 in UTC.' }),
});
