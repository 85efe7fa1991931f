import { z } from 'zod';
import { FAULT_KINDS } from '#domain/event/consumer';
import type { ApiExchange } from '#domain/mock/api-call';
import { API_OPERATIONS, API_SOURCES } from '#domain/mock/api-call';
import type { ApiMessages, ApiRequest, EventsApiStatus } from '#domain/mock/api-request';
import { REQUEST_OUTCOMES } from '#domain/mock/api-request';
import type { Json, JsonObject } from '#domain/text/json';
import { QUALITIES } from '#domain/tag/quality';
import type { ConsoleValue, NestedRun, RunContext, RunReport } from '#domain/run/run';
import { CONSOLE_LEVELS, RUN_STATUSES } from '#domain/run/run';
import type { TagProblem } from '#domain/tag/problem';
import type { SignalCurve } from '#domain/tag/signal-curve';
import type { ScopedValue } from '#domain/tag/scope';
import type { Draft, DraftSummary, Script, ScriptRevision, ScriptSummary, ScriptVersion } from '#domain/run/script';
import type { TagDefinition, TagValue, TagWrite, WriteFailure } from '#domain/tag/tag';
import { TAG_KINDS, TAG_TYPES } from '#domain/tag/tag';

/** Schemas of the shapes in the contract; the compiler compares each with its type in the domain. */

export const json: z.ZodType<Json, Json> = z.json();
export const jsonObject: z.ZodType<JsonObject, JsonObject> = z.record(z.string(), z.json());

export const scriptText = { group: z.string(), name: z.string(), description: z.string(), body: z.string() };
const savedScript = {
  id: z.int().positive(),
  group: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.int().positive(),
  savedAt: z.string(),
};

export const scriptSummary: z.ZodType<ScriptSummary, ScriptSummary> = z.object(savedScript);
export const script: z.ZodType<Script, Script> = z.object({ ...savedScript, body: z.string() });
export const namedVersion = z.object({
  name: z.string().max(1_000),
  version: z.int().positive(),
  /** RFC 3339. A damaged entry of the journal may have an impossible time. */
  at: z.string().max(100),
});
export const scriptVersion: z.ZodType<ScriptVersion, ScriptVersion> = z.object({
  ...scriptText,
  scriptId: z.int().positive(),
  version: z.int().positive(),
  savedAt: z.string(),
  savedBy: z.string().nullable(),
});

export const scriptRevision: z.ZodType<ScriptRevision, ScriptRevision> = z.object({
  version: z.int().positive(),
  savedAt: z.string(),
  savedBy: z.string().nullable(),
  group: z.string(),
  name: z.string(),
  bytes: z.int().nonnegative(),
  changed: z.array(z.enum(['group', 'name', 'description', 'body'])),
});

const draftSource = {
  key: z.string().min(1).max(100),
  scriptId: z.int().positive().nullable(),
  baseVersion: z.int().nonnegative(),
  changedAt: z.string(),
};
export const draft: z.ZodType<Draft, Draft> = z.object({ ...scriptText, ...draftSource });
export const draftSummary: z.ZodType<DraftSummary, DraftSummary> = z.object({
  ...draftSource,
  group: z.string(),
  name: z.string(),
  isOpen: z.boolean(),
});

export const quality = z.enum(QUALITIES);
export const tagKind = z.enum(TAG_KINDS);
export const tagType = z.enum(TAG_TYPES);
export const resultType = z.enum([...TAG_TYPES, 'Unknown']);

export const tagDefinition: z.ZodType<TagDefinition, TagDefinition> = z.object({
  path: z.string(),
  kind: tagKind,
  type: tagType,
  description: z.string(),
  unit: z.string(),
  format: z.string().exactOptional(),
  settings: jsonObject,
});

export const signalCurve: z.ZodType<SignalCurve, SignalCurve> = z.object({
  points: z.array(z.object({ at: z.number(), value: json })),
  min: z.number().nullable(),
  max: z.number().nullable(),
  periodMs: z.number().nullable(),
  updateMs: z.number(),
});

export const tagProblem: z.ZodType<TagProblem, TagProblem> = z.object({
  path: z.string(),
  kind: tagKind,
  quality,
  reason: z.string().exactOptional(),
  forced: z.literal(true).exactOptional(),
});

/** The members of a value. */
export const ofTagValue = {
  path: z.string(),
  value: json,
  quality,
  type: resultType,
  reason: z.string().exactOptional(),
  overridden: z.literal(true).exactOptional(),
  forced: z.literal(true).exactOptional(),
  changedAt: z.string().exactOptional(),
};
export const tagValue: z.ZodType<TagValue, TagValue> = z.object(ofTagValue);
export const tagWrite: z.ZodType<TagWrite, TagWrite> = z.object({ tag: z.string(), value: json });
export const writeFailure: z.ZodType<WriteFailure, WriteFailure> = z.object({
  tag: z.string(),
  reason: z.string(),
  index: z.int().nonnegative().exactOptional(),
});

