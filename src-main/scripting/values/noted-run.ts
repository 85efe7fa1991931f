import type { RunContext, RunError, RunReport } from '#domain/run/run';
import { type RunSteps, STEP_LIMITS } from '#domain/run/replays/run-steps';
import { type NotedValue, type ShownValues, VALUES_LIMITS } from '#domain/run/shown-values';
import { DEBUG_LIMITS } from '#domain/run/debug';
import { grouped } from '#domain/text/grouped';
import { TagwrightError } from '../../platform/errors.ts';
import { ProtocolError } from '../../platform/host-pipe/checks.ts';
import { originalError } from '../instrument/columns.ts';
import { NOTING_PARAMETERS, type NotingBody } from '../instrument/noting-body.ts';
import type { DebuggedForm, RunDebugging } from '../runs/run-tree.ts';
import type { RunStart } from '../sandbox/protocol/messages.ts';
import type { ScriptOutcome, ScriptRun, ScriptRunner } from '../sandbox/script-run.ts';
import { checkNotes } from './check-notes.ts';

export interface NotedRunParts {
  runner: ScriptRunner;
  /** Runs the body, with its instrumented form. */
  run(request: { body: string; context: RunContext; dryRun: boolean }, debugging: RunDebugging): Promise<RunReport>;
  /** Replaces secrets in a text; null if there are none. */
  mask(): ((text: string) => string) | null;
  /** Also keeps the order of its steps. */
  steps?: boolean;
}

/**
 * Runs a body once, noting what its variables become and which of its statements run. Scripts of tags that it reads or
 * writes run as always. Throws BAD_REQUEST for a body that is too long.
 */
export async function runWithNotes(
  request: { body: string; context: RunContext; dryRun: boolean },
  parts: NotedRunParts,
): Promise<ShownValues> {
  if (request.body.length > DEBUG_LIMITS.body) {
    const most = grouped(DEBUG_LIMITS.body);
    throw new TagwrightError('BAD_REQUEST', `Values are shown for scripts of up to ${most} characters.`);
  }
  const { prepared, whyNotPrepared } = await import('../instrument/prepared.ts');
  const body = await prepared('values', request.body);
  if (body === 'length' || body === 'effort') {
    throw new TagwrightError('BAD_REQUEST', whyNotPrepared(body, 'run with its values'));
  }
  // One that does not parse is run for its error.
  const notes = body === 'syntax' ? null : new RunNotes(request.body, body, parts.steps === true);
  const debugging = { runner: parts.runner, pauses: false, attach: (run: Attached) => notes?.attach(run) ?? null };
  const report = await parts.run(request, debugging);
  return { report, ...(notes ? notes.shown(parts.mask() ?? ((text) => text)) : NOTHING) };
}

type Attached = Pick<ScriptRun, 'body' | 'context'>;

const NOTHING = { values: [], parts: [], executed: 0, stopped: false };

/** The notes of a run, as its host reports them. */
class RunNotes {
  readonly #source: string;
  readonly #body: NotingBody;
  readonly #values: ({ count: number; first: string; last: string } | null)[];
  readonly #points: number[];
  readonly #steps: RunSteps | null;
  readonly #end = new AbortController();
  #executed = 0;
  #stoppedAt: number | null = null;
  #isAttached = false;

  constructor(source: string, body: NotingBody, keepsSteps: boolean) {
    this.#source = source;
    this.#body = body;
    this.#values = body.variables.map(() => null);
    this.#points = body.points.map(() => 0);
    this.#steps = keepsSteps ? { parts: [], variables: body.variables, changes: [], calls: [] } : null;
  }

