import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { AggregationEvent, EventChanges } from '#domain/event/event';
import type { RulePreview } from '#domain/rule/rule-preview';
import type { PreviewedWindow, Rule, RuleState, RuleText } from '#domain/rule/rule';
import { COLUMN_TYPES, REDUCERS, RULE_LIMITS } from '#domain/rule/rule';
import { TAG_KINDS } from '#domain/tag/tag';
import { json } from './schemas.ts';
import { procedure } from './procedure.ts';

/** Rules and events. */

const none = z.object({});
const id = z.int().positive();

const sampling = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('onChange') }),
  z.object({ kind: z.literal('interval'), everyMs: z.number() }),
]);
const window = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tumbling'), everyMs: z.number() }),
  z.object({ kind: z.literal('count'), samples: z.number() }),
  z.object({ kind: z.literal('while'), tag: z.string() }),
  z.object({ kind: z.literal('manual') }),
]);
const output = {
  name: z.string(),
  reducer: z.enum(REDUCERS),
  tag: z.string(),
  state: z.union([z.number(), z.boolean(), z.string()]).exactOptional(),
};
const text = {
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  triggersEvents: z.boolean(),
  tags: z.array(z.string()),
  sampling,
  window,
  condition: z.string(),
};

export const ruleText: z.ZodType<RuleText, RuleText> = z.object({ ...text, outputs: z.array(z.object(output)) });
const rule: z.ZodType<Rule, Rule> = z.object({
  id,
  ...text,
  outputs: z.array(z.object({ ...output, column: z.string(), columnType: z.enum(COLUMN_TYPES) })),
  resultTable: z.string(),
  savedAt: z.string(),
});
const key = z.union([z.object({ id }), z.object({ name: z.string() })]);
/** An existing rule with its id, a new one without. */
const draft = z.object({ ...text, outputs: z.array(z.object(output)), id: id.optional() });

const ruleState: z.ZodType<RuleState, RuleState> = z.object({
  id,
  window: z
    .object({
      start: z.number(),
      end: z.number().nullable(),
      samples: z.int(),
      badSamples: z.int(),
      outputs: z.array(json),
    })
    .nullable(),
  firings: z.int(),
  lastFiredAt: z.string().nullable(),
  problem: z.string().nullable(),
});

const previewed: z.ZodType<PreviewedWindow, PreviewedWindow> = z.object({
  start: z.number(),
  end: z.number(),
  samples: z.int(),
  badSamples: z.int(),
  outputs: z.array(json),
  outcome: z.enum(['fires', 'empty', 'condition', 'error']),
  message: z.string().nullable(),
});

const preview: z.ZodType<RulePreview, RulePreview> = z.object({
  windows: z.array(previewed),
  samples: z.int(),
  unknownTags: z.array(z.string()),
  span: z.object({ from: z.number(), to: z.number() }).nullable(),
  limit: z.enum(['samples', 'time']).nullable(),
  earlier: z.int(),
  sources: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(TAG_KINDS),
      basis: z.enum(['signal', 'value', 'samples', 'none']),
      since: z.number().nullable(),
      rule: z.string().nullable(),
    }),
  ),
  units: z.array(z.string()),
});

export const rules = {
  /** Ordered by name. */
  list: procedure.read.output(z.array(rule)),
  get: procedure.read.input(key).output(rule),
  /**
   * BAD_REQUEST with data.issues; CONFLICT if another rule has the name, or if the rule of `id` was saved since
   * `baseSavedAt`, the `savedAt` that the change is based on (`data.current` is that of the stored rule). With
   * `keepMissing`, for imports, its tags need not exist.
   */
  save: procedure.write
    .input(draft.extend({ baseSavedAt: z.string().optional(), keepMissing: z.boolean().optional() }))
    .output(rule),
  /** Restores a deleted rule with its id, and the rows and events that have not been deleted yet. */
  restore: procedure.write.input(z.object({ id })).output(rule),
  /** `rows` decides what happens to its data rows; `drop` deletes its events too. */
  delete: procedure.write.input(z.intersection(key, z.object({ rows: z.enum(['keep', 'drop']) }))).output(none),
  /** Fires manually, regardless of the condition. CONFLICT if its tags have no usable value. */
  fire: procedure.write
    .input(z.intersection(key, z.object({ times: z.int().min(1).max(RULE_LIMITS.firings).optional() })))
    .output(
      z.object({
        fired: z.int(),
        firstRow: z.int(),
        lastRow: z.int(),
        firstEvent: z.int().nullable(),
        lastEvent: z.int().nullable(),
        resultTable: z.string(),
      }),
    ),
  /** The status of all rules first; then that of changed ones, twice a second. */
  state: procedure.watch.output(eventIterator(z.array(ruleState))),
  /** Sent when rules are saved or deleted: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ ruleId: id }))),
  /** Data rows, newest first; each in column order. */
  rows: procedure.read
    .input(
      z.intersection(
        key,
        z.object({ before: z.int().positive().optional(), limit: z.int().min(1).max(10_000).optional() }),
      ),
    )
    .output(
      z.object({
        table: z.string(),
        columns: z.array(
          z.object({ name: z.string(), type: z.enum(COLUMN_TYPES), output: z.string().nullable(), unit: z.string() }),
        ),
        rows: z.array(z.array(json)),
        total: z.int(),
      }),
    ),
  /** What the rule would have done in the past hour. BAD_REQUEST with data.issues. Writes nothing. */
  preview: procedure.read.input(draft).output(preview),
};

