import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { CheckResult, Diagnosis, DiagnosisStep, SupportFile } from '#domain/workspace/diagnosis';
import { CHECK_STATES } from '#domain/workspace/diagnosis';
import { procedure } from './procedure.ts';

const check: z.ZodType<CheckResult, CheckResult> = z.object({
  id: z.string(),
  group: z.string(),
  title: z.string(),
  state: z.enum(CHECK_STATES),
  detail: z.string(),
  fix: z.string().nullable(),
});
const diagnosis: z.ZodType<Diagnosis, Diagnosis> = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  version: z.string(),
  workspace: z.string(),
  full: z.boolean(),
  state: z.enum(['ok', 'warning', 'problem']),
  checks: z.array(check),
});
const step: z.ZodType<DiagnosisStep, DiagnosisStep> = z.object({
  doing: z.string(),
  checks: z.array(check),
  diagnosis: diagnosis.nullable(),
});
const supportFile: z.ZodType<SupportFile, SupportFile> = z.object({ name: z.string(), text: z.string() });

/** The checks of `tagwright doctor` and of the page Diagnostics. They change nothing in the workspace. */
export const diagnostics = {
  /**
   * Checks this installation and its workspace, and reports its progress; the last step has the whole diagnosis. Ending
   * the stream ends the checks. `full` checks every page of both databases, without a time limit.
   */
  run: procedure.write.input(z.object({ full: z.boolean().exactOptional() })).output(eventIterator(step)),
  /** A file without secrets with the last diagnosis; if there is none, it is created first. */
  support: procedure.read.output(supportFile),
};
