import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { CodeRange, NotedValue, RanPart, ShownValues } from '#domain/run/shown-values';
import type { RunSteps } from '#domain/run/replays/run-steps';
import { DEBUG_LIMITS, SESSION_STATES, type Breakpoint, type DebugSessionSummary } from '#domain/run/debug';
import { procedure } from '../procedure.ts';
import { json, runContext, runReport } from '../schemas.ts';

const session = z.string().min(1).max(100);
const text = z.string().max(DEBUG_LIMITS.text);

const breakpoint: z.ZodType<Breakpoint, Breakpoint> = z.object({
  line: z.int().positive(),
  condition: text.min(1).exactOptional(),
  hits: z.int().positive().exactOptional(),
  log: text.exactOptional(),
});
const ofScript = z.object({
  /** The id of a script in the library. */
  scriptId: z.int().positive(),
  breakpoints: z.array(breakpoint).max(DEBUG_LIMITS.breakpoints),
});
const breakInAll = z.object({ on: z.boolean(), scripts: z.array(ofScript).max(DEBUG_LIMITS.sources) });

const summary: z.ZodType<DebugSessionSummary, DebugSessionSummary> = z.object({
  session: z.string(),
  name: z.string(),
  scriptId: z.int().positive().nullable(),
  tag: z.string(),
  state: z.enum(SESSION_STATES),
  since: z.string(),
  breakInAll: z.boolean(),
});

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), session: z.string() }),
  /** An event of the Debug Adapter Protocol, without its number. */
  z.object({ type: z.literal('event'), event: z.string(), body: json.exactOptional() }),
]);

const noted: z.ZodType<NotedValue, NotedValue> = z.object({
  line: z.int().positive(),
  name: z.string(),
  first: z.string(),
  last: z.string(),
  count: z.int().positive(),
});
const range: { [K in keyof CodeRange]: z.ZodType<number, number> } = {
  line: z.int().positive(),
  column: z.int().positive(),
  endLine: z.int().positive(),
  endColumn: z.int().positive(),
};
const part: z.ZodType<RanPart, RanPart> = z.object({ ...range, count: z.int().nonnegative() });
const index = z.int().nonnegative();
const steps: z.ZodType<RunSteps, RunSteps> = z.object({
  parts: z.array(index),
  variables: z.array(z.object({ line: z.int().positive(), name: z.string() })),
  changes: z.array(z.tuple([index, index, z.string()])),
  calls: z.array(z.tuple([index, index])),
});
const notes = {
  values: z.array(noted),
  parts: z.array(part),
  executed: z.int().nonnegative(),
  stopped: z.boolean(),
  steps: steps.exactOptional(),
};
/** What a run has noted of its values. */
export const shownNotes: z.ZodType<Omit<ShownValues, 'report'>, Omit<ShownValues, 'report'>> = z.object(notes);
const shownValues: z.ZodType<ShownValues, ShownValues> = z.object({ report: runReport, ...notes });

/**
 * Runs under a debugger, which speaks the Debug Adapter Protocol (DAP). docs/scripting/debugging.md lists the requests and
 * events, with additions that DAP does not have.
 */
export const debug = {
  /**
   * Opens a session, or follows an existing one: NOT_FOUND if it does not exist. Streams first the session, then its
   * events; one that is followed begins with its last outputs and its current state. Every stream of a session gets all
   * events. A session outlives its streams. UNAVAILABLE if there are 50 sessions.
   */
  open: procedure.write.input(z.object({ session: session.exactOptional() })).output(eventIterator(message)),
  /** A request of DAP to a session, and its response. NOT_FOUND if the session does not exist. */
  send: procedure.write
    .input(z.object({ session, command: z.string().min(1).max(100), arguments: json.exactOptional() }))
    .output(z.object({ success: z.boolean(), message: z.string().exactOptional(), body: json.exactOptional() })),
  /** All sessions, oldest first. */
  sessions: procedure.read.output(z.array(summary)),
  /**
   * *Show values*: runs a body once, in a script host outside of the pool, and notes what its variables become and which
   * of its statements and branches run. More than 100,000 of these stop the run, which still reports what it has noted.
   * Aborting cancels the run. BAD_REQUEST for a body of more than 1 MB or too many statements.
   */
  values: procedure.write
    .input(
      z.object({
        body: z.string(),
        context: runContext,
        dryRun: z.boolean(),
        /** A name for `runs.cancel`, as of `runs.execute`. */
        key: z.string().min(1).max(100).optional(),
      }),
    )
    .output(shownValues),
  /** *Break in all runs*: runs pause at these breakpoints, also if a Diagram, a rule or a test started them. */
  breakInAll: procedure.write.input(breakInAll).output(z.object({})),
  /** What was last set. */
  breaksInAll: procedure.read.output(breakInAll),
  /** Sent when sessions begin, pause, continue or end, or *Break in all runs* is switched: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({}))),
};
