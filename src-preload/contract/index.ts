import { eventIterator } from '@orpc/contract';
import { TREND_LIMITS } from '#domain/tag/diagram';
import { MOST_ORDERED, ORDERS_BY } from '#domain/tag/tag-order';
import type { TagLoss } from '#domain/tag/tag';
import { z } from 'zod';
import { events, rules } from './aggregation.ts';
import { consumers } from './events/consumers.ts';
import { calls, secrets } from './api-calls.ts';
import { capsules } from './capsules.ts';
import { backups, restoreOutcome, workspaces } from './workspaces.ts';
import { debug } from './runs/debug.ts';
import { failures } from './runs/failures.ts';
import { lens } from './runs/lens.ts';
import { diagnostics } from './diagnostics.ts';
import { diagrams } from './diagrams.ts';
import { db, erp } from './plant.ts';
import { mocks } from './mocks.ts';
import { runContexts } from './runs/run-contexts.ts';
import { scriptTests } from './script-tests.ts';
import { search } from './search.ts';
import { settings } from './settings.ts';
import * as s from './schemas.ts';
import { scriptUsage, secretUsage, tagRename, tagsMissing, tagUsage, tagUses } from './usage.ts';
import { journal } from './journal.ts';
import { hub, hubStatus } from './events/hub.ts';
import { webhooks } from './events/webhooks.ts';
import { procedure } from './procedure.ts';

/**
 * All requests that a client can send to main, defined once: the types, the typed client and the router are derived
 * from it. Errors have a code of `errors.ts`.
 */

const none = z.object({});
const id = z.object({ id: z.int().positive() });

const app = {
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
        eventsApi: s.eventsApiStatus,
        /** The mirror of the workspace at a hub; absent if no hub is set. */
        hub: hubStatus.exactOptional(),
      }),
    ),
  ),
};

const groups = {
  create: procedure.write.input(z.object({ name: z.string() })).output(none),
  rename: procedure.write.input(z.object({ name: z.string(), newName: z.string() })).output(none),
  /** CONFLICT while the group contains scripts. */
  delete: procedure.write.input(z.object({ name: z.string() })).output(none),
};

const scripts = {
  list: procedure.read.output(z.object({ groups: z.array(z.string()), scripts: z.array(s.scriptSummary) })),
  get: procedure.read.input(z.union([id, z.object({ group: z.string(), name: z.string() })])).output(s.script),
  /**
   * Saves a new version. Without `id` a new script (CONFLICT if the name is taken); with `id` that script, where a
   * `baseVersion` other than the current one is a CONFLICT whose data.current is the stored version. `draft` is the key
   * of the draft that becomes the version, and is discarded. Drafts of other windows stay.
   */
  save: procedure.write
    .input(
      z.object({
        ...s.scriptText,
        id: z.int().positive().optional(),
        baseVersion: z.int().nonnegative().optional(),
        draft: z.string().max(100).optional(),
      }),
    )
    .output(s.script),
  /** Deleted scripts keep their versions and can be restored. */
  delete: procedure.write.input(id).output(none),
  restore: procedure.write.input(id).output(s.script),
  /** The changes of each save, newest first, without the bodies. */
  history: procedure.read.input(id).output(z.array(s.scriptRevision)),
  /** One saved version with its body. */
  version: procedure.read
    .input(z.object({ id: z.int().positive(), version: z.int().positive() }))
    .output(s.scriptVersion),
  /** Every saved version, newest first. */
  versions: procedure.read.input(id).output(z.array(s.scriptVersion)),
  /**
   * The scripts whose versions had these names, each `Group/Name`, at these times; null for unknown ones. Their current
   * version is null if they were deleted.
   */
  named: procedure.read
    .input(z.object({ versions: z.array(s.namedVersion).max(1_000) }))
    .output(z.array(z.object({ id: z.int(), version: z.int().nullable() }).nullable())),
  usage: scriptUsage,
  /** Sent when the library changes: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ scriptId: z.int().nullable() }))),
};

const drafts = {
  list: procedure.read.output(z.array(s.draft)),
  get: procedure.read.input(z.object({ key: z.string() })).output(s.draft),
  /**
   * All drafts without their texts, and again after each change. `window` is open, and owns its drafts, as long as it
   * follows them.
   */
  follow: procedure.watch
    .input(z.object({ window: z.string().min(1).max(50) }))
    .output(eventIterator(z.array(s.draftSummary))),
  /** Gives the draft of a closed window to this one. CONFLICT while its window is open, or if this one has its own. */
  take: procedure.write.input(z.object({ key: z.string(), window: z.string().min(1).max(50) })).output(s.draft),
  put: procedure.write.input(s.draft).output(none),
  discard: procedure.write.input(z.object({ key: z.string() })).output(none),
};

