import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { API_MODES } from '#domain/mock/api-call';
import type { Mock, MockPreview, MockRoute, MockTrial } from '#domain/mock/mock';
import { IMPORT_LIMITS, MAX_ANSWERS, MAX_MOCKS, MOCK_METHODS } from '#domain/mock/mock';
import { procedure } from './procedure.ts';
import { MAX_BODY, mockFolder, mockHeaders, mockRoute } from './texts/mock-route.ts';

const headers = mockHeaders();
const folder = mockFolder();
const route = mockRoute();
const mockId = z.int().positive();
const counters = { hits: z.int(), lastHitAt: z.string().nullable() };
const mock: z.ZodType<Mock, Mock> = z.object({
  id: mockId,
  ...counters,
  position: z.int(),
  name: z.string(),
  folder: z.string().optional(),
  enabled: z.boolean(),
  priority: z.int(),
  request: z.custom<MockRoute['request']>(),
  answer: z.custom<MockRoute['answer']>(),
  sequence: z.custom<MockRoute['sequence']>().optional(),
});

const trial: z.ZodType<MockTrial, MockTrial> = z.object({
  mock: z.object({ id: mockId.nullable(), name: z.string() }).nullable(),
  sequence: z.object({ response: z.int(), count: z.int() }).nullable(),
  miss: z.string().nullable(),
  answer: z
    .object({
      status: z.int(),
      headers: z.array(z.tuple([z.string(), z.string()])),
      text: z.string().nullable(),
      base64: z.string().nullable(),
      bytes: z.int(),
    })
    .nullable(),
  error: z.object({ name: z.string(), message: z.string() }).nullable(),
  ms: z.number(),
});

const source = {
  format: z.enum(['auto', 'tagwright', 'openapi', 'har', 'postman', 'bruno', 'curl']).default('auto'),
  text: z.string(),
  /** The address of the API of an OpenAPI document, in place of its servers; or that of an unknown variable. */
  baseUrl: z.string().max(2_000).optional(),
  /** The imported mocks, with the folders that they have, go into this one. */
  folder: folder.optional(),
  /**
   * Several files, in place of the text: the .bru files of a Bruno collection, with paths relative to its folder, and any
   * others of these formats. If some can't be read, `data.issues` of the error has the problem of each.
   */
  files: z
    .array(z.object({ path: z.string().min(1).max(1_000), text: z.string() }))
    .min(1)
    .max(IMPORT_LIMITS.files)
    .refine((files) => files.reduce((sum, { text }) => sum + text.length, 0) <= IMPORT_LIMITS.text, {
      error: 'at most 32 MB in all files',
    })
    .optional(),
};
const preview: z.ZodType<MockPreview, MockPreview> = z.object({
  format: z.string(),
  count: z.int(),
  mocks: z.array(
    z.object({
      name: z.string(),
      folder: z.string().optional(),
      enabled: z.boolean(),
      method: z.enum(MOCK_METHODS),
      url: z.string(),
      status: z.string(),
    }),
  ),
  skipped: z.array(z.string()),
});

/** The mocks for API calls. */
export const mocks = {
  /**
   * In matching order: the highest priority first, then the oldest. `recordFolder` is the folder for recorded mocks, if
   * there is one.
   */
  list: procedure.read.output(
    z.object({
      mocks: z.array(mock),
      mode: z.enum(API_MODES),
      record: z.boolean(),
      recordFolder: z.string().exactOptional(),
    }),
  ),
  /**
   * Adds a mock, or replaces the one of `id`. `base` is the version that the change is based on: CONFLICT if the mock
   * has changed since, with the current one in `data.current`. NOT_FOUND if there is none with that id.
   */
  save: procedure.write.input(route.extend({ id: mockId.optional(), base: route.optional() })).output(mock),
  /**
   * Enables or disables mocks, or moves them to folders (null: to none), whatever else has changed in them. All or
   * nothing: NOT_FOUND if one is missing.
   */
  update: procedure.write
    .input(
      z.object({
        changes: z
          .array(z.object({ id: mockId, enabled: z.boolean().optional(), folder: folder.nullable().optional() }))
          .min(1)
          .max(MAX_MOCKS),
      }),
    )
    .output(z.object({ count: z.int() })),
  /** Deletes the mocks with these ids, or all if `ids` is null. */
  delete: procedure.write.input(z.object({ ids: z.array(mockId).nullable() })).output(z.object({ count: z.int() })),
  /**
   * Adds the mocks of a file: from Tagwright, an OpenAPI document (JSON or YAML), a HAR file, a collection of Postman or
   * Bruno, or commands of curl; `auto` detects the format. `replace` deletes all existing mocks first. All or nothing, of
   * all files.
   */
  import: procedure.write.input(z.object({ ...source, replace: z.boolean().default(false) })).output(
    z.object({
      format: z.string(),
      added: z.int(),
      removed: z.int(),
      skipped: z.array(z.string()),
      /** The added mocks, in file order. */
      ids: z.array(mockId),
    }),
  ),
  /** The mocks that an import of the same would add; adds nothing. */
  preview: procedure.read.input(z.object(source)).output(preview),
  /** All of them as JSON for `import`. */
  export: procedure.read.output(z.object({ text: z.string(), count: z.int() })),
  /** The problems of a mock during editing; BAD_REQUEST if it does not match its schema, also with `data.issues`. */
  check: procedure.read
    .input(route)
    .output(
      z.object({ issues: z.array(z.object({ path: z.array(z.union([z.string(), z.int()])), message: z.string() })) }),
    ),
  /**
   * Sends a request to the mocks as a script in offline mode would, without a call: nothing is sent, logged or counted.
   * `draft` replaces the mock with its id, or is added to the saved ones. BAD_REQUEST for an invalid request.
   */
  try: procedure.read
    .input(
      z.object({
        method: z.enum(MOCK_METHODS).exclude(['ANY']),
        url: z.string().max(8_192),
        headers: headers.default([]),
        body: z.string().max(MAX_BODY).nullable().default(null),
        draft: z.object({ id: mockId.nullable(), route }).nullable().default(null),
        /** Which response of a sequence, from 1; by default the next one, for a draft the first. */
        response: z.int().min(1).max(MAX_ANSWERS).optional(),
      }),
    )
    .output(trial),
  /**
   * A mock with the response of a call in the log, with secrets masked, to review and save; if there was no response, a
   * mock with one. NOT_FOUND if the call is no longer stored.
   */
  ofCall: procedure.read.input(z.object({ seq: z.int().positive() })).output(route),
  /** Undo: restores mocks with their ids and hits, and deletes those in `remove`, in one step. */
  restore: procedure.write
    .input(
      z.object({
        mocks: z.array(route.extend({ id: mockId, ...counters, position: z.int().min(0).default(0) })),
        remove: z.array(mockId).default([]),
      }),
    )
    .output(z.object({ restored: z.int(), removed: z.int() })),
  resetHits: procedure.write.output(z.object({})),
  /** The next call gets the first response again: of mocks with these ids, or of all. NOT_FOUND for another id. */
  restartSequences: procedure.write
    .input(z.object({ ids: z.array(mockId).nullable() }))
    .output(z.object({ count: z.int() })),
  /** Sent when mocks or settings change: clients list again. If only counters have changed, `hits` has them. */
  changes: procedure.changes.output(
    eventIterator(
      z.object({
        total: z.int(),
        hits: z.array(z.object({ id: mockId, ...counters, position: z.int() })).nullable(),
      }),
    ),
  ),
};
