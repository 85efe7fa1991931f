import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunReport } from '#domain/run/run';
import type { TestOutcome } from '#domain/run/script-test';
import { isAbort, problemOf } from '../../../../client/errors.ts';
import { Store } from '../../../../support/store.ts';
import type { Memory } from '../../model/scripts-state.ts';
import type { Breakpoints } from './breakpoints.ts';
import type { DebugClient, DebugRequestName, DebugRequests } from './debug-client.ts';
import { shownLater } from './shown-later.ts';
import { StopState } from './stop-state.ts';
import {
  type ConsoleLine,
  type Debuggee,
  type DebuggerState,
  EXCEPTIONS,
  type PausingExceptions,
  isActive,
  isDebuggee,
  NOTHING,
  type RunStep,
  type Stop,
} from './debugger-state.ts';
import { SentBreakpoints } from './sent-breakpoints.ts';
import { sourceOf } from './sources.ts';

/** The reason of a pause before a call of an API. */
const API_CALL = 'api call';
/** The only thread of a run. */
const THREAD = 1;
const MOST_FRAMES = 200;
/** Earlier lines of the debug console are dropped. */
const MOST_LINES = 5_000;
const MEMORY = 'debug-session';
const NO_STOP = { stop: null, frames: [], frame: null, call: null };
/** Between attempts to attach again after a lost connection. */
const RETRY_MS = 1_000;

type Opened = (session: string, initialized: Promise<void>) => Promise<void>;

export type Reported = (debuggee: Debuggee, report: RunReport, test: Omit<TestOutcome, 'report'> | null) => void;

interface DebuggerParts {
  client: DebugClient;
  breakpoints: Breakpoints;
  memory: { ofWindow: Memory; browser: Memory };
  /** A session failed, or a request was rejected. */
  failed: (title: string, error: unknown) => void;
  /** The run has ended with a report; `test` says whether it passed if it was a test. */
  reported: Reported;
}

/** The debugged run of this window: at most one at a time. */
export class RunDebugger {
  readonly store = new Store<DebuggerState>(NOTHING);
  /** The same for people: a run that continues is shown as paused until it has run for a moment, so that steps don't flicker. */
  readonly shown = shownLater(this.store);
  readonly exceptions: Store<PausingExceptions>;
  /** Whether a run pauses before each call of an API. */
  readonly apiCalls: Store<boolean>;
  readonly #parts: DebuggerParts;
  #session: string | null = null;
  #end: AbortController | null = null;
  #line = 0;
  /** What main sent with the current stop. */
  readonly #stopState = new StopState();
  readonly #sent: SentBreakpoints;

