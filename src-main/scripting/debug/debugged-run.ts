import {
  type Breakpoint,
  DEBUG_LIMITS,
  type DebugFrame,
  type DebugStep,
  type DebugVariable,
  type PauseReason,
  type PlacedBreakpoint,
} from '#domain/run/debug';
import type { RunContext, RunError } from '#domain/run/run';
import { grouped } from '#domain/text/grouped';
import { TagwrightError } from '../../platform/errors.ts';
import { type DebugBody, type DebugScope, PARAMETERS } from '../instrument/debug-body.ts';
import { originalError } from '../instrument/columns.ts';
import {
  type DebugQuestion,
  type DebugWants,
  type GuestBreakpoint,
  PendingQuestion,
} from '../sandbox/protocol/debug.ts';
import type { RunStart } from '../sandbox/protocol/messages.ts';
import { ProtocolError } from '../../platform/host-pipe/checks.ts';
import { checkDebugMessage, type HostFrame, type HostMessage, type HostReply } from './debug-message.ts';

export interface Pause {
  reason: PauseReason;
  frames: DebugFrame[];
  error?: { error: RunError; isCaught: boolean };
  title?: string;
}

export interface DebugScopeInfo {
  kind: DebugScope['kind'];
  /** The function that it belongs to. */
  name: string | null;
  /** Whether it belongs to a function around that of the frame. */
  isClosure: boolean;
  names: string[];
}

const IS_CAUGHT = 1;
const IS_FINALLY = 2;
const SUSPENDS = 4;

const RUNNING = 'The run is not paused.';
const TOO_LONG = `A script of more than ${grouped(DEBUG_LIMITS.body)} characters cannot be debugged.`;

export interface DebuggedRunListener {
  paused(run: DebuggedRun, pause: Pause): void;
  continued(run: DebuggedRun): void;
  logged(run: DebuggedRun, text: string, line: number): void;
}

/** Prepares a body for the debugger. Throws BAD_REQUEST if it cannot be debugged. */
export async function debugBodyOf(source: string): Promise<DebugBody> {
  if (source.length > DEBUG_LIMITS.body) throw new TagwrightError('BAD_REQUEST', TOO_LONG);
  const { prepared, whyNotPrepared } = await import('../instrument/prepared.ts');
  const debug = await prepared('debug', source);
  if (typeof debug !== 'string') return debug;
  throw new TagwrightError('BAD_REQUEST', whyNotPrepared(debug, 'debugged'));
}

/** By line: its first point, or that of the next line that has one; nothing after the last one. */
function pointsOfLines(points: DebugBody['points']): number[] {
  const first = new Map<number, number>();
  let last = 0;
  for (const [point, { line }] of points.entries()) {
    if (!first.has(line)) first.set(line, point);
    last = Math.max(last, line);
  }
  const found = Array.from({ length: last + 1 }, () => 0);
  let next = 0;
  for (let line = last; line >= 0; line -= 1) {
    next = first.get(line) ?? next;
    found[line] = next;
  }
  return found;
}

/** One run under the debugger: what its host reports, and what a person asks of it. */
export class DebuggedRun {
  readonly context: RunContext;
  /** The body as its author wrote it. */
  readonly source: string;
  readonly #debug: DebugBody;
  readonly #listener: DebuggedRunListener;
  #wants: DebugWants;
  #hasNewWants = false;
  #pauseWanted = false;
  #frames: HostFrame[] | null = null;
  /** Sends the host what it does next; null unless it is paused or waits. */
  #respond: ((command: DebugQuestion) => void) | null = null;
  /** Gets the reply to the question that was sent. */
  #reply: { resolve(reply: HostReply): void; reject(reason: Error): void } | null = null;
  /** How to continue once the host has replied; null if it was not requested in the meantime. */
  #step: DebugStep | null = null;
  /** The response that the run waits for, between questions; null unless it waits for a call. */
  #response: Promise<unknown> | null = null;
  /** By line; made when a breakpoint is set first. */
  #pointOfLine: number[] | null = null;
  /** Questions are asked one after another. */
  #asking: Promise<unknown> = Promise.resolve();

