import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import type { Breakpoint, DebugStep, ExceptionFilter, DebugState } from '#domain/run/debug';
import type { ConsoleEntry } from '#domain/run/run';
import { type Json, parseJson } from '#domain/text/json';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import { PLAIN } from '../../platform/plain-words.ts';
import type { RunDebugging } from '../runs/run-tree.ts';
import type { ScriptOutcome, ScriptRun } from '../sandbox/script-run.ts';
import {
  ARGUMENTS,
  type ArgumentsOf,
  type DapCommand,
  type LaunchArguments,
  type SourceBreakpoints,
} from './dap-arguments.ts';
import { CAPABILITIES, placedBreakpoints, stoppedBody, wantedBreakpoint } from './dap-bodies.ts';
import type { DebugEvents } from './debug-events.ts';
import { DebugInspection } from './debug-inspection.ts';
import { DebugSession, type SessionPause } from './debug-session.ts';
import type { DebuggedRun } from './debugged-run.ts';
import { EvaluationError } from './debugged-run.ts';
import { launchOf, type AdapterParts, type Launch, type LaunchOutcome } from './debug-launch.ts';
import { DebugSources, originOfTag } from './debug-sources.ts';

/** The response to a request of DAP. */
export interface DapResponse {
  success: boolean;
  message?: string;
  body?: Json;
}

type Handlers = { [C in DapCommand]: (given: ArgumentsOf<C>) => MaybePromise<object | void> };

/**
 * A debug session as the Debug Adapter Protocol sees it, for any transport: requests come to `send`, events go to
 * `events`. It runs one script at a time, with the scripts of the tags that this one uses, as one thread.
 */