  constructor(parts: DebuggerParts) {
    this.#parts = parts;
    const stored = parts.memory.browser.read<string>('debug.exceptions', 'uncaught');
    this.exceptions = new Store(EXCEPTIONS.find((one) => one === stored) ?? 'uncaught');
    this.apiCalls = new Store(parts.memory.browser.read<boolean>('debug.apiCalls', false));
    this.#sent = new SentBreakpoints(parts.client, parts.breakpoints, (error) => {
      if (this.isActive) this.#failed('The breakpoints were not set', error);
    });
  }

  /** The session in main; null if there is none. */
  get id(): string | null {
    return this.#session;
  }

  get isActive(): boolean {
    return isActive(this.store.get().phase);
  }

  /** Starts a debugged run; ignored while there is one. Resolves when it has ended. */
  async start(debuggee: Debuggee, stopOnEntry = false): Promise<void> {
    if (this.isActive) return;
    this.store.set({ ...NOTHING, phase: 'starting', debuggee, stops: this.store.get().stops });
    const { context, dryRun } = debuggee;
    await this.#follow(null, async (session, initialized) => {
      this.#parts.memory.ofWindow.write(MEMORY, { session, debuggee });
      const send = <C extends DebugRequestName>(command: C, args: DebugRequests[C]['arguments']) =>
        this.#parts.client.send(session, command, args);
      await send('initialize', {
        adapterID: 'tagwright',
        clientID: 'tagwright',
        linesStartAt1: true,
        columnsStartAt1: true,
        pathFormat: 'uri',
        supportsVariablePaging: true,
        supportsVariableType: true,
        supportsStopState: true,
      });
      const launched = send('launch', { ...launchedText(debuggee), context, dryRun, stopOnEntry });
      launched.catch(() => {});
      // A body that does not compile is rejected before the session is initialized.
      await Promise.race([launched.then(() => initialized), initialized]);
      await this.#sent.begin(session, debuggee.key);
      await send('setExceptionBreakpoints', { filters: filtersOf(this.exceptions.get()) });
      if (this.apiCalls.get()) await send('tagwright/api', { pause: true });
      await send('configurationDone', {});
      await launched;
      if (this.store.get().phase === 'starting') this.#patch({ phase: 'running' });
    });
  }

  /** Attaches to the run that an earlier page of this window debugged, if it still exists. */
  async reattach(): Promise<void> {
    const known = this.#parts.memory.ofWindow.read<{ session?: unknown; debuggee?: unknown }>(MEMORY, {});
    const { session } = known;
    if (typeof session !== 'string' || !isDebuggee(known.debuggee) || this.isActive) return;
    this.store.set({ ...NOTHING, phase: 'starting', debuggee: known.debuggee });
    await this.#follow(session, (id) => this.#attached(id));
  }

  /** Follows a run that another window debugs, or that *Break in all runs* paused; ignored while there is one here. */
  async attach(session: string, debuggee: Debuggee): Promise<void> {
    if (this.isActive) return;
    this.store.set({ ...NOTHING, phase: 'starting', debuggee, stops: this.store.get().stops });
    this.#parts.memory.ofWindow.write(MEMORY, { session, debuggee });
    await this.#follow(session, (id) => this.#attached(id));
  }

  /** Continues a paused run. */
  step(step: RunStep): void {
    void this.#resume(step, { threadId: THREAD });
  }

  /** Continues a paused run until a line is reached, or a breakpoint. */
  runToLine(key: string, line: number): void {
    void this.#resume('tagwright/runToLine', { source: sourceOf(key), line });
  }

  /** Shows the run as continued at once; if the request is rejected, as paused again. */
  async #resume<C extends RunStep | 'tagwright/runToLine'>(command: C, args: DebugRequests[C]['arguments']) {
    const paused = this.store.get();
    if (paused.phase !== 'paused') return;
    this.#continued();
    const { stops } = this.store.get();
    const { phase, stop, frames, frame, call } = paused;
    try {
      await this.ask(command, args);
    } catch (error) {
      if (!this.isActive) return;
      if (this.store.get().stops === stops) this.#patch({ phase, stop, frames, frame, call, stops: paused.stops });
      this.#failed('The run was not continued', error);
    }
  }

  pause(): void {
    if (this.store.get().phase === 'running') {
      void this.#request('pause', { threadId: THREAD }, 'The run was not paused');
    }
  }

  /** Ends the run; its report says what it did until then. */
  stop(): void {
    if (this.isActive) void this.#request('terminate', {}, 'The run was not stopped');
  }

  /** Starts the run again, with this text and context. */
  async restart(debuggee: Debuggee): Promise<void> {
    const { phase } = this.store.get();
    if (isActive(phase)) {
      const ended = this.#ended();
      this.stop();
      await ended;
    }
    await this.start(debuggee);
  }

  selectFrame(id: number): void {
    this.#patch({ frame: id });
  }

  setExceptions(exceptions: PausingExceptions): void {
    this.exceptions.set(exceptions);
    this.#parts.memory.browser.write('debug.exceptions', exceptions);
    if (!this.isActive) return;
    void this.#request(
      'setExceptionBreakpoints',
      { filters: filtersOf(exceptions) },
      'The exceptions to pause on were not changed',
    );
  }

  setApiCalls(pause: boolean): void {
    this.apiCalls.set(pause);
    this.#parts.memory.browser.write('debug.apiCalls', pause);
    if (this.isActive) void this.#request('tagwright/api', { pause }, 'Pauses before API calls were not changed');
  }

  /** Sends a request about the paused run; rejects if there is none. */
  async ask<C extends DebugRequestName>(
    command: C,
    args: DebugRequests[C]['arguments'],
  ): Promise<DebugRequests[C]['body']> {
    if (this.#session === null) throw new Error('The debugged run has ended.');
    return this.known(command, args) ?? this.#parts.client.send(this.#session, command, args);
  }

  /** The response to a request if it came with the stop, once: what it shows renders with the stop. */
  known<C extends DebugRequestName>(command: C, args: DebugRequests[C]['arguments']): DebugRequests[C]['body'] | null {
    return this.#stopState.take(command, args);
  }

  /** Evaluates an expression of the debug console in the selected frame, and shows it with its result. */
  async evaluate(expression: string): Promise<void> {
    this.#write({ kind: 'input', text: expression });
    const { frame, stops } = this.store.get();
    try {
      const result = await this.ask('evaluate', {
        expression,
        context: 'repl',
        ...(frame !== null && { frameId: frame }),
      });
      const { variablesReference: ref, indexedVariables: indexed = 0, namedVariables: named = 0 } = result;
      this.#write({
        kind: 'result',
        text: result.result,
        value: ref > 0 ? { ref, stop: stops, indexed, named } : null,
      });
      this.changed();
    } catch (error) {
      this.#write({ kind: 'failed', text: problemOf(error).message });
    }
  }

  /** An evaluation may have changed variables: everything of the stop is read again. */
  changed(): void {
    const { phase, revision } = this.store.get();
    this.#stopState.clear();
    if (phase === 'paused') this.#patch({ revision: revision + 1 });
  }

  clearConsole(): void {
    this.#patch({ console: [] });
  }

  /** Forgets a run that has ended. */
  dismiss(): void {
    if (!this.isActive) this.store.set({ ...NOTHING, stops: this.store.get().stops });
  }

  /** The window stops following the run, which continues in main. */
  detach(): void {
    const end = this.#end;
    this.#end = null;
    end?.abort();
  }

  /** Follows a session until it ends; after a lost connection, attaches to it again. */
  async #follow(known: string | null, opened: Opened): Promise<void> {
    const end = new AbortController();
    this.#end = end;
    let [session, attached] = [known, opened];
    for (let isOver = false; !isOver;) {
      try {
        await this.#read(session, attached, end);
        isOver = true;
      } catch (error) {
        isOver = end.signal.aborted || this.#session === null || problemOf(error).code === 'NOT_FOUND';
        if (!isOver) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        else if (!end.signal.aborted && !isAbort(error)) this.#failed(titleOf(session), error);
        [session, attached] = [this.#session, (id) => this.#attached(id)];
      }
    }
    this.#closed(end);
  }

  /** The events of one stream. */
  async #read(known: string | null, opened: Opened, end: AbortController): Promise<void> {
    this.#sent.end();
    const initialized = Promise.withResolvers<void>();
    let opening: Promise<void> = Promise.resolve();
    for await (const message of await this.#parts.client.open(known, end.signal)) {
      if (message.type === 'session' && 'session' in message) {
        this.#session = message.session;
        if (known !== null) this.#patch({ console: [] });
        opening = opened(message.session, initialized.promise).catch((error: unknown) => {
          if (!end.signal.aborted) this.#failed('The script was not debugged', error);
          end.abort();
        });
      } else if (message.type === 'event' && 'event' in message) {
        if (message.event === 'initialized') initialized.resolve();
        this.#event(message);
        if (message.event === 'terminated') break;
      }
    }
    // Otherwise the session stays until main removes it.
    if (this.#session !== null && this.#end === end) {
      this.#parts.client.send(this.#session, 'disconnect', {}).catch(() => {});
    }
    await opening;
  }

  /** A session that was there before this page. */
  async #attached(session: string): Promise<void> {
    await this.#sent.begin(session, this.store.get().debuggee?.key ?? '');
    if (this.store.get().phase === 'starting') this.#patch({ phase: 'running' });
  }

  #closed(end: AbortController): void {
    if (this.#end !== end) return;
    this.#end = null;
    this.#session = null;
    end.abort();
    this.#parts.memory.ofWindow.write(MEMORY, null);
    this.#sent.end();
    this.#parts.breakpoints.forgetPlacements();
    this.#patch({ ...NO_STOP, phase: 'ended' });
  }

  #event(message: DebugProtocol.Event): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the protocol defines the body by the name
    const body = (message.body ?? {}) as Record<string, unknown>;
    switch (message.event) {
      case 'stopped':
        void this.#stopped(body);
        break;
      case 'continued':
        this.#continued();
        break;
      case 'output':
        this.#output(body);
        break;
      case 'breakpoint':
        this.#sent.moved(body['breakpoint']);
        break;
      case 'tagwright/report':
        this.#report(body);
        break;
      default:
    }
  }

  async #stopped({ reason, text, description, state }: Record<string, unknown>): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    const shownText = [text, description].find((one) => typeof one === 'string' && one !== '');
    const stop: Stop = {
      reason: typeof reason === 'string' ? reason : 'pause',
      text: typeof shownText === 'string' ? shownText : null,
    };
    const stops = this.store.get().stops + 1;
    const known = this.#stopState.set(state);
    try {
      if (known === null) this.#patch({ stops });
      const stackFrames = known ?? (await this.#framesOf(session));
      if (known === null && (this.#session !== session || this.store.get().stops !== stops)) return;
      const revision = this.store.get().revision + 1;
      const frame = stackFrames[0]?.id ?? null;
      this.#patch({ phase: 'paused', stop, stops, frames: stackFrames, frame, revision });
      if (stop.reason !== API_CALL) return;
      const { call } = await this.#parts.client.send(session, 'tagwright/api', {});
      if (this.store.get().stops === stops) this.#patch({ call });
    } catch (error) {
      if (this.#session === session) this.#failed('The call stack could not be read', error);
    }
  }

  async #framesOf(session: string): Promise<readonly DebugProtocol.StackFrame[]> {
    const levels = MOST_FRAMES;
    return (await this.#parts.client.send(session, 'stackTrace', { threadId: THREAD, levels })).stackFrames;
  }

  #continued(): void {
    this.#stopState.clear();
    this.#patch({ ...NO_STOP, phase: 'running', stops: this.store.get().stops + 1 });
  }

  #output({ category, output, line }: Record<string, unknown>): void {
    if (typeof output !== 'string' || category === 'telemetry') return;
    const kind = category === 'stderr' ? 'error' : category === 'console' ? 'log' : 'output';
    this.#write({ kind, text: output.replace(/\n$/, ''), line: typeof line === 'number' ? line : null });
  }

  #report(body: Record<string, unknown>): void {
    const { debuggee } = this.store.get();
    const report = body['report'] ?? body;
    if (!debuggee || typeof report !== 'object' || !('status' in report)) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- main sends a run report
    const ended = report as unknown as RunReport;
    if (debuggee.runs && 'tag' in debuggee.runs) {
      const { status, result, error } = ended;
      if (status === 'ok') this.#write({ kind: 'log', text: `Result: ${JSON.stringify(result)}` });
      else this.#write({ kind: 'failed', text: error ? `${error.name}: ${error.message}` : status });
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- main sends the outcome of a test
    this.#parts.reported(debuggee, ended, (body['test'] ?? null) as Omit<TestOutcome, 'report'> | null);
  }

  async #request<C extends DebugRequestName>(command: C, args: DebugRequests[C]['arguments'], title: string) {
    try {
      await this.ask(command, args);
    } catch (error) {
      if (this.isActive) this.#failed(title, error);
    }
  }

  #ended(): Promise<void> {
    return new Promise((resolve) => {
      const forget = this.store.subscribe(() => {
        if (this.isActive) return;
        forget();
        resolve();
      });
    });
  }

  #write(line: Partial<ConsoleLine> & Pick<ConsoleLine, 'kind' | 'text'>): void {
    this.#line += 1;
    const next: ConsoleLine = { line: null, value: null, ...line, id: this.#line };
    this.#patch({ console: [...this.store.get().console, next].slice(-MOST_LINES) });
  }

  #failed(title: string, error: unknown): void {
    this.#parts.failed(title, error);
  }

  #patch(patch: Partial<DebuggerState>): void {
    this.store.update((state) => ({ ...state, ...patch }));
  }
}

const titleOf = (known: string | null) =>
  known === null ? 'The script was not debugged' : 'The debugged run has ended';

function launchedText({ runs, scriptId, name, body }: Debuggee) {
  if (runs && 'tag' in runs) return runs;
  if (runs) return { body, testId: runs.testId };
  return { body, ...(scriptId === null ? { source: { name } } : { scriptId }) };
}

const filtersOf = (exceptions: PausingExceptions): string[] => (exceptions === 'none' ? [] : [exceptions]);
