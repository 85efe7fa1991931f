import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { ScriptTest, ScriptTestText, TestDifference, TestOutcome } from '#domain/run/script-test';
import { TEST_CHECKS } from '#domain/run/script-test';
import { runContext, runReport } from './schemas.ts';
import { procedure } from './procedure.ts';
import { countedEvents, scriptTestText } from './texts/script-test-text.ts';

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
  events: z.array(countedEvents()),
  coverage: z.object({ lines: z.array(z.int()), executed: z.string() }).exactOptional(),
});

/** Tests of scripts: inputs and expected results. */
export const scriptTests = {
  /** The tests of one script, or of all scripts that are not deleted, in order of creation. */
  list: procedure.read.input(z.object({ scriptId: id.optional() })).output(z.array(test)),
  /** Adds a test, or replaces the one of `id`. CONFLICT if the script has another one with that name. */
  save: procedure.write.input(z.object({ ...scriptTestText().shape, scriptId: id, id: id.optional() })).output(test),
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
