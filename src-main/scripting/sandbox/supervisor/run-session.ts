import type { RunError, RunStatus } from '#domain/run/run';
import { grouped } from '#domain/text/grouped';
import { ProtocolError } from '../../../platform/host-pipe/checks.ts';
import type { Json } from '#domain/text/json';
import type { Parsed } from '../../../platform/long-texts/json-pieces.ts';
import { HEADER_BYTES } from '../../../platform/host-pipe/frames.ts';
import { MAX_JSON_COST } from '../../../platform/host-pipe/limits.ts';
import { MAX_CALL_TAGS, MAX_RUN_TAGS } from '../protocol/limits.ts';
import { PendingQuestion } from '../protocol/debug.ts';
import { type CallResponse, FROM_HOST, type RunStart } from '../protocol/messages.ts';
import type { CallLine, HostCalls, ScriptOutcome, ScriptRun } from '../script-run.ts';
import {
  CALL,
  type CheckedCall,
  type CheckedRunEnd,
  checkApiArguments,
  checkApiOperation,
  checkCall,
  checkedCall,
  checkedRunEnd,
  checkPaths,
  checkRejected,
  checkRunEnd,
  checkScope,
  checkUsed,
  checkWrites,
  END,
  MAX_END_DEPTH,
} from './check-message.ts';
import { callError, encodedResponse } from './encoded-response.ts';
import type { LongFrameRules } from './long-frame.ts';
import { ReadAhead, type ReadHabits } from './read-ahead.ts';
import { RecordedFrames } from './recorded-frames.ts';
import { roundMs, RunConsole } from './run-console.ts';
import { bufferRefused, explained, isRefusedBuffer, overMemory, scriptTimeout } from './run-errors.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/**
 * The limit for the data of all calls of a run together: 1 GB, or 1 MB for each ms of script time if that is more. No
 * script makes more in that time.
 */
const MIN_RUN_BYTES = 1024 ** 3;
const RUN_BYTES_PER_MS = 1024 ** 2;
/** Delays of main are not script time, but only up to the script's limit, or up to this time. */
const MIN_EXCUSED_MS = 5_000;

/** Maximum length of a call that is compared with the previous one, in characters. */
const MAX_REPEATED_TEXT = 4_096;

/** The host and main count the same, except for texts whose hashes are equal by chance. */
export const COST_LIMIT = 1.1 * MAX_JSON_COST;
/** A host waits for the response to a call. After the end of a run, it reports its next realm. */
const LONG_CALL: LongFrameRules = { what: CALL, cost: COST_LIMIT, after: 0 };
/** Only a payload can be that long, and nothing needs it as one text. */
const LONG_API_CALL: LongFrameRules = { ...LONG_CALL, inParts: true };
const BEGINS_API_CALL = Buffer.from('["api",');
const LONG_END: LongFrameRules = { what: END, cost: COST_LIMIT, levels: MAX_END_DEPTH, after: HEADER_BYTES };
/** Characters in which the beginning of a call has its method. */
const MAX_METHOD = 32;

/** After this time in a host call, a run gives its place to another run, ms. */
export const LONG_CALL_MS = 50;

/** What a script waits for: `call` is a long host call that is not an API call. */
export type WaitsFor = 'network' | 'call' | null;

/**
 * Sends the response to a call, a CallResponse as JSON, the bytes of its image or text, Gets sent ahead, and the next
 * reading of a replayed clock.
 */
export type SendResponse = (
  response: string,
  bytes: Buffer | null,
  ahead: string | null,
  reading?: number | null,
) => void;

/** One run in one host, as seen by main: what the host sends, how long it takes, and how it ended. */
export class RunSession {
  readonly run: ScriptRun;
  readonly #queuedMs: number;
  readonly #onWait: (waitsFor: WaitsFor) => void;
  readonly #ahead: ReadAhead;
  readonly #recorded: RecordedFrames;
  readonly #startedAt = new Date().toISOString();
  #start = performance.now();
  readonly #console: RunConsole;
  #callBytes = 0;
  #callTags = 0;
  #hostCallMs = 0;
  #callStart: number | null = null;
  #excusedMs = 0;
  /** When its long end arrived, which is then read. */
  #endedAt: number | null = null;
  /** The last Get, if its text is short. */
  #repeated: { text: string; call: CheckedCall } | null = null;
  #waitsFor: WaitsFor = null;
  #longCall: NodeJS.Timeout | null = null;
  #hasReplied = false;
  #over = false;