  /** The first run is that of the body; those of tags follow. */
  attach(_run: Attached): DebuggedForm | null {
    if (this.#isAttached) return null;
    this.#isAttached = true;
    return {
      body: this.#body.body,
      debug: this.#start,
      signal: this.#end.signal,
      calls: (own) => ({ ...own, debug: (message) => this.#receive(message) }),
      answer: () => null,
      ended: (outcome) => this.#ended(outcome),
    };
  }

  shown(mask: (text: string) => string): Omit<ShownValues, 'report'> {
    const { variables, points } = this.#body;
    const values = variables.flatMap(({ line, name }, index): NotedValue[] => {
      const noted = this.#values[index];
      return noted ? [{ line, name, ...noted, first: mask(noted.first), last: mask(noted.last) }] : [];
    });
    return {
      values: values.toSorted((a, b) => a.line - b.line),
      parts: points.map((range, index) => ({ ...range, count: this.#points[index] ?? 0 })),
      executed: this.#executed,
      stopped: this.#stoppedAt !== null,
      ...(this.#steps && { steps: shownSteps(this.#steps, this.#body.heads, mask) }),
    };
  }

  get #start(): NonNullable<RunStart['debug']> {
    const { token, points, variables } = this.#body;
    return {
      names: Object.values(NOTING_PARAMETERS).map((name) => token + name),
      guest: {
        token,
        points: points.length,
        variables: variables.length,
        most: VALUES_LIMITS.executed,
        text: this.#steps ? VALUES_LIMITS.stepText : VALUES_LIMITS.text,
        ...(this.#steps && { steps: STEP_LIMITS }),
      },
    };
  }

  /** Throws ProtocolError for an impossible report. A run with too many statements ends here, without a response. */
  #receive(message: unknown): unknown {
    const { variables, points } = this.#body;
    const notes = checkNotes(message, { variables: variables.length, points: points.length });
    for (const { variable, count, first, last } of notes.values) this.#values[variable] = { count, first, last };
    for (const { point, count } of notes.points) this.#points[point] = count;
    this.#executed = notes.executed;
    if (this.#steps) addSteps(this.#steps, notes);
    if (notes.stoppedAt === null) return {};
    this.#stoppedAt = notes.stoppedAt;
    this.#end.abort();
    return new Promise(() => undefined);
  }

  #ended(outcome: ScriptOutcome): ScriptOutcome {
    const error = this.#limitError() ?? outcome.error;
    return {
      ...outcome,
      error: error && originalError(error, { source: this.#source, inserted: this.#body.inserted }),
    };
  }

  #limitError(): RunError | null {
    if (this.#stoppedAt === null) return null;
    const { line = 1 } = this.#body.points[this.#stoppedAt] ?? {};
    const most = grouped(VALUES_LIMITS.executed);
    return {
      name: 'TooManyStatements',
      message: `stopped after ${most} statements, the most for which values are shown; use smaller loops, or run the script without values`,
      line,
      column: null,
      stack: [],
    };
  }
}

/** Throws ProtocolError for more than a host keeps, and for values and calls of steps that did not come. */
function addSteps(
  { parts, changes, calls }: RunSteps,
  notes: Pick<ReturnType<typeof checkNotes>, 'steps' | 'changes' | 'calls'>,
): void {
  for (const point of notes.steps) parts.push(point);
  for (const { step, variable, value } of notes.changes) changes.push([step, variable, value]);
  for (const { step, calls: made } of notes.calls) calls.push([step, made]);
  const isPossible =
    parts.length <= STEP_LIMITS.steps &&
    changes.length <= STEP_LIMITS.changes &&
    calls.length <= STEP_LIMITS.steps &&
    [...notes.changes, ...notes.calls].every(({ step }) => step < parts.length);
  if (!isPossible) throw new ProtocolError('steps that no run has');
}

/** A parameter gets its value before the first statement of its function, and belongs to that step. */
function shownSteps(steps: RunSteps, heads: ReadonlySet<number>, mask: (text: string) => string): RunSteps {
  const last = steps.parts.length - 1;
  const changes = steps.changes.map(([step, variable, value]): RunSteps['changes'][number] => [
    heads.has(variable) ? Math.min(step + 1, last) : step,
    variable,
    mask(value),
  ]);
  return { ...steps, changes: changes.toSorted(([a], [b]) => a - b) };
}
