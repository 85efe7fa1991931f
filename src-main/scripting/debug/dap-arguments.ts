import { z } from 'zod';
import { json } from '#contract/schemas';
import { DEBUG_LIMITS } from '#domain/run/debug';

/** The arguments of requests of the Debug Adapter Protocol, with their limits: a client is hostile. */

const text = z.string().max(DEBUG_LIMITS.text);
const name = z.string().max(1_000);
const count = z.int().nonnegative();
const reference = z.int().positive();

const source = z.object({ name: name.optional(), path: name.optional(), sourceReference: count.optional() });
export type SourceArgument = z.infer<typeof source>;

const breakpoints = z
  .array(
    z.object({
      line: z.int().positive(),
      column: count.optional(),
      condition: text.optional(),
      hitCondition: text.optional(),
      logMessage: text.optional(),
    }),
  )
  .max(DEBUG_LIMITS.breakpoints);

const ofSource = z.object({ source, breakpoints: breakpoints.default([]) });
export type SourceBreakpoints = z.infer<typeof ofSource>;

export const LAUNCH = z.object({
  /** The text to run; the one in the library without it. */
  body: z.string().optional(),
  scriptId: z.int().positive().optional(),
  /** The name of a script in the library, `Group/Name`. */
  script: name.optional(),
  /** Runs this test, with its tags and mocks. */
  testId: z.int().positive().optional(),
  /** Runs what this tag reads: its read script, or the expression of a calculation. */
  tag: name.optional(),
  /** How frames name the body, if it is not from the library. */
  source: source.optional(),
  context: z
    .object({
      tagName: name.optional(),
      tagScopeDiagram: name.nullish(),
      tagScopeLocation: name.nullish(),
      tagValue: json.optional(),
    })
    .optional(),
  dryRun: z.boolean().default(false),
  stopOnEntry: z.boolean().default(false),
  /** Starts at once, without `configurationDone`. */
  noWait: z.boolean().default(false),
  breakpoints: z.array(ofSource).max(DEBUG_LIMITS.sources).default([]),
});
export type LaunchArguments = z.infer<typeof LAUNCH>;

const frame = { frameId: reference.optional() };

export const ARGUMENTS = {
  initialize: z.object({
    linesStartAt1: z.boolean().optional(),
    columnsStartAt1: z.boolean().optional(),
    /** `stopped` events then have the frames, and the variables of the first one. */
    supportsStopState: z.boolean().optional(),
  }),
  launch: LAUNCH,
  attach: z.object({}),
  setBreakpoints: ofSource,
  setExceptionBreakpoints: z.object({ filters: z.array(name).max(10) }),
  configurationDone: z.object({}),
  threads: z.object({}),
  stackTrace: z.object({ startFrame: count.optional(), levels: count.optional() }),
  scopes: z.object({ frameId: reference }),
  variables: z.object({
    variablesReference: reference,
    filter: z.enum(['indexed', 'named']).optional(),
    start: count.optional(),
    count: count.optional(),
  }),
  evaluate: z.object({ expression: text, ...frame, context: name.optional() }),
  setVariable: z.object({ variablesReference: reference, name, value: text }),
  setExpression: z.object({ expression: text, value: text, ...frame }),
  completions: z.object({ text, column: reference, line: reference.optional(), ...frame }),
  source: z.object({ sourceReference: count.optional(), source: source.optional() }),
  continue: z.object({}),
  next: z.object({}),
  stepIn: z.object({}),
  stepOut: z.object({}),
  pause: z.object({}),
  restart: z.object({ arguments: LAUNCH.optional() }),
  terminate: z.object({}),
  disconnect: z.object({ terminateDebuggee: z.boolean().optional() }),
  'tagwright/runToLine': z.object({ source: source.optional(), line: reference }),
  'tagwright/tags': z.object({ ...frame, line: reference.optional(), around: count.optional() }),
  'tagwright/api': z.object({
    /** Pauses before each call of an API, from now on. */
    pause: z.boolean().optional(),
    /** The response to the call that the run is paused at, or to the next one. */
    answer: z
      .object({
        status: z.int().min(100).max(599),
        headers: z.record(z.string().max(1_000), z.string().max(10_000)).default({}),
        body: z.string().max(1_048_576).default(''),
      })
      .optional(),
  }),
};
export type DapCommand = keyof typeof ARGUMENTS;
export type ArgumentsOf<C extends DapCommand> = z.infer<(typeof ARGUMENTS)[C]>;
