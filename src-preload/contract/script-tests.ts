import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { RUN_STATUSES } from '#domain/run/run';
import type { ScriptTest, ScriptTestText, TestDifference, TestOutcome } from '#domain/run/script-test';
import { TEST_CHECKS, TEST_LIMITS } from '#domain/run/script-test';
import { mockRoute } from './mocks.ts';
import { json, quality, runContext, runReport } from './schemas.ts';
import { procedure } from './procedure.ts';

const path = z.string().min(1).max(1_000);
const scope = { diagram: z.string().max(512).default(''), location: z.string().max(512).default('') };
const events = z.strictObject({ rule: z.string().min(1), count: z.int().min(0).max(1_000_000) });

const text = {
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
  mocks: z.array(mockRoute).max(TEST_LIMITS.mocks).default([]),
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
      events: z.array(events).nullable().default(null),
    })
    .prefault({}),
};

/** A test as written by the user: omitted members have their defaults. */
export const scriptTestText = z.strictObject(text);
/** The file with the tests of a script whose body is in a file. */
export const testsFileOf = (body: string): string => `${body.replace(/\.js$/, '')}.tests.json`;
/** Its contents. */
export const scriptTestsFile = z.array(scriptTestText).max(TEST_LIMITS.tests);

const id = z.int().positive();
const test: z.ZodType<ScriptTest, ScriptTest> = z.object({
  id,
  scriptId: id,
  savedAt: z.string(),
  name: z.string(),
  context: runContext,
  tags: z.custom<ScriptTestText['tags']>(),
  mocks: z.custom<ScriptTestText['mocks']>(),
  expect: z.custom<ScriptTestText['expect']>(),
});
const difference: z.ZodType<TestDifference, TestDifference> = z.object({
  tag: z.string().nullable(),
  place: z.string(),
  expected: z.string().nullable(),
  actual: z.string().nullable(),
});
const outcome: z.ZodType<TestOutcome, TestOutcome> = z.object({
  passed: z.boolean(),
  failures: z.array(
    z.object({ check: z.enum(TEST_CHECKS), message: z.string(), differences: z.array(difference).exactOptional() }),
  ),
  report: runReport.nullable(),
  events: z.array(events),
  coverage: z.object({ lines: z.array(z.int()), executed: z.string() }).exactOptional(),
});

/** Tests of scripts: inputs and expected results. */
export const scriptTests = {
  /** The tests of one script, or of all scripts that are not deleted, in order of creation. */
  list: procedure.read.input(z.object({ scriptId: id.optional() })).output(z.array(test)),
  /** Adds a test, or replaces the one of `id`. CONFLICT if the script has another one with that name. */
  save: procedure.write.input(z.object({ ...text, scriptId: id, id: id.optional() })).output(test),
  delete: procedure.write.input(z.object({ id })).output(z.object({})),
  /**
   * Runs a test; nothing is saved. `body` replaces the saved one. Aborting cancels the run. Never fails because of the
   * script: the outcome lists the failures. With `coverage`, the outcome has the statements that ran, unless the body does
   * not parse, is too long for it, or its host died.
   */
  run: procedure.read
    .input(z.object({ id, body: z.string().optional(), coverage: z.boolean().optional() }))
    .output(outcome),
  /** Sent when tests are saved or deleted: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ scriptId: id }))),
};
