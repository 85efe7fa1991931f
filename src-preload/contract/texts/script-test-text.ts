import { z } from 'zod';
import { RUN_STATUSES } from '#domain/run/run';
import { TEST_LIMITS } from '#domain/run/script-test';
import { json, quality } from '../schemas.ts';
import { mockRoute } from './mock-route.ts';
import { onFirstUse } from './on-first-use.ts';

export const countedEvents = onFirstUse(() =>
  z.strictObject({ rule: z.string().min(1), count: z.int().min(0).max(1_000_000) }),
);

/** A test as written by the user: omitted members have their defaults. */
export const scriptTestText = onFirstUse(() => {
  const path = z.string().min(1).max(1_000);
  const scope = { diagram: z.string().max(512).default(''), location: z.string().max(512).default('') };
  return z.strictObject({
    name: z.string().trim().min(1).max(TEST_LIMITS.name),
    context: z
      .strictObject({
        tagName: z.string().default(''),
        tagScopeDiagram: z.string().nullable().default(null),
        tagScopeLocation: z.string().nullable().default(null),
        tagValue: json.exactOptional(),
      })
      .prefault({}),
    tags: z
      .array(z.strictObject({ tag: path, value: json, quality: quality.default('Good'), ...scope }))
      .max(TEST_LIMITS.tags)
      .default([]),
    mocks: z.array(mockRoute()).max(TEST_LIMITS.mocks).default([]),
    expect: z
      .strictObject({
        status: z.enum(RUN_STATUSES).default('ok'),
        error: z.string().nullable().default(null),
        result: json.exactOptional(),
        writes: z
          .array(z.strictObject({ tag: path, value: json.exactOptional(), ...scope }))
          .max(TEST_LIMITS.writes)
          .nullable()
          .default(null),
        events: z.array(countedEvents()).nullable().default(null),
      })
      .prefault({}),
  });
});
/** The file with the tests of a script whose body is in a file. */
export const testsFileOf = (body: string): string => `${body.replace(/\.js$/, '')}.tests.json`;
/** Its contents. */
export const scriptTestsFile = onFirstUse(() => z.array(scriptTestText()).max(TEST_LIMITS.tests));