const runs = {
  /**
   * Runs a body to its end. Never fails because of the script: the report has the outcome. Aborting cancels the run.
   */
  execute: procedure.write
    .input(
      z.object({
        body: z.string(),
        context: s.runContext,
        dryRun: z.boolean(),
        /** The saved script whose body this is, for the journal: `Group/Name` and version. */
        script: z.object({ name: z.string().max(1_000), version: z.int().positive() }).optional(),
        /**
         * A run of a text during editing: always a dry run, within `limits.liveMs` of script time. A crashed host is
         * replaced without a notice.
         */
        live: z.boolean().exactOptional(),
        /** A name for `cancel` that the caller chooses, unique among the current runs. */
        key: z.string().min(1).max(100).optional(),
      }),
    )
    .output(s.runReport),
  /**
   * Cancels the run of that key, which then returns a report of status `cancelled` to its own caller (aborting
   * `execute` also cancels, but discards the report). False if there is no such run.
   */
  cancel: procedure.write.input(z.object({ key: z.string() })).output(z.object({ cancelled: z.boolean() })),
};

const page = { limit: z.int().min(1).max(50_000).optional(), after: z.string().optional() };

const tagFile = z.object({ format: z.enum(['csv', 'json']), text: z.string() });
const tagLoss: z.ZodType<TagLoss, TagLoss> = z.object({
  path: z.string(),
  from: z.string(),
  to: z.string(),
  values: z.int().positive(),
});
const refusedRows = z.array(z.object({ row: z.int(), path: z.string(), reason: z.string() }));
/** With `keepValues`, an import that would drop stored values imports nothing, and lists them in `losses`. */
const tagImportInput = tagFile.extend({ keepValues: z.boolean().exactOptional() });
const tagImport = z.object({
  created: z.int(),
  updated: z.int(),
  /** Tags that were already as in the file; absent if there are none. */
  unchanged: z.int().positive().exactOptional(),
  refused: refusedRows,
  /** References of the imported tags to missing items; absent if there are none. */
  missing: z.array(z.object({ path: z.string(), member: z.string(), name: z.string() })).exactOptional(),
  losses: z.array(tagLoss).exactOptional(),
});