/** Scopes from callers: null, absent and '' mean the internal default. */
export const scopes = { diagram: z.string().nullish(), location: z.string().nullish() };

export const scopedValue: z.ZodType<ScopedValue, ScopedValue> = z.object({
  diagram: z.string(),
  location: z.string(),
  value: json,
});

const place = { line: z.int().positive(), column: z.int().positive() };
const traceEntry = { seq: z.int(), call: z.int(), at: z.number(), line: z.int().positive().nullable() };
const scoped = { diagram: z.string(), location: z.string() };

export const runError = z.object({
  name: z.string(),
  message: z.string(),
  line: place.line.nullable(),
  column: place.column.nullable(),
  stack: z.array(z.object({ function: z.string().nullable(), ...place })),
  failures: z.array(writeFailure).exactOptional(),
});

const consoleValue: z.ZodType<ConsoleValue, ConsoleValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({ title: z.string(), members: z.array(z.tuple([z.string(), consoleValue])), more: z.int() }),
  ]),
);

const runEnd = {
  status: z.enum(RUN_STATUSES),
  error: runError.nullable(),
  console: z.array(
    z.object({
      level: z.enum(CONSOLE_LEVELS),
      text: z.string(),
      at: z.number(),
      line: place.line.exactOptional(),
      values: z.array(consoleValue).exactOptional(),
    }),
  ),
  timing: z.object({
    startedAt: z.string(),
    queuedMs: z.number(),
    scriptMs: z.number(),
    hostCallMs: z.number(),
    totalMs: z.number(),
  }),
  dropped: z.object({
    console: z.int(),
    reads: z.int(),
    writes: z.int(),
    apiCalls: z.int().exactOptional(),
    rejected: z.int().exactOptional(),
    nested: z.int().exactOptional(),
  }),
};

const exchangedMessage = z.object({
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().nullable(),
  bytes: z.int(),
});

export const apiExchange = {
  operation: z.enum(API_OPERATIONS),
  method: z.string(),
  url: z.string(),
  statusCode: z.string(),
  ms: z.number(),
  source: z.enum(API_SOURCES),
  mock: z.string().nullable(),
  error: z.string().nullable(),
  reason: z.string().exactOptional(),
  request: exchangedMessage,
  response: exchangedMessage.nullable(),
} satisfies Record<keyof ApiExchange, z.ZodType>;

const runActs = {
  reads: z.array(
    z.object({
      ...traceEntry,
      ...scoped,
      path: z.string(),
      value: json,
      quality,
      type: resultType,
      reason: z.string().exactOptional(),
    }),
  ),
  writes: z.array(
    z.object({
      ...traceEntry,
      ...scoped,
      path: z.string(),
      before: json,
      notRead: z.literal(true).exactOptional(),
      value: json,
      type: resultType,
    }),
  ),
  apiCalls: z.array(z.object({ ...traceEntry, ...apiExchange, logged: z.int().exactOptional() })),
  rejected: z
    .array(
      z.object({
        ...traceEntry,
        ...scoped,
        access: z.enum(['read', 'write', 'call']),
        path: z.string(),
        value: json.exactOptional(),
        reason: z.string(),
      }),
    )
    .exactOptional(),
  nested: z.lazy(() => z.array(nestedRun)).exactOptional(),
};

const nestedRun: z.ZodType<NestedRun, NestedRun> = z.lazy(() =>
  z.object({
    ...runEnd,
    ...runActs,
    parent: z.int().nullable(),
    call: z.int(),
    line: z.int().positive().nullable(),
    at: z.number(),
    tag: z.string(),
    through: z.array(z.string()),
    access: z.enum(['read', 'write']),
  }),
);

export const runContext: z.ZodType<RunContext, RunContext> = z.object({
  tagName: z.string(),
  tagScopeDiagram: z.string().nullable(),
  tagScopeLocation: z.string().nullable(),
  tagValue: json.exactOptional(),
});

export const runReport: z.ZodType<RunReport, RunReport> = z.object({
  ...runEnd,
  ...runActs,
  result: json,
  dryRun: z.boolean(),
  entry: z.int().positive().exactOptional(),
});

export const eventsApiStatus: z.ZodType<EventsApiStatus, EventsApiStatus> = z.object({
  url: z.string().nullable(),
  problem: z.string().nullable(),
  freePort: z.int().nullable(),
  faults: z.int(),
});

const apiMessage = z.object({
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().nullable(),
  bytes: z.int(),
});

export const apiMessages: z.ZodType<ApiMessages, ApiMessages> = z.object({ request: apiMessage, response: apiMessage });

export const apiRequest: z.ZodType<ApiRequest, ApiRequest> = z.object({
  seq: z.int().positive(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  ms: z.number(),
  bytes: z.int(),
  client: z.string(),
  userAgent: z.string(),
  outcome: z.enum(REQUEST_OUTCOMES),
  injected: z.enum(FAULT_KINDS).exactOptional(),
});