export class DebugAdapter {
  readonly #parts: AdapterParts;
  readonly #events: DebugEvents;
  readonly #onState: (state: DebugState) => void;
  readonly #sources: DebugSources;
  readonly #inspection: DebugInspection;
  readonly #breakpoints = new Map<string, Breakpoint[]>();
  #exceptions: ExceptionFilter = 'uncaught';
  #apiCalls = false;
  #launch: Launch | null = null;
  #session: DebugSession | null = null;
  #work: Promise<void> = Promise.resolve();
  #isRestarting = false;
  /** A client gets what it shows first with each stop. */
  #sendsState = false;
  /** A breakpoint for one stop: run to the cursor. */
  #target: { key: string; line: number } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: AdapterParts, events: DebugEvents, onState: (state: DebugState) => void) {
    this.#parts = parts;
    this.#events = events;
    this.#onState = onState;
    this.#sources = new DebugSources(parts.names);
    this.#inspection = new DebugInspection(this.#sources, parts.tags, () => this.#session);
  }

  get name(): string {
    return this.#sources.root.name;
  }

  get scriptId(): number | null {
    return this.#sources.root.scriptId;
  }

  get tag(): string {
    return this.#launch?.context.tagName ?? '';
  }

  /** Never rejects. */
  async send(command: string, given: Json | undefined): Promise<DapResponse> {
    if (!isCommand(command)) return { success: false, message: `The debugger does not know "${command}".` };
    const parsed = ARGUMENTS[command].safeParse(given ?? {}, PLAIN);
    if (!parsed.success) return { success: false, message: `${command}: ${z.prettifyError(parsed.error)}` };
    try {
      const body = await this.#handle(command, parsed.data);
      return { success: true, ...(body && { body: jsonOf(body) }) };
    } catch (thrown) {
      if (thrown instanceof TagwrightError || thrown instanceof EvaluationError) {
        return { success: false, message: messageOf(thrown) };
      }
      this.#parts.log(`debug ${command}`, thrown);
      return { success: false, message: `The debugger could not complete ${command} because of an internal error.` };
    }
  }

  #handle<C extends DapCommand>(command: C, checked: ArgumentsOf<C>): MaybePromise<object | void> {
    return this.#handlers[command](checked);
  }

  /** Debugs a run that something else has started: *Break in all runs*. */
  adopt({ context }: Pick<ScriptRun, 'context'>, breakpoints: ReadonlyMap<string, Breakpoint[]>): RunDebugging {
    for (const [key, some] of breakpoints) this.#breakpoints.set(key, some);
    this.#exceptions = 'none';
    this.#sources.setRoot(originOfTag(this.#parts.names, context));
    this.#launch = { body: '', context, stopOnEntry: false, run: () => Promise.resolve({ report: null }), again: null };
    this.#onState('running');
    this.#session = this.#newSession(false, (outcome) => this.#ended({ report: null }, outcome.status === 'ok'));
    return this.#session;
  }

  /** Ends the run, and everything that it started. */
  async close(): Promise<void> {
    this.#session?.cancel();
    this.#stopTimer();
    await this.#work;
  }

  readonly #handlers: Handlers = {
    initialize: ({ supportsStopState = false }) => {
      if (supportsStopState) this.#sendsState = true;
      return CAPABILITIES;
    },
    launch: (given) => this.#launched(given),
    attach: () => {
      this.#events.emit('initialized');
    },
    configurationDone: () => {
      if (this.#launch?.again && this.#session === null) this.#start(this.#launch);
    },
    setBreakpoints: async (given) => ({ breakpoints: await this.#setBreakpoints(given) }),
    setExceptionBreakpoints: ({ filters }) => {
      this.#exceptions = filters.includes('all') ? 'all' : filters.includes('uncaught') ? 'uncaught' : 'none';
      this.#session?.setExceptions(this.#exceptions);
    },
    threads: () => ({ threads: [{ id: 1, name: this.name }] }),
    stackTrace: (given) => this.#inspection.stackTrace(given),
    scopes: ({ frameId }) => this.#inspection.scopes(frameId),
    variables: (given) => this.#inspection.variables(given),
    evaluate: ({ expression, frameId, context }) =>
      context === 'hover' ? this.#inspection.peek(expression, frameId) : this.#inspection.evaluate(expression, frameId),
    setVariable: ({ variablesReference, name, value }) => this.#inspection.setVariable(variablesReference, name, value),
    setExpression: ({ expression, value, frameId }) => this.#inspection.setExpression(expression, value, frameId),
    completions: ({ text, column, frameId }) => this.#inspection.completions(text, column, frameId),
    source: ({ source = {}, sourceReference = source.sourceReference ?? 0 }) => ({
      content: this.#contentOf({ ...source, sourceReference }),
      mimeType: 'text/javascript',
    }),
    continue: () => {
      this.#resume('continue');
      return { allThreadsContinued: true };
    },
    next: () => this.#resume('over'),
    stepIn: () => this.#resume('into'),
    stepOut: () => this.#resume('out'),
    pause: () => this.#running().requestPause(),
    restart: ({ arguments: given }) => this.#restart(given),
    terminate: () => this.#terminate(),
    disconnect: ({ terminateDebuggee = this.#launch?.again !== null }) => this.#disconnect(terminateDebuggee),
    'tagwright/runToLine': ({ source, line }) => {
      this.#runTo(source === undefined ? this.#sources.root.key : this.#sources.keyOf(source), line);
    },
    'tagwright/tags': (given) => this.#inspection.tags(given),
    'tagwright/api': ({ pause, answer }) => {
      if (pause !== undefined) this.#apiCalls = pause;
      this.#session?.setApiCalls(this.#apiCalls);
      if (answer) this.#running().answerNextCall(answer);
      return { pause: this.#apiCalls, call: this.#inspection.waitingCall() };
    },
  };

  async #launched(given: LaunchArguments): Promise<void> {
    if (this.#session !== null || this.#launch !== null) {
      throw new TagwrightError('CONFLICT', 'This session has a run already. Use "restart", or open another session.');
    }
    const { launch, origin } = launchOf(this.#parts, given);
    this.#sources.setRoot(origin);
    this.#launch = launch;
    await this.#parts.check(launch.body);
    for (const one of given.breakpoints) await this.#setBreakpoints(one);
    this.#onState('ready');
    this.#events.emit('initialized');
    if (given.noWait) this.#start(launch);
  }

  #start(launch: Launch): void {
    const session = this.#newSession(launch.stopOnEntry);
    this.#session = session;
    this.#onState('running');
    this.#work = launch.run(session).then(
      (outcome) => this.#ended(outcome, outcome.report?.status === 'ok'),
      (thrown: unknown) => {
        this.#output('stderr', `${messageOf(thrown)}\n`);
        this.#ended({ report: null }, false);
      },
    );
  }

  #newSession(stopOnEntry: boolean, ended?: (outcome: ScriptOutcome) => void): DebugSession {
    return new DebugSession(
      this.#parts.runner(),
      {
        paused: (pause) => this.#paused(pause),
        continued: () => this.#continued(),
        logged: (text, run, line) => this.#output('console', `${text}\n`, run, line),
        console: (entry, run) => this.#console(entry, run),
        ...(ended && { ended }),
      },
      {
        exceptions: this.#exceptions,
        apiCalls: this.#apiCalls,
        stopOnEntry,
        breakpoints: (run) => this.#breakpointsOf(run),
      },
    );
  }

  #paused(pause: SessionPause): void {
    const wasTarget = this.#target !== null;
    this.#target = null;
    if (wasTarget) this.#running().setBreakpoints((run) => this.#breakpointsOf(run));
    this.#inspection.begin(pause);
    this.#stopTimer();
    this.#timer = setTimeout(() => this.#pausedTooLong(), this.#parts.pausedMs());
    this.#timer.unref();
    this.#onState('paused');
    if (this.#sendsState) void this.#stoppedWithState(pause);
    else this.#events.state([{ event: 'stopped', body: stoppedBody(pause) }]);
  }

  async #stoppedWithState(pause: SessionPause): Promise<void> {
    let details: Record<string, Json> = {};
    try {
      details = { state: jsonOf(await this.#inspection.stopState()) };
    } catch {
      // Requests say why.
    }
    // It may have continued or ended in the meantime.
    if (this.#session?.pause !== pause) return;
    this.#events.state([{ event: 'stopped', body: stoppedBody(pause) }], details);
  }

  #continued(): void {
    this.#stopTimer();
    this.#inspection.end();
    this.#onState('running');
    this.#events.state([{ event: 'continued', body: { threadId: 1, allThreadsContinued: true } }]);
  }

  #pausedTooLong(): void {
    const minutes = Math.round(this.#parts.pausedMs() / 60_000);
    this.#output(
      'stderr',
      `The run ended because it was paused for ${minutes} minutes (setting debug.pausedMinutes).\n`,
    );
    this.#session?.cancel();
  }

  #ended({ report, test }: LaunchOutcome, isOk: boolean): void {
    this.#stopTimer();
    this.#inspection.end();
    this.#session = null;
    if (this.#isRestarting) return;
    this.#onState('ended');
    this.#events.state([
      ...(report ? [{ event: 'tagwright/report', body: jsonOf({ report, test }) }] : []),
      { event: 'exited', body: { exitCode: isOk ? 0 : 1 } },
      { event: 'terminated', body: {} },
    ]);
  }

  #console({ level, text, line }: ConsoleEntry, run: DebuggedRun): void {
    this.#output(level === 'error' || level === 'warn' ? 'stderr' : 'stdout', `${text}\n`, run, line);
  }

  #output(category: 'stdout' | 'stderr' | 'console', output: string, run?: DebuggedRun, line?: number): void {
    const place = run && { source: jsonOf(this.#describe(run)), ...(line !== undefined && { line }) };
    this.#events.output({ category, output, ...place });
  }

  #describe(run: DebuggedRun): DebugProtocol.Source {
    return this.#sources.describe(this.#sources.originOf(run, this.#isRoot(run)), run.source);
  }

  #isRoot(run: DebuggedRun): boolean {
    const runs = this.#session?.runs ?? [];
    return runs.length === 0 || runs[0] === run;
  }

  #breakpointsOf(run: DebuggedRun): Breakpoint[] {
    const { key } = this.#sources.originOf(run, this.#isRoot(run));
    const own = this.#breakpoints.get(key) ?? [];
    return this.#target?.key === key ? [...own, { line: this.#target.line }] : own;
  }

  async #setBreakpoints({ source, breakpoints }: SourceBreakpoints): Promise<DebugProtocol.Breakpoint[]> {
    const key = this.#sources.keyOf(source);
    const wanted = breakpoints.map(wantedBreakpoint);
    const usable = wanted.flatMap((one) => ('line' in one ? [one] : []));
    if (usable.length === 0) this.#breakpoints.delete(key);
    else this.#breakpoints.set(key, usable);
    this.#session?.setBreakpoints((run) => this.#breakpointsOf(run));
    const body = this.#bodyOf(key);
    return placedBreakpoints(wanted, body === null ? null : await this.#parts.placed(body, usable));
  }

  #bodyOf(key: string): string | null {
    const runs = this.#session?.runs ?? [];
    const running = runs.find((run) => this.#sources.originOf(run, this.#isRoot(run)).key === key);
    if (running) return running.source;
    if (key === this.#sources.root.key && this.#launch?.again) return this.#launch.body;
    return this.#sources.bodyOf(key);
  }

  #contentOf(source: { path?: string | undefined; name?: string | undefined; sourceReference: number }): string {
    const content = this.#sources.body(source) ?? this.#bodyOf(this.#sources.keyOf(source));
    if (content === null) throw new TagwrightError('NOT_FOUND', 'The text of this script is not known.');
    return content;
  }

  #running(): DebugSession {
    if (this.#session) return this.#session;
    throw new TagwrightError('CONFLICT', 'There is no run: it has not started, or has ended.');
  }

  #resume(step: DebugStep): void {
    const session = this.#running();
    if (session.pause === null) throw new TagwrightError('CONFLICT', 'The run is not paused.');
    session.resume(step);
  }

  #runTo(key: string, line: number): void {
    const session = this.#running();
    if (session.pause === null) throw new TagwrightError('CONFLICT', 'The run is not paused.');
    this.#target = { key, line };
    session.setBreakpoints((run) => this.#breakpointsOf(run));
    session.resume('continue');
  }

  async #restart(given: LaunchArguments | undefined): Promise<void> {
    const before = this.#launch;
    if (before?.again == null) {
      throw new TagwrightError('CONFLICT', 'Only a run that this session has launched can be restarted.');
    }
    const next = given ? launchOf(this.#parts, given) : { launch: before.again(), origin: this.#sources.root };
    await this.#parts.check(next.launch.body);
    this.#isRestarting = true;
    try {
      this.#session?.cancel();
      await this.#work;
    } finally {
      this.#isRestarting = false;
    }
    this.#events.clear();
    this.#sources.setRoot(next.origin);
    this.#launch = next.launch;
    this.#start(next.launch);
  }

  async #terminate(): Promise<void> {
    if (this.#session) this.#session.cancel();
    else if (this.#launch?.again) this.#ended({ report: null }, false);
    await this.#work;
  }

  async #disconnect(terminates: boolean): Promise<void> {
    if (terminates) {
      await this.#terminate();
      this.#onState('ended');
      this.#parts.remove();
      return;
    }
    this.#breakpoints.clear();
    const session = this.#session;
    session?.setBreakpoints(() => []);
    session?.setExceptions('none');
    if (session && session.pause !== null) session.resume('continue');
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

const isCommand = (command: string): command is DapCommand => Object.hasOwn(ARGUMENTS, command);

/** A body as it is sent: without members that are undefined. */
const jsonOf = (body: object): Json => parseJson(JSON.stringify(body));