const tags = {
  /** Tags whose path contains every word of `filter`, ordered by path, in pages. */
  list: procedure.read
    .input(z.object({ ...page, filter: z.string().optional() }))
    .output(z.object({ tags: z.array(s.tagDefinition), total: z.int(), next: z.string().nullable() })),
  definition: procedure.read.input(z.object({ path: z.string() })).output(s.tagDefinition),
  /**
   * Creates the tag, or replaces its definition. Its values stay; when its type changes, they are converted if
   * possible, and otherwise dropped; when its kind changes, all are dropped.
   */
  save: procedure.write.input(s.tagDefinition).output(none),
  /** The problems that `save` would report for this definition; saves nothing. */
  problems: procedure.read
    .input(s.tagDefinition)
    .output(
      z.object({ issues: z.array(z.object({ path: z.array(z.union([z.string(), z.int()])), message: z.string() })) }),
    ),
  /** The curve of a machine tag with this definition, which need not be saved. BAD_REQUEST with `data.issues`. */
  preview: procedure.read.input(s.tagDefinition).output(s.signalCurve),
  delete: procedure.write.input(z.object({ paths: z.array(z.string()) })).output(none),
  usage: tagUsage,
  uses: tagUses,
  missing: tagsMissing,
  rename: tagRename,
  /** The number formats of the tags that have one, by path. */
  formats: procedure.read.output(z.record(z.string(), z.string())),
  /** The locations of stored values and of the contexts of scripts, at most 1,000, in natural order. */
  locations: procedure.read.output(z.object({ locations: z.array(z.string()) })),
  /** Completions of a path, best first. */
  complete: procedure.read
    .input(z.object({ text: z.string(), limit: z.int().min(1).max(1_000).optional() }))
    .output(z.object({ tags: z.array(s.tagDefinition), incomplete: z.boolean() })),
  /**
   * The unknown ones of these paths, each once, with the nearest existing paths; these are searched for the first 32
   * only.
   */
  check: procedure.read
    .input(z.object({ paths: z.array(z.string()).max(10_000) }))
    .output(z.object({ unknown: z.array(z.object({ path: z.string(), nearest: z.array(z.string()) })) })),
  /** With `times`, values have `changedAt`, if it is known. */
  get: procedure.read
    .input(z.object({ paths: z.array(z.string()), ...s.scopes, times: z.boolean().exactOptional() }))
    .output(z.array(s.tagValue)),
  /**
   * The tags with a bad quality in the scope, ordered by path, at most 10,000; tags that are not readable at all are
   * omitted. `total` counts all of them, `read` all tags.
   */
  bad: procedure.read
    .input(z.object(s.scopes))
    .output(z.object({ problems: z.array(s.tagProblem), total: z.int(), read: z.int() })),
  /**
   * The order of tags by one reading of each in the scope: by value (numbers, texts in natural order, structures), by
   * quality (the worst first) or by the time of the last change (the oldest first). Unreadable values and unknown times
   * are last in both directions; equal ones keep their order. `order` has places in `paths`.
   */
  order: procedure.read
    .input(
      z.object({
        paths: z.array(z.string()).max(MOST_ORDERED),
        by: z.enum(ORDERS_BY),
        descending: z.boolean().exactOptional(),
        ...s.scopes,
      }),
    )
    .output(z.object({ order: z.array(z.int().nonnegative()), unread: z.int().nonnegative() })),
  /** All or nothing; WRITE_REFUSED with data.failures. Returns the values as written. */
  set: procedure.write.input(z.object({ items: z.array(s.tagWrite), ...s.scopes })).output(z.array(s.tagValue)),
  /** The values of the given tags in the scope: all first, then changed ones, in at most 10 batches a second. */
  watch: procedure.watch
    .input(z.object({ paths: z.array(z.string()).max(50_000), ...s.scopes, times: z.boolean().exactOptional() }))
    .output(eventIterator(z.array(s.tagValue))),
  /**
   * The numbers of machine tags over a past time, at equal steps, computed from their signals: 1 and 0 for Booleans, null
   * while they are bad. Tags whose past can't be computed have no points. Times are ms since 1970 in UTC.
   */
  past: procedure.read
    .input(
      z.object({
        paths: z.array(z.string()).max(TREND_LIMITS.tags),
        from: z.number(),
        to: z.number(),
        points: z.int().min(2).max(1_000),
      }),
    )
    .output(
      z.array(
        z.object({
          path: z.string(),
          points: z.array(z.object({ at: z.number(), value: z.number().nullable() })),
        }),
      ),
    ),
  /** Sent when definitions change: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ total: z.int() }))),
  /** Forces the quality of a machine tag; null clears it. */
  force: procedure.write.input(z.object({ path: z.string(), quality: s.quality.nullable() })).output(none),
  /** Forces one quality of many machine tags, all or none; null clears them. BAD_REQUEST if one is of another kind. */
  forceAll: procedure.write
    .input(z.object({ paths: z.array(z.string()).max(50_000), quality: s.quality.nullable() }))
    .output(none),
  /** Releases the overrides of machine tags, so that they show their signals again. */
  release: procedure.write.input(z.object({ paths: z.array(z.string()) })).output(none),
  /** The values of a storage tag by scope, ordered by Diagram and location; BAD_REQUEST for other kinds. */
  scopes: procedure.read.input(z.object({ path: z.string() })).output(z.object({ values: z.array(s.scopedValue) })),
  /** Clears the value of exactly this scope, so that reads fall back to the next one; does nothing if there is none. */
  clear: procedure.write.input(z.object({ path: z.string(), ...s.scopes })).output(none),
  /**
   * The stored values that an import of the file would drop; callers ask for confirmation first. With `mirror`, also
   * those of the tags that the file does not have. `refused` are the rows with which `import` would reject the file,
   * which then drops nothing; absent if there are none.
   */
  losses: procedure.read
    .input(tagFile.extend({ mirror: z.boolean().exactOptional() }))
    .output(z.object({ losses: z.array(tagLoss), refused: refusedRows.exactOptional() })),
  /** All or nothing: either `refused` is empty and `losses` absent, or nothing was imported. */
  import: procedure.write.input(tagImportInput).output(tagImport),
  /**
   * Like `import`, and reports the progress of its checks, at most ten times a second; the last message has the result.
   * Ending it before that imports nothing.
   */
  importing: procedure.write
    .input(tagImportInput)
    .output(eventIterator(z.object({ checked: z.int(), total: z.int(), done: tagImport.nullable() }))),
  export: procedure.read
    .input(z.object({ format: z.enum(['csv', 'json']), filter: z.string().optional() }))
    .output(z.object({ text: z.string(), count: z.int() })),
};

const eventsApi = {
  status: procedure.read.output(s.eventsApiStatus),
  /** The newest requests of external tools, oldest first, at most 1,000; those after the given number. */
  requests: procedure.read.input(z.object({ after: z.int().nonnegative().optional() })).output(z.array(s.apiRequest)),
  /** Headers and the beginning of the bodies of a request and its response, secrets masked; null if no longer kept. */
  request: procedure.read
    .input(z.object({ seq: z.int().positive() }))
    .output(z.object({ messages: s.apiMessages.nullable() })),
  /** The stored requests first, then new ones, in at most 10 batches a second; a slow reader sees a gap in `seq`. */
  watchRequests: procedure.watch.output(eventIterator(z.array(s.apiRequest))),
};

export const contract = {
  app,
  backups,
  workspaces,
  mocks,
  calls,
  secrets: { ...secrets, usage: secretUsage },
  groups,
  scripts,
  capsules,
  drafts,
  runs,
  failures,
  lens,
  debug,
  tags,
  erp,
  db,
  diagrams,
  scriptTests,
  runContexts,
  search,
  journal,
  settings,
  rules,
  events,
  eventsApi,
  consumers,
  webhooks,
  hub,
  diagnostics,
};
export type Contract = typeof contract;