  /**
   * @param onWait notified when the script begins and ends to wait
   * @param habits the Gets of its script so far; null to send no values ahead
   */
  constructor(
    run: ScriptRun,
    queuedMs: number,
    onWait: (waitsFor: WaitsFor) => void = () => undefined,
    habits: ReadHabits | null = null,
  ) {
    this.run = run;
    this.#ahead = new ReadAhead(run.calls, habits);
    this.#recorded = new RecordedFrames(run.recorded);
    this.#onWait = onWait;
    this.#queuedMs = queuedMs;
    this.#console = new RunConsole(run.limits.consoleEntries);
  }

  /** Whether the host has sent anything, so that its script may have begun. */
  get hasReplied(): boolean {
    return this.#hasReplied;
  }

  /** The reason why it waits; null if it runs. */
  get waitsFor(): WaitsFor {
    return this.#waitsFor;
  }

  /** Whether the host waits for the response to a call. */
  get isWaiting(): boolean {
    return this.#callStart !== null;
  }

  /** The host starts this run only now: earlier work does not count. */
  begin(): void {
    this.#start = performance.now();
    this.#excusedMs = 0;
  }

  request(): RunStart {
    const { body, context, limits, coverage, debug } = this.run;
    const { scriptMs, memoryMb, consoleEntries, resultBytes } = limits;
    const own = { scriptMs, memoryMb, consoleEntries, resultBytes };
    const { recorded } = this.run;
    return {
      body,
      context,
      limits: own,
      ...(coverage && { coverage }),
      ...(recorded && { recorded: recorded.start }),
      ...(debug && { debug }),
    };
  }

  /**
   * Handles a frame of the host. Returns the end of the run if the frame reports it, otherwise null. `send` sends the
   * response to a call. Throws ProtocolError if this host may not send the frame now.
   */
  receive(type: number, text: string, send: SendResponse): CheckedRunEnd | null {
    this.#hasReplied = true;
    if (this.#callStart !== null) throw new ProtocolError('a frame while it waited for a response');
    switch (type) {
      case FROM_HOST.call:
        if (this.#hasRoom(text.length)) this.#call(this.#checked(text), send);
        else this.#refuse(text, send);
        return null;
      case FROM_HOST.used: {
        const { place, line, afterMs } = checkUsed(text);
        this.#callTags += this.#ahead.use(place, line, afterMs);
        return null;
      }
      case FROM_HOST.console: {
        const entry = this.#console.add(text, performance.now() - this.#start);
        this.run.onConsole?.(entry);
        this.#ahead.messageArrived();
        return null;
      }
      case FROM_HOST.consoleDropped:
        this.#console.noteDropped(text);
        return null;
      case FROM_HOST.clock:
      case FROM_HOST.place:
        this.#recorded.note(type, text);
        return null;
      case FROM_HOST.done: {
        this.#ahead.interrupted();
        return this.#endOf(checkRunEnd(text, this.run.coverage?.statements));
      }
      default:
        throw new ProtocolError(`a frame of type ${type} during a run`);
    }
  }

  /**
   * A long call or the long end of the run has arrived. Returns what it may be, or null if it needs not be read. Reading it
   * is no script time. Throws ProtocolError if this host may not send it now.
   */
  beginLong(type: number, payload: Buffer, send: SendResponse): LongFrameRules | null {
    this.#hasReplied = true;
    if (type === FROM_HOST.call) {
      if (this.#hasRoom(payload.length)) {
        this.#callStart = performance.now();
        return payload.subarray(0, BEGINS_API_CALL.length).equals(BEGINS_API_CALL) ? LONG_API_CALL : LONG_CALL;
      }
      this.#refuse(payload.toString('latin1', 0, MAX_METHOD), send);
      return null;
    }
    this.#ahead.interrupted();
    this.#endedAt = performance.now();
    return LONG_END;
  }

  /** Handles a long frame as `receive` does it, once it is read. */
  receiveLong(type: number, frame: Parsed, send: SendResponse): CheckedRunEnd | null {
    if (type === FROM_HOST.done) return this.#endOf(checkedRunEnd(frame, this.run.coverage?.statements ?? 0, true));
    this.#call(checkedCall(frame), send);
    return null;
  }

  #hasRoom(callBytes: number): boolean {
    this.#callBytes += callBytes;
    return this.#callBytes <= MIN_RUN_BYTES + this.run.limits.scriptMs * RUN_BYTES_PER_MS;
  }

  #endOf(end: CheckedRunEnd): CheckedRunEnd {
    this.#console.droppedByHost = end.dropped;
    return end;
  }

