import type { Breakpoint, DebugFrame, DebugStep, PlacedBreakpoint } from '#domain/run/debug';
import type { ConsoleEntry, RunContext } from '#domain/run/run';
import type { DebuggedForm, RunDebugging } from '../runs/run-tree.ts';
import type { DebugWants } from '../sandbox/protocol/debug.ts';
import type { HostCalls, ScriptOutcome, ScriptRun, ScriptRunner } from '../sandbox/script-run.ts';
import { type ApiAnswer, answeredCall } from './api-answer.ts';
import type { DebugBody } from '../instrument/debug-body.ts';
import { debugBodyOf, DebuggedRun, type Pause } from './debugged-run.ts';
import { TagAccesses } from './tag-accesses.ts';

/** What a session reports during its run. */
export interface DebugListener {
  /** The innermost run has paused; the frames of the runs that wait for it follow its own. */
  paused(pause: SessionPause): void;
  continued(): void;
  /** A log point has logged a text. */
  logged(text: string, run: DebuggedRun, line: number): void;
  /** The script has written to its console. */
  console(entry: ConsoleEntry, run: DebuggedRun): void;
  /** The run of the session has ended, with the scripts of tags that it ran. */
  ended?(outcome: ScriptOutcome): void;
}

/** A frame with the run that it belongs to, and its index there. */
export interface SessionFrame extends DebugFrame {
  run: DebuggedRun;
  index: number;
}

export interface SessionPause extends Omit<Pause, 'frames'> {
  frames: SessionFrame[];
}

export interface DebugRunOptions {
  exceptions: DebugWants['exceptions'];
  /** Whether the run pauses before its first statement. */
  stopOnEntry: boolean;
  /** Whether it pauses before each call of an API. */
  apiCalls?: boolean;
}

/** The breakpoints of a run: of the session itself, or of the script of a tag. */
export type BreakpointsOf = (run: DebuggedRun) => readonly Breakpoint[];

/**
 * Debugs a run and the scripts of tags that it runs, each in a host of its own. While an inner one pauses, the outer one
 * waits in the host call that runs it.
 */
export class DebugSession implements RunDebugging {
  readonly runner: ScriptRunner;
  readonly #listener: DebugListener;
  readonly #runs: DebuggedRun[] = [];
  readonly #end = new AbortController();
  readonly #accesses = new Map<DebuggedRun, TagAccesses>();
  #answer: ApiAnswer | null = null;
  #breakpoints: BreakpointsOf;
  #options: DebugRunOptions;
  /** The run that waits for a run; null for that of the session. */
  readonly #outer = new WeakMap<DebuggedRun, DebuggedRun | null>();
  /** The runs that have paused. The first one is shown: one Get may run several scripts at a time. */
  readonly #pauses = new Map<DebuggedRun, Pause>();
  /** The next script of a tag pauses at once: the run steps into it. */
  #stepsInto = false;
  /** A run that stepped into a script of a tag, which has continued since: its own step is over. */
  readonly #stale = new WeakSet<DebuggedRun>();
  #paused: SessionPause | null = null;

  constructor(
    runner: ScriptRunner,
    listener: DebugListener,
    options: DebugRunOptions & { breakpoints?: BreakpointsOf },
  ) {
    this.runner = runner;
    this.#listener = listener;
    this.#options = options;
    this.#breakpoints = options.breakpoints ?? (() => []);
  }

  get pause(): SessionPause | null {
    return this.#paused;
  }

  /** The runs in progress, the innermost last. */
  get runs(): readonly DebuggedRun[] {
    return this.#runs;
  }

  async attach({
    body,
    context,
    parent,
  }: Pick<ScriptRun, 'body' | 'context' | 'parent'>): Promise<DebuggedForm | null> {
    const outer = this.#debuggedOf(parent);
    // An expression runs it, which must not pause again.
    if (outer?.isPaused) return null;
    // A body that does not parse runs without the debugger, which reports its error.
    const debug = await debugBodyOf(body).catch(() => null);
    if (debug === null) return null;
    const run = this.#create(body, debug, context);
    this.#outer.set(run, outer);
    this.#runs.push(run);
    const accesses = new TagAccesses();
    this.#accesses.set(run, accesses);
    return {
      body: run.body,
      debug: run.begin(),
      signal: this.#end.signal,
      onConsole: (entry) => this.#listener.console(entry, run),
      calls: (own) => callsOf(run, accesses.observed(own)),
      answer: (call) => {
        const answer = this.#answer;
        this.#answer = null;
        return answer && answeredCall(call, answer);
      },
      ended: (outcome) => this.#ended(run, outcome),
    };
  }

  /** The tags that a run has used. */
  accessesOf(run: DebuggedRun): TagAccesses | null {
    return this.#accesses.get(run) ?? null;
  }

  /** The next call of an API gets this response, and is not made. */
  answerNextCall(answer: ApiAnswer): void {
    this.#answer = answer;
  }

  /** Ends the run and everything that it started. */
  cancel(): void {
    this.#end.abort();
  }