  /** @param debug the body as `debugBodyOf` prepares it */
  constructor(
    source: string,
    debug: DebugBody,
    context: RunContext,
    wants: Omit<DebugWants, 'breakpoints'>,
    listener: DebuggedRunListener,
  ) {
    this.source = source;
    this.context = context;
    this.#debug = debug;
    this.#listener = listener;
    this.#wants = { ...wants, breakpoints: [] };
  }

  get body(): string {
    return this.#debug.body;
  }

  /** What its host gets at the start; later changes follow. */
  begin(): NonNullable<RunStart['debug']> {
    this.#hasNewWants = false;
    const { token, points, functions } = this.#debug;
    return {
      names: Object.values(PARAMETERS).map((name) => token + name),
      guest: {
        token,
        points: points.map(({ line, fn, isCaught, isFinally, suspends }) => [
          line,
          fn,
          (isCaught ? IS_CAUGHT : 0) + (isFinally ? IS_FINALLY : 0) + (suspends ? SUSPENDS : 0),
        ]),
        functions: functions.map(({ line, lastLine }) => [line, lastLine]),
        wants: this.#wants,
      },
    };
  }

  get isPaused(): boolean {
    return this.#response === null && (this.#respond !== null || this.#reply !== null);
  }

  /** Whether its frames are known, so that it can be asked about them. */
  get canInspect(): boolean {
    return this.#frames !== null;
  }