  /** The run has ended: later responses are not sent. */
  close(): void {
    this.#over = true;
    this.#endLongCall();
  }

  /** Script time so far, and the total time, in ms. */
  elapsed(now: number): { scriptMs: number; totalMs: number } {
    const totalMs = (this.#endedAt ?? now) - this.#start;
    const waiting = this.#callStart === null ? 0 : now - this.#callStart;
    return { scriptMs: totalMs - this.#hostCallMs - waiting - this.#excusedMs, totalMs };
  }

  /**
   * Main could not listen for this long; that is not script time, unless the script was waiting anyway. A host that
   * keeps main busy is not excused forever.
   */
  excludeFromScriptTime(ms: number): void {
    const waitsSince = this.#callStart ?? this.#endedAt;
    const late = waitsSince === null ? ms : ms - (performance.now() - waitsSince);
    if (late <= 0) return;
    this.#excusedMs = Math.min(this.#excusedMs + late, Math.max(this.run.limits.scriptMs, MIN_EXCUSED_MS));
  }

  outcomeOf(end: CheckedRunEnd): ScriptOutcome {
    const outcome = this.#outcomeOf(end);
    return end.covered === undefined ? outcome : { ...outcome, covered: end.covered };
  }

  #outcomeOf(end: CheckedRunEnd): ScriptOutcome {
    switch (end.status) {
      case 'ok':
        return this.outcome('ok', null, end.result);
      case 'error':
        return isRefusedBuffer(end.error)
          ? this.outcome('memory', bufferRefused(this.run.limits, end.error))
          : this.outcome('error', explained(end.error, this.run.body));
      case 'timeout':
        return this.outcome('timeout', scriptTimeout(this.run.limits));
      default:
        return this.outcome('memory', overMemory(this.run.limits));
    }
  }

  outcome(status: RunStatus, error: RunError | null, result: Json = null): ScriptOutcome {
    const now = this.#endedAt ?? performance.now();
    const totalMs = now - this.#start;
    const hostCallMs = this.#hostCallMs + (this.#callStart === null ? 0 : now - this.#callStart);
    return {
      status,
      result,
      error,
      console: this.#console.entries,
      consoleDropped: this.#console.dropped,
      timing: {
        startedAt: this.#startedAt,
        queuedMs: roundMs(this.#queuedMs),
        scriptMs: roundMs(Math.max(0, totalMs - hostCallMs)),
        hostCallMs: roundMs(hostCallMs),
        totalMs: roundMs(totalMs),
      },
    };
  }

  /** Scripts that read the same tags in a loop send the same text each time: it is parsed and checked once. */
  #checked(text: string): CheckedCall {
    if (this.#repeated?.text === text) return this.#repeated.call;
    const call = checkCall(text);
    if (call.method === 'get' && text.length <= MAX_REPEATED_TEXT) this.#repeated = { text, call };
    return call;
  }

  /** Rejects calls beyond the run's limit without parsing them. */
  #refuse(text: string, send: SendResponse): void {
    const message = `the calls of this run carry more than ${Math.floor(this.#callBytes / RUN_BYTES_PER_MS)} MB in total; read and write less in one run`;
    const method = Object.keys(NAMES).find((name) => text.startsWith(`["${name}",`));
    if (method !== undefined) this.#rejected(method, null, message);
    this.#ahead.interrupted();
    send(JSON.stringify({ error: { message } }), null, null);
  }

  #call(call: CheckedCall, send: SendResponse): void {
    this.#callStart ??= performance.now();
    let value: unknown;
    try {
      this.#checkSize(call);
      value = makeCall(this.run.calls, call, this.#ahead);
    } catch (thrown) {
      if (thrown instanceof ProtocolError) throw thrown;
      this.#respond({ error: callError(thrown) }, send);
      return;
    }
    if (!(value instanceof Promise)) {
      this.#respond({ value }, send);
      return;
    }
    if (call.method === 'api') this.#waitFor('network');
    else this.#longCall = setTimeout(() => this.#waitFor('call'), LONG_CALL_MS).unref();
    const response = (call.method === 'debug' ? undefined : this.run.calls.pending?.(value)) ?? value;
    response.then(
      (settled: unknown) => this.#respond(responseOf(settled), send),
      (thrown: unknown) => this.#respond({ error: callError(thrown) }, send),
    );
  }

  #checkSize({ method, line, args: [tags] }: CheckedCall): void {
    if (!Array.isArray(tags) || !(method in NAMES)) return;
    this.#callTags += tags.length;
    if (tags.length > MAX_CALL_TAGS) {
      const takes = `one ${NAMES[method]} takes at most ${grouped(MAX_CALL_TAGS)} tags`;
      throw this.#rejected(method, line, `${takes}, but this one has ${grouped(tags.length)}; split it into several`);
    }
    if (this.#callTags <= MAX_RUN_TAGS) return;
    const all = grouped(MAX_RUN_TAGS);
    const message = `the calls of this run name more than ${all} tags in total; read and write fewer in one run`;
    throw this.#rejected(method, line, message);
  }

  /** The error of a call that is rejected here, which is in the trace too. */
  #rejected(method: string, line: CallLine, reason: string): Error {
    const path = `TagValueManager.${NAMES[method]}`;
    this.run.calls.rejected?.([{ access: method === 'get' ? 'read' : 'write', path, reason }], line);
    return new Error(reason);
  }

