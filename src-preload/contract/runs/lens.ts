import { z } from 'zod';
import { RUN_STATUSES } from '#domain/run/run';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { LENS_LIMITS, type LensCell, type LensSubject, type ScopeGrid } from '#domain/run/scope-lens';
import { MAX_SCOPE_LENGTH } from '#domain/tag/scope';
import { procedure } from '../procedure.ts';
import { json } from '../schemas.ts';

const scope = { diagram: z.string(), location: z.string() };
const line = z.int().positive().nullable();
const path = z.string().max(1_000);

const subject: z.ZodType<LensSubject, LensSubject> = z.union([
  z.strictObject({
    body: z.string().max(SCRIPT_LIMITS.bodyBytes),
    context: z.object({ tagName: z.string(), tagValue: json.exactOptional() }),
  }),
  z.strictObject({ tag: path }),
  z.strictObject({ diagram: z.string().max(MAX_SCOPE_LENGTH) }),
]);
const names = z.array(z.string().max(MAX_SCOPE_LENGTH)).min(1).max(LENS_LIMITS.cells);

const cell: z.ZodType<LensCell, LensCell> = z.object({
  ...scope,
  status: z.enum(RUN_STATUSES),
  result: z.string().nullable(),
  error: z.string().nullable(),
  reads: z.array(
    z.object({
      ...scope,
      path: z.string(),
      value: z.string(),
      quality: z.string(),
      origin: z
        .union([
          z.object({ from: z.literal('stored'), ...scope }),
          z.object({ from: z.literal('initial') }),
          z.object({ from: z.literal('run') }),
        ])
        .nullable(),
      shadows: z.array(z.object({ ...scope, value: z.string() })),
      line,
    }),
  ),
  writes: z.array(z.object({ ...scope, path: z.string(), value: z.string(), line })),
  more: z.int().nonnegative(),
});
const grid: z.ZodType<ScopeGrid, ScopeGrid> = z.object({
  diagrams: z.array(z.string()),
  locations: z.array(z.string()),
  cells: z.array(cell),
  warnings: z.array(z.object({ text: z.string(), lines: z.tuple([line, line]) })),
  dropped: z.int().nonnegative(),
});

/** The scope lens; docs/scripting/scope-lens.md explains it. */
export const lens = {
  /** The Diagrams and locations in use, the default (`''`) first. */
  scopes: procedure.read.output(z.object({ diagrams: z.array(z.string()), locations: z.array(z.string()) })),
  /**
   * Runs a body without saving anything, reads a tag, or reads the tags of a Diagram, in each scope: all in use unless
   * others are chosen, at most 200. Aborting cancels it. NOT_FOUND for an unknown tag or Diagram.
   */
  show: procedure.write
    .input(z.object({ subject, diagrams: names.exactOptional(), locations: names.exactOptional() }))
    .output(grid),
};
