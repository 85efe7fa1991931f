import { z } from 'zod';
import { MAX_ANSWERS, MOCK_FAULTS, MOCK_LIMITS, MOCK_METHODS, SEQUENCE_ENDS } from '#domain/mock/mock';
import { FOLDER_LIMITS, problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { json } from '../schemas.ts';
import { onFirstUse } from './on-first-use.ts';

export const MAX_BODY = 48 * 1_048_576;

export const mockHeaders = onFirstUse(() => {
  const name = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'Expected the name of a header');
  return z.array(z.tuple([name, z.string().max(16_384)])).max(200);
});

export const mockFolder = onFirstUse(() =>
  z
    .string()
    .max(FOLDER_LIMITS.text, `at most ${FOLDER_LIMITS.text} characters`)
    .overwrite(tidyFolder)
    .superRefine((text, context) => {
      const message = problemOfFolder(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
);

/** A mock as written by the user: omitted members have their defaults. */
export const mockRoute = onFirstUse(() => {
  const headers = mockHeaders();
  const answer = z.object({
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
  });

  return z.object({
    name: z.string().trim().min(1).max(MOCK_LIMITS.name, `at most ${MOCK_LIMITS.name} characters`),
    folder: mockFolder().optional(),
    enabled: z.boolean().default(true),
    priority: z.int().min(-1_000_000).max(1_000_000).default(0),
    request: z.object({
      method: z.enum(MOCK_METHODS).default('ANY'),
      url: z.string().min(1, 'enter the URL to match').max(MOCK_LIMITS.url, `at most ${MOCK_LIMITS.url} characters`),
      headers: headers.default([]),
      body: z
        .union([z.strictObject({ contains: z.string().min(1).max(65_536) }), z.strictObject({ json })])
        .nullable()
        .default(null),
    }),
    answer: answer.prefault({}),
    /** The responses after the first one; absent: every call gets the same. */
    sequence: z
      .strictObject({
        answers: z
          .array(answer)
          .min(1)
          .max(MAX_ANSWERS - 1),
        end: z.enum(SEQUENCE_ENDS).default('repeat'),
      })
      .optional(),
  });
});