  /** Sets the breakpoints of all scripts. Returns where they pause in the runs in progress. */
  setBreakpoints(of: BreakpointsOf): Map<DebuggedRun, PlacedBreakpoint[]> {
    this.#breakpoints = of;
    return new Map(this.#runs.map((run) => [run, run.setBreakpoints(of(run))]));
  }

  setApiCalls(apiCalls: boolean): void {
    this.#options = { ...this.#options, apiCalls };
    for (const run of this.#runs) run.setApiCalls(apiCalls);
  }

  setExceptions(exceptions: DebugWants['exceptions']): void {
    this.#options = { ...this.#options, exceptions };
    for (const run of this.#runs) run.setExceptions(exceptions);
  }

  /** Pauses the innermost run at its next statement. */
  requestPause(): void {
    this.#runs.at(-1)?.pause();
  }

  /** Continues the paused run. */
  resume(step: DebugStep): void {
    const run = this.#paused?.frames[0]?.run ?? this.#runs.at(-1);
    if (run === undefined) return;
    this.#stepsInto = step === 'into';
    // A step in a nested run ends the step of the runs around it.
    if (step === 'continue') for (const outer of this.#runs) if (outer !== run) this.#stale.add(outer);
    run.resume(step);
  }

  #create(body: string, debug: DebugBody, context: RunContext): DebuggedRun {
    const isInner = this.#runs.length > 0;
    const atStart = isInner ? this.#stepsInto : this.#options.stopOnEntry;
    this.#stepsInto = false;
    const run: DebuggedRun = new DebuggedRun(
      body,
      debug,
      context,
      { exceptions: this.#options.exceptions, apiCalls: this.#options.apiCalls ?? false, atStart },
      {
        paused: (one, pause) => this.#onPause(one, pause),
        continued: (one) => this.#onContinued(one),
        logged: (one, text, line) => this.#listener.logged(text, one, line),
      },
    );
    run.setBreakpoints(this.#breakpoints(run));
    return run;
  }

  #onPause(run: DebuggedRun, pause: Pause): void {
    if (pause.reason === 'step' && this.#stale.has(run)) {
      this.#stale.delete(run);
      run.resume('continue');
      return;
    }
    this.#stale.delete(run);
    this.#pauses.set(run, pause);
    if (this.#pauses.size === 1) void this.#show(run, pause);
  }

  async #show(run: DebuggedRun, pause: Pause): Promise<void> {
    const frames = sessionFrames(run, pause.frames);
    for (let outer = this.#outer.get(run); outer; outer = this.#outer.get(outer)) {
      frames.push(...sessionFrames(outer, await this.#framesOfOuter(outer)));
    }
    // It may have ended in the meantime.
    if (this.#pauses.get(run) !== pause) return;
    this.#paused = { ...pause, frames };
    this.#listener.paused(this.#paused);
  }

  /** The frames of a run that waits for the script of a tag; one without variables if its host does not reply. */
  async #framesOfOuter(run: DebuggedRun): Promise<DebugFrame[]> {
    try {
      return await run.waitingFrames();
    } catch {
      return [{ name: null, line: this.#accesses.get(run)?.waitsIn ?? 1, column: 1, evaluates: false }];
    }
  }

  #onContinued(run: DebuggedRun): void {
    this.#pauses.delete(run);
    if (this.#paused?.frames[0]?.run !== run) return;
    this.#paused = null;
    this.#listener.continued();
    if (this.#end.signal.aborted) return;
    const [next] = this.#pauses;
    if (next) void this.#show(...next);
  }

  #ended(run: DebuggedRun, outcome: ScriptOutcome): ScriptOutcome {
    run.end();
    const place = this.#runs.indexOf(run);
    if (place !== -1) this.#runs.splice(place, 1);
    this.#accesses.delete(run);
    if (this.#runs.length > 0) this.#onContinued(run);
    else this.#paused = null;
    const seen = { ...outcome, error: outcome.error === null ? null : run.original(outcome.error) };
    if (this.#runs.length === 0) this.#listener.ended?.(seen);
    return seen;
  }

  /** The nearest debugged run around a run: an expression in between is not debugged. */
  #debuggedOf(parent: ScriptRun | undefined): DebuggedRun | null {
    for (let outer = parent; outer; outer = outer.parent) {
      // No other run has this body, which has names of its own.
      const found = this.#runs.find(({ body }) => body === outer?.body);
      if (found) return found;
    }
    return null;
  }
}

const sessionFrames = (run: DebuggedRun, frames: readonly DebugFrame[]): SessionFrame[] =>
  frames.map((frame, index) => ({ ...frame, run, index }));

/** The calls of a debugged run, with those of its debugger. */
function callsOf(run: DebuggedRun, calls: HostCalls): HostCalls {
  const api = calls.api?.bind(calls);
  const debugged: HostCalls = {
    ...calls,
    get: (...given) => {
      run.checkCall();
      return calls.get(...given);
    },
    set: (...given) => {
      run.checkCall();
      return calls.set(...given);
    },
    debug: (message) => run.receive(message),
    pending: (response) => run.pending(response),
  };
  if (api) {
    debugged.api = (...given) => {
      run.checkCall();
      return api(...given);
    };
  }
  return debugged;
}