const event: z.ZodType<AggregationEvent, AggregationEvent> = z.object({
  AggregationEventId: id,
  RuleId: id,
  EventDateTime: z.string(),
  Active: z.boolean(),
  ResultTableName: z.string(),
  ResultTableRecordId: id,
});
const counts = z.object({ active: z.int(), disabled: z.int() });
const changes: z.ZodType<EventChanges, EventChanges> = z.object({ counts });

const choice = {
  active: z.boolean().nullish(),
  ruleId: id.nullish(),
  from: z.number().nullish(),
  to: z.number().nullish(),
};
const MOST_IDS = 10_000;
const someIds = z.array(id).max(MOST_IDS);
const actionKey = z.string().min(1).max(100);

export const events = {
  /** Newest first; with `before` an id, the next page. Times are ms since 1970 in UTC. */
  list: procedure.write
    .input(
      z.object({
        ...choice,
        before: id.nullish(),
        limit: z.int().min(1).max(10_000).optional(),
      }),
    )
    .output(z.object({ events: z.array(event), counts, version: z.int() })),
  /** Events from any position of the list, and the length of that list. Times are ms since 1970 in UTC. */
  window: procedure.read
    .input(
      z.object({
        ...choice,
        newestFirst: z.boolean(),
        offset: z.int().min(0),
        limit: z.int().min(1).max(1_000),
      }),
    )
    .output(z.object({ events: z.array(event), total: z.int(), counts })),
  /**
   * Disables, re-activates or deletes many events: those in a selection between two ids, and others by id. Reports
   * progress; completed changes stay if it is cancelled. The data rows stay.
   */
  bulk: procedure.write
    .input(
      z.object({
        ...choice,
        act: z.enum(['disable', 'activate', 'delete']),
        range: z.object({ first: z.int().min(0), last: z.int().min(0), except: someIds }).nullish(),
        ids: someIds.optional(),
        /** A name for `undo` that the caller chooses, unique; has no effect on deletions. */
        key: actionKey.optional(),
      }),
    )
    .output(eventIterator(z.object({ done: z.int(), changed: z.int(), finished: z.boolean() }))),
  /**
   * Restores the events that the `bulk` of that key changed (`of`), also one that was cancelled; except events that any
   * client has deleted or set since. Reports progress; if it is cancelled, the next call restores the rest. NOT_FOUND
   * when that is no longer known: after it was undone, after more actions, after a restart.
   */
  undo: procedure.write
    .input(z.object({ key: actionKey }))
    .output(eventIterator(z.object({ done: z.int(), changed: z.int(), of: z.int(), finished: z.boolean() }))),
  get: procedure.write.input(z.object({ id })).output(event),
  setActive: procedure.write.input(z.object({ id, active: z.boolean() })).output(event),
  /** The data row stays. */
  delete: procedure.write.input(z.object({ id })).output(none),
  /** Sent when events are created, changed or deleted, at most ten times a second: clients list again. */
  changes: procedure.changes.output(eventIterator(changes)),
  /** Creates events by firing a rule that triggers events: the given one, else the first. */
  createTest: procedure.write
    .input(z.object({ count: z.int().min(1).max(RULE_LIMITS.firings), ruleId: id.optional() }))
    .output(
      z.object({
        ruleId: id,
        created: z.int(),
        firstEvent: z.int().nullable(),
        lastEvent: z.int().nullable(),
      }),
    ),
};