  /** Throws while an expression is evaluated in a frame that waits: the run cannot make two calls at a time. */
  checkCall(): void {
    if (this.#response !== null) throw new Error('an expression in a script that waits cannot use tags or APIs');
  }

  /** The response to a call, once it is there; until then, the questions that are asked about the run. */
  pending(response: Promise<unknown>): Promise<unknown> {
    // An expression makes the call, in a paused frame.
    if (this.isPaused) return response;
    this.#response = response;
    return this.#responseOrQuestion(response);
  }

  #responseOrQuestion(response: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const respond = (question: DebugQuestion): void => resolve(new PendingQuestion(question));
      this.#respond = respond;
      const complete = (): void => {
        // Otherwise a question is on its way, and its reply comes first.
        if (this.#respond !== respond) return;
        this.#respond = null;
        if (this.#hasNewWants || this.#pauseWanted) {
          this.#reply = { resolve: () => undefined, reject: () => undefined };
          respond({ ask: 'wants', ...this.#takeWants() });
          return;
        }
        this.#response = null;
        this.#frames = null;
      };
      response.then(
        (value) => {
          complete();
          resolve(value);
        },
        (thrown: unknown) => {
          complete();
          reject(thrown);
        },
      );
    });
  }

  /** The frames of a run that waits for a call. Throws CONFLICT for one that runs. */
  async waitingFrames(): Promise<DebugFrame[]> {
    if (this.#response === null) throw new TagwrightError('CONFLICT', RUNNING);
    const reply = await this.#ask({ ask: 'frames' });
    if (!('frames' in reply)) throw new TagwrightError('INTERNAL', 'The script host replied without frames.');
    this.#frames = reply.frames;
    return this.#shown(reply.frames);
  }

  /** The error of the instrumented body with the places that the author sees. */
  original(error: RunError): RunError {
    return originalError(error, { source: this.source, inserted: this.#debug.inserted });
  }

  /** Replaces the breakpoints; returns where they pause. */
  setBreakpoints(breakpoints: readonly Breakpoint[]): PlacedBreakpoint[] {
    const placed = breakpoints.map((one) => ({ ...one, point: this.#pointAt(one.line) }));
    this.#want({
      breakpoints: placed.flatMap(({ point, condition, hits, log }): GuestBreakpoint[] =>
        point === null
          ? []
          : [
              {
                point,
                ...(condition !== undefined && { condition }),
                ...(hits !== undefined && { hits }),
                ...(log !== undefined && { log }),
              },
            ],
      ),
    });
    return placed.map(({ point, ...breakpoint }) => ({
      ...breakpoint,
      actualLine: point === null ? null : (this.#debug.points[point]?.line ?? null),
    }));
  }

  setApiCalls(apiCalls: boolean): void {
    this.#want({ apiCalls });
  }

  setExceptions(exceptions: DebugWants['exceptions']): void {
    this.#want({ exceptions });
  }

  /** Pauses at the next statement; a run that waits for a host call pauses after it. */
  pause(): void {
    if (!this.isPaused) this.#pauseWanted = true;
  }

  /** Continues a paused run: at once, or after the reply to a question. Throws CONFLICT for a run that continues already. */
  resume(step: DebugStep): void {
    if (!this.isPaused || this.#step !== null) throw new TagwrightError('CONFLICT', RUNNING);
    this.#step = step;
    this.#continue();
  }

  #continue(): void {
    const [respond, step] = [this.#respond, this.#step];
    if (respond === null || step === null) return;
    this.#step = null;
    this.#respond = null;
    this.#frames = null;
    const wants = this.#takeWants();
    this.#listener.continued(this);
    respond({ resume: step, ...wants });
  }

  /** The scopes of a frame, inner ones first. */
  scopesOf(frame: number): DebugScopeInfo[] {
    const found = this.#frame(frame);
    const infos: DebugScopeInfo[] = [];
    for (let at = this.#debug.points[found.point]?.scope ?? null; at !== null;) {
      const scope: DebugScope | undefined = this.#debug.scopes[at];
      if (scope === undefined) break;
      const isFunction = scope.kind === 'function' && scope.fn === found.fn;
      infos.push({
        kind: scope.kind,
        name: this.#debug.functions[scope.fn]?.name ?? null,
        isClosure: scope.fn !== found.fn,
        names: isFunction ? [...scope.names, 'this'] : scope.names,
      });
      at = scope.parent;
    }
    return infos.filter(({ names }) => names.length > 0);
  }

  async variables(frame: number, names: readonly string[]): Promise<DebugVariable[]> {
    return list(await this.#ask({ ask: 'scope', frame, names: [...names] }));
  }

  async members(ref: number, from: number, count: number): Promise<DebugVariable[]> {
    return list(await this.#ask({ ask: 'members', ref, from, count }));
  }

  evaluate(frame: number, text: string): Promise<DebugVariable> {
    return this.#askOne({ ask: 'evaluate', frame, text });
  }

  /** A name of a scope of the frame, or a global one, and members of it: without running code of the author. */
  peek(frame: number, [root, ...path]: readonly [string, ...string[]]): Promise<DebugVariable> {
    const isInScope = root === 'this' || this.scopesOf(frame).some(({ names }) => names.includes(root));
    return this.#askOne({
      ask: 'peek',
      frame,
      ...(isInScope ? { name: root, names: path } : { names: [`.${root}`, ...path] }),
    });
  }

  /** Assigns the value of an expression to a variable of a frame, or to a member of an object. */
  assign(frame: number, ref: number | null, name: string, text: string): Promise<DebugVariable> {
    return this.#askOne({ ask: 'assign', frame, name, text, ...(ref !== null && { ref }) });
  }

  /** Runs the getter of an object. */
  get(ref: number, name: string): Promise<DebugVariable> {
    return this.#askOne({ ask: 'get', ref, name });
  }

  thrown(): Promise<DebugVariable> {
    return this.#askOne({ ask: 'thrown' });
  }

  /** A message of the host; resolves to its next command. Throws ProtocolError for an impossible one. */
  receive(given: unknown): unknown {
    const message = checkDebugMessage(given);
    if (message.kind === 'reply' ? this.#reply === null : this.#response !== null || this.isPaused) {
      throw new ProtocolError('a message of a debugger at another time');
    }
    switch (message.kind) {
      case 'ask': {
        const pause = this.#pauseWanted;
        this.#pauseWanted = false;
        return { ...this.#takeWants(), ...(pause && { pause }) };
      }
      case 'log':
        this.#listener.logged(this, message.text, this.#debug.points[message.point]?.line ?? 1);
        return {};
      case 'reply': {
        const waiting = this.#reply;
        this.#reply = null;
        waiting?.resolve(message.reply);
        if (this.#response !== null) return this.#responseOrQuestion(this.#response);
        const next = this.#next();
        this.#continue();
        return next;
      }
      default:
        return this.#paused(message);
    }
  }

  /** The run has ended: nothing can be asked. */
  end(): void {
    this.#respond = null;
    this.#response = null;
    this.#step = null;
    this.#frames = null;
    this.#reply?.reject(new TagwrightError('CONFLICT', RUNNING));
    this.#reply = null;
  }

  #paused({ reason, frames, error, title }: Extract<HostMessage, { kind: 'paused' }>): Promise<unknown> {
    this.#pauseWanted = false;
    this.#frames = frames;
    const next = this.#next();
    this.#listener.paused(this, {
      reason,
      frames: this.#shown(frames),
      ...(error && { error: { ...error, error: this.original(error.error) } }),
      ...(title !== undefined && { title }),
    });
    return next;
  }

  #shown(frames: readonly HostFrame[]): DebugFrame[] {
    return frames.map(({ fn, point, evaluates }) => ({
      name: this.#debug.functions[fn]?.name ?? null,
      line: this.#debug.points[point]?.line ?? 1,
      column: this.#debug.points[point]?.column ?? 1,
      evaluates,
    }));
  }

  #next(): Promise<unknown> {
    return new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  #want(change: Partial<DebugWants>): void {
    this.#wants = { ...this.#wants, ...change };
    this.#hasNewWants = true;
  }

  #takeWants(): { wants?: DebugWants } {
    if (!this.#hasNewWants) return {};
    this.#hasNewWants = false;
    const { breakpoints, exceptions, apiCalls = false } = this.#wants;
    return { wants: { breakpoints, exceptions, apiCalls } };
  }

  /** The first point in this line, or in the next line that has one. */
  #pointAt(line: number): number | null {
    this.#pointOfLine ??= pointsOfLines(this.#debug.points);
    return this.#pointOfLine[line] ?? null;
  }

  #frame(frame: number): HostFrame {
    const found = this.#frames?.[frame];
    if (found === undefined) throw new TagwrightError('NOT_FOUND', 'This frame no longer exists.');
    return found;
  }

  async #askOne(question: DebugQuestion): Promise<DebugVariable> {
    const reply = await this.#ask(question);
    if (Array.isArray(reply)) throw new TagwrightError('INTERNAL', 'The script host replied with a list.');
    if ('error' in reply) throw new EvaluationError(this.original(reply.error));
    if ('frames' in reply) throw new TagwrightError('INTERNAL', 'The script host replied with frames.');
    return reply;
  }

  #ask(question: DebugQuestion): Promise<HostReply> {
    const asked = this.#asking.then(
      () =>
        new Promise<HostReply>((resolve, reject) => {
          const respond = this.#respond;
          if (respond === null) {
            reject(new TagwrightError('CONFLICT', RUNNING));
            return;
          }
          this.#respond = null;
          this.#reply = { resolve, reject };
          respond(question);
        }),
    );
    this.#asking = asked.catch(() => undefined);
    return asked;
  }
}

/** An evaluated expression threw; `runError` is what it threw. */
export class EvaluationError extends Error {
  readonly runError: RunError;

  constructor(runError: RunError) {
    super(`${runError.name}: ${runError.message}`);
    this.runError = runError;
  }
}

function list(reply: HostReply): DebugVariable[] {
  if (Array.isArray(reply)) return reply;
  throw 'error' in reply
    ? new EvaluationError(reply.error)
    : new TagwrightError('INTERNAL', 'The script host replied with one value instead of a list.');
}