  #waitFor(waitsFor: WaitsFor): void {
    this.#waitsFor = waitsFor;
    this.#onWait(waitsFor);
  }

  #endLongCall(): void {
    if (this.#longCall !== null) clearTimeout(this.#longCall);
    this.#longCall = null;
  }

  #respond(response: CallResponse, send: SendResponse): void {
    if (this.#over || this.#callStart === null) return;
    this.#endLongCall();
    if (this.#waitsFor !== null) this.#waitFor(null);
    const { text, bytes } = encodedResponse(response);
    const ahead = this.#ahead.frame();
    this.#hostCallMs += performance.now() - this.#callStart;
    this.#callStart = null;
    send(text, bytes, ahead, this.run.recorded?.nextReading() ?? null);
  }
}

const responseOf = (value: unknown): CallResponse =>
  value instanceof PendingQuestion ? { question: value.question } : { value };

/** Checks the arguments of a call (ProtocolError if they are impossible) and makes it. */
type HostMethod = (calls: HostCalls, call: CheckedCall, ahead: ReadAhead) => MaybePromise<unknown>;

/**
 * All requests that a script can make to main. A new API object adds its methods here and its own part to the guest.
 */
const METHODS = new Map<string, HostMethod>([
  [
    'get',
    (calls, { line, args: [tags, diagram, location] }, ahead) => {
      const [paths, scope] = [checkPaths(tags), checkScope(diagram, location)];
      ahead.called(paths, scope);
      return calls.get(paths, scope, line);
    },
  ],
  [
    'set',
    (calls, { line, args: [items, diagram, location] }) =>
      calls.set(checkWrites(items), checkScope(diagram, location), line),
  ],
  [
    'rejected',
    (calls, { line, args: [access, items] }) => {
      calls.rejected?.(checkRejected(access, items), line);
      return null;
    },
  ],
  [
    'debug',
    (calls, { args: [message] }) => {
      if (calls.debug) return calls.debug(message);
      throw new ProtocolError('a message of a debugger in a run that is not debugged');
    },
  ],
  [
    'api',
    (calls, { line, args: [operation, args] }) => {
      const checked = checkApiOperation(operation);
      const passed = checkApiArguments(checked, args);
      if (calls.api) return calls.api(checked, passed, line);
      throw new Error('a calculation cannot call APIs; use a script tag instead');
    },
  ],
]);

/** The methods of TagValueManager. */
const NAMES: Readonly<Record<string, string>> = { get: 'Get', set: 'Set' };

/** Carries out a call of the script. Throws ProtocolError for one that no script can make. */
function makeCall(calls: HostCalls, call: CheckedCall, ahead: ReadAhead): MaybePromise<unknown> {
  const method = METHODS.get(call.method);
  if (method === undefined) throw new ProtocolError('a call of an unknown method');
  if (call.method !== 'get') ahead.interrupted();
  return method(calls, call, ahead);
}
