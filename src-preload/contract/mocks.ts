import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { API_MODES } from '#domain/api-call';
import type { Mock, MockRoute } from '#domain/mock';
import { MOCK_FAULTS, MOCK_METHODS } from '#domain/mock';
import { json } from './schemas.ts';

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'Expected the name of a header');
const headers = z.array(z.tuple([headerName, z.string().max(16_384)])).max(200);
const MAX_BODY = 48 * 1_048_576;

const route = {
  name: z.string().trim().min(1).max(200),
  enabled: z.boolean().default(true),
  priority: z.int().min(-1_000_000).max(1_000_000).default(0),
  request: z.object({
    method: z.enum(MOCK_METHODS).default('ANY'),
    url: z.string().min(1).max(8_192),
    headers: headers.default([]),
    body: z
      .union([z.strictObject({ contains: z.string().min(1).max(65_536) }), z.strictObject({ json })])
      .nullable()
      .default(null),
  }),
  answer: z
    .object({
      status: z.int().min(200).max(599).default(200),
      headers: headers.default([]),
      body: z
        .discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('none') }),
          z.strictObject({ kind: z.literal('text'), text: z.string().max(MAX_BODY) }),
          z.strictObject({ kind: z.literal('json'), json }),
          z.strictObject({ kind: z.literal('base64'), base64: z.base64().max(MAX_BODY) }),
          z.strictObject({ kind: z.literal('file'), file: z.string().min(1).max(255) }),
        ])
        .default({ kind: 'none' }),
      delayMs: z.int().min(0).max(3_600_000).default(0),
      fault: z.enum(MOCK_FAULTS).nullable().default(null),
      template: z.boolean().default(false),
    })
    .prefault({}),
};

/** A mock as somebody writes it: what is left out has its default. */
export const mockRoute = z.object(route);
const mockId = z.int().positive();
const mock: z.ZodType<Mock, Mock> = z.object({
  id: mockId,
  hits: z.int(),
  lastHitAt: z.string().nullable(),
  name: z.string(),
  enabled: z.boolean(),
  priority: z.int(),
  request: z.custom<MockRoute['request']>(),
  answer: z.custom<MockRoute['answer']>(),
});

/** What answers API calls in place of far ends. */
export const mocks = {
  /** In the order in which they are asked: the highest priority first, then the oldest. */
  list: oc.output(z.object({ mocks: z.array(mock), mode: z.enum(API_MODES), record: z.boolean() })),
  /** Adds a mock, or replaces the one of `id`. */
  save: oc.input(z.object({ ...route, id: mockId.optional() })).output(mock),
  /** Those of these ids, or all where none is named. */
  delete: oc.input(z.object({ ids: z.array(mockId).nullable() })).output(z.object({ count: z.int() })),
  /**
   * Adds the mocks of a file: of Tagwright itself, an OpenAPI document (JSON or YAML) or a HAR file; `auto` sees
   * which. `replace` deletes all that were there before. All or nothing.
   */
  import: oc
    .input(
      z.object({
        format: z.enum(['auto', 'tagwright', 'openapi', 'har']).default('auto'),
        text: z.string(),
        /** Where the API of an OpenAPI document is, in place of the servers that it names. */
        baseUrl: z.string().max(2_000).optional(),
        replace: z.boolean().default(false),
      }),
    )
    .output(z.object({ format: z.string(), added: z.int(), removed: z.int(), skipped: z.array(z.string()) })),
  /** All of them as JSON that `import` reads. */
  export: oc.output(z.object({ text: z.string(), count: z.int() })),
  resetHits: oc.output(z.object({})),
  /** Sent when mocks were changed or have answered: clients list again. */
  changes: oc.output(eventIterator(z.object({ total: z.int() }))),
};
