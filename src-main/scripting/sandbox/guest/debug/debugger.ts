import type { DebugStep } from '#domain/run/debug';
import type { DebugCommand, DebugQuestion, DebugWants, GuestBreakpoint, GuestDebug } from '../../protocol/debug.ts';
import { inheritedData } from './data-only.ts';
import { closeInspection, query, shownText, type PausedFrame, type FrameView } from './debug-values.ts';
import { thrownData } from './thrown-data.ts';
import { callHost, isConnected, onApiCall, onQuestion } from '../host-call.ts';
import { isProxy } from './tracked-proxies.ts';
import {
  append,
  captureStackTrace,
  EngineError,
  indexOfText,
  matchOnce,
  own,
  PrimitiveNumber,
  PrimitiveUint8Array,
  put,
  sliceText,
  stringify,
} from '../primordials.ts';

/** A call of one of the author's functions: where it is, and what evaluates text there. */
interface Activation {
  readonly fn: number;
  point: number;
  view: FrameView | undefined;
  /** Where it was put on the stack; -1 before. */
  place: number;
}

/** More than the engine's stack has room for. */
const MOST_ACTIVATIONS = 20_000;
/** If there are more, the outermost and the innermost ones are kept: most of the others have ended. */
const KEPT_OUTER = 1_000;
const KEPT_INNER = 9_000;

const { now } = Date;

/** What a debugged body gets, in the order of PARAMETERS in instrument/debug.ts. */
type Probes = [
  point: (point: number, activation: Activation, view: FrameView | undefined) => void,
  enter: (fn: number) => Activation,
  thrown: (value: unknown, activation: Activation) => unknown,
  caught: (activation: Activation, value: unknown) => void,
  finallyBegins: (activation: Activation) => void,
];

const IS_CAUGHT = 1;
const IS_FINALLY = 2;
const SUSPENDS = 4;
/** The time is read after this many points. */
const POINTS_BETWEEN = 256;
/** Main is asked this often whether the run has to pause, ms. */
const ASK_MS = 20;
const MAX_FRAMES = 200;
const MAX_TEXT = 2_000;
/** Characters of a note, which may be the arguments of a call. */
const MAX_TITLE = 20_000;

/** No value of a script. */
const NOTHING = {};

/**
 * The part of the debugger that runs inside of the realm: it decides at each point whether to pause. While it pauses, it
 * waits for main in a host call, like any other, and does what main asks for.
 */
export class Debugger {
  readonly #debug: GuestDebug;
  readonly #marks: Uint8Array;
  #breakpoints: GuestBreakpoint[] = [];
  readonly #hits: number[] = [];
  #exceptions: DebugWants['exceptions'] = 'none';
  #apiCalls = false;
  readonly #stack: Activation[] = [];
  #depth = 0;
  #step: DebugStep = 'continue';
  #from: Activation[] = [];
  #countdown = POINTS_BETWEEN;
  #askAt = 0;
  /** Evaluations run code of the author, which must not pause. */
  #busy = false;
  /** The last value that the run has paused for: it is not reported again on its way. */
  #reported: unknown = NOTHING;
  /** The activations before a `finally` block began, and that block's. */
  #thrownFrom: { activations: Activation[]; block: Activation } | null = null;

  constructor(debug: GuestDebug) {
    this.#debug = debug;
    this.#marks = new PrimitiveUint8Array(debug.points.length);
    this.#want(debug.wants);
    if (own(debug.wants, 'atStart') === true) this.#step = 'into';
    onApiCall((call) => this.#beforeApi(call));
    onQuestion((question) => this.#whileWaiting(question));
  }

  probes(): Probes {
    return [
      (point, activation, view) => this.#point(point, activation, view),
      (fn) => ({ fn, point: -1, view: undefined, place: -1 }),
      (value, activation) => this.#thrown(value, activation),
      (activation, value) => this.#caught(activation, value),
      (activation) => this.#finally(activation),
    ];
  }

  /** The body has thrown a value that nothing caught. */
  uncaught(value: unknown): void {
    if (this.#exceptions === 'none' || this.#isOff() || value === this.#reported) return;
    const from = this.#thrownFrom?.activations ?? this.#activations();
    this.#pause('exception', from, value, false);
  }

  /** The body has returned: nothing is left to pause for. */
  returned(): void {}

  /** Also code that runs after the end of the run must not pause, such as a `toJSON` of its result: it runs as always. */
  #isOff(): boolean {
    return this.#busy || !isConnected();
  }

  #want(wants: DebugWants): void {
    for (let index = 0; index < this.#breakpoints.length; index += 1) {
      const breakpoint = this.#breakpoints[index] as GuestBreakpoint;
      this.#marks[breakpoint.point] = 0;
    }
    this.#breakpoints = wants.breakpoints;
    for (let index = 0; index < wants.breakpoints.length; index += 1) {
      const breakpoint = wants.breakpoints[index] as GuestBreakpoint;
      this.#marks[breakpoint.point] = 1;
    }
    this.#exceptions = wants.exceptions;
    this.#apiCalls = own(wants, 'apiCalls') === true;
  }

  /** A step into a call of an API pauses before it, so that a person can answer it. */
  #beforeApi(call: string): void {
    if (this.#isOff() || this.#depth === 0 || (!this.#apiCalls && this.#step !== 'into')) return;
    this.#pause('api call', this.#activations(), NOTHING, false, call);
  }

  #point(point: number, activation: Activation, view: FrameView | undefined): void {
    if (this.#isOff()) return;
    activation.point = point;
    activation.view = view;
    if (this.#stack[this.#depth - 1] !== activation) this.#settle(activation);
    if (this.#thrownFrom !== null && this.#thrownFrom.block === activation && !this.#has(point, IS_FINALLY)) {
      this.#thrownFrom = null;
    }
    if (this.#step !== 'continue' && this.#isStepped(activation)) {
      this.#pause('step', this.#activations());
      return;
    }
    if (this.#marks[point] !== 0 && this.#isHit(point, activation)) return;
    this.#countdown -= 1;
    if (this.#countdown === 0) this.#ask();
  }

  /** Makes an activation the innermost one: those above it have ended, or it is new or resumed. */
  #settle(activation: Activation): void {
    const { place } = activation;
    if (place !== -1 && place < this.#depth && this.#stack[place] === activation) {
      this.#depth = place + 1;
      return;
    }
    if (this.#depth === MOST_ACTIVATIONS) this.#drop();
    this.#put(activation);
  }

  #put(activation: Activation): void {
    activation.place = this.#depth;
    put(this.#stack, this.#depth, activation);
    this.#depth += 1;
  }

  /**
   * Forgets activations in the middle. A function that calls the author's again and again, such as `Array.from`, adds one
   * for each call, and none of them shows that the ones before have ended.
   */
  #drop(): void {
    const all = this.#activations();
    this.#depth = KEPT_OUTER;
    for (let place = all.length - KEPT_INNER; place < all.length; place += 1) this.#put(all[place] as Activation);
    this.#stack.length = this.#depth;
  }

  #has(point: number, flag: number): boolean {
    const found = this.#debug.points[point];
    return found !== undefined && (found[2] & flag) !== 0;
  }

  #isStepped(activation: Activation): boolean {
    if (this.#step === 'into') return true;
    for (let place = 0; place < this.#from.length; place += 1) {
      if (this.#from[place] !== activation) continue;
      if (place === 0) return this.#step === 'over';
      // A caller that continues while the function waits, unless it has waited for the function itself.
      return !this.#fromWaits || this.#waited[place] === true;
    }
    return false;
  }

  #fromWaits = false;
  #waited: boolean[] = [];

  /** Whether main wants to pause here, or a breakpoint does. */
  #isHit(point: number, activation: Activation): boolean {
    for (let index = 0; index < this.#breakpoints.length; index += 1) {
      const breakpoint = this.#breakpoints[index] as GuestBreakpoint;
      if (breakpoint.point !== point) continue;
      const condition = own(breakpoint, 'condition');
      if (condition !== undefined) {
        const { value, threw } = this.#evaluate(activation, condition);
        if (threw) {
          const title = `The condition of the breakpoint failed: ${shortly(value)}`;
          this.#pause('breakpoint', this.#activations(), NOTHING, false, title);
          return true;
        }
        if (!value) continue;
      }
      const hits = (this.#hits[point] ?? 0) + 1;
      put(this.#hits, point, hits);
      if (hits < (own(breakpoint, 'hits') ?? 1)) continue;
      const log = own(breakpoint, 'log');
      if (log === undefined) {
        this.#pause('breakpoint', this.#activations());
        return true;
      }
      this.#send(`{"log":${stringify(sliceText(this.#logText(activation, log), 0, MAX_TEXT))},"point":${point}}`);
    }
    return false;
  }

  #logText(activation: Activation, log: string): string {
    let text = '';
    let from = 0;
    for (;;) {
      const open = indexOfText(log, '{', from);
      const close = open === -1 ? -1 : indexOfText(log, '}', open);
      if (close === -1) return text + sliceText(log, from, log.length);
      const { value } = this.#evaluate(activation, sliceText(log, open + 1, close));
      text += sliceText(log, from, open) + (typeof value === 'string' ? value : shortly(value));
      from = close + 1;
    }
  }

  #evaluate({ view }: Activation, text: string): { value: unknown; threw: boolean } {
    this.#busy = true;
    try {
      if (view === undefined) return { value: 'a variable named "eval" hides what evaluates expressions', threw: true };
      return { value: view(text), threw: false };
    } catch (thrown) {
      return { value: thrown, threw: true };
    } finally {
      this.#busy = false;
    }
  }

  #ask(): void {
    this.#countdown = POINTS_BETWEEN;
    const time = now();
    if (time < this.#askAt) return;
    this.#askAt = time + ASK_MS;
    const wanted = this.#send('{"ask":true}') as DebugCommand;
    this.#askAt = now() + ASK_MS;
    const wants = own(wanted, 'wants');
    if (wants !== undefined) this.#want(wants);
    if (own(wanted, 'pause') === true) this.#pause('pause', this.#activations());
  }

  #thrown(value: unknown, activation: Activation): unknown {
    if (this.#isOff() || this.#exceptions === 'none') return value;
    if (this.#stack[this.#depth - 1] !== activation) this.#settle(activation);
    if (this.#exceptions === 'uncaught' && this.#hasHandler()) return value;
    this.#pause('exception', this.#activations(), value, this.#hasHandler());
    return value;
  }

  #hasHandler(): boolean {
    for (let place = this.#depth - 1; place >= 0; place -= 1) {
      const { point } = this.#stack[place] as Activation;
      if (this.#has(point, IS_CAUGHT)) return true;
    }
    return false;
  }

  #caught(activation: Activation, value: unknown): void {
    if (this.#isOff()) return;
    const from = this.#thrownFrom?.activations ?? this.#activations();
    this.#thrownFrom = null;
    if (this.#exceptions === 'all' && value !== this.#reported) this.#pause('exception', from, value, true);
    this.#reported = NOTHING;
    this.#settle(activation);
  }

  #finally(block: Activation): void {
    if (this.#isOff() || this.#thrownFrom !== null) return;
    // Copies: the block changes the point of its own activation.
    const activations: Activation[] = [];
    for (let place = 0; place < this.#depth; place += 1) {
      const { fn, point, view } = this.#stack[place] as Activation;
      append(activations, { fn, point, view, place: -1 });
    }
    this.#thrownFrom = { activations, block };
  }

  /** The current activations, the innermost one last. */
  #activations(): Activation[] {
    const all: Activation[] = [];
    for (let place = 0; place < this.#depth; place += 1) append(all, this.#stack[place] as Activation);
    return all;
  }

  /** Waits for main, and does what it asks for until the run continues. */
  #pause(why: string, activations: Activation[], thrown: unknown = NOTHING, willBeCaught = false, title = ''): void {
    this.#reported = thrown;
    const frames = this.#framesOf(activations, thrown !== NOTHING && why === 'exception');
    const error = thrown === NOTHING ? '' : `,"error":${thrownData(thrown)},"caught":${willBeCaught}`;
    const note = title === '' ? '' : `,"title":${stringify(sliceText(title, 0, MAX_TITLE))}`;
    let command = this.#send(`{"paused":"${why}","frames":[${framesJson(frames)}]${error}${note}}`) as DebugCommand;
    for (;;) {
      const wants = own(command, 'wants');
      if (wants !== undefined) this.#want(wants);
      const step = own(command, 'resume');
      if (step !== undefined) {
        this.#resume(step, activations);
        break;
      }
      this.#busy = true;
      let reply: string;
      try {
        reply = query(command, frames, thrown === NOTHING ? undefined : thrown);
      } finally {
        this.#busy = false;
      }
      command = this.#send(`{"reply":${reply}}`) as DebugCommand;
    }
    closeInspection();
    this.#countdown = POINTS_BETWEEN;
    this.#askAt = now() + ASK_MS;
  }

  /** The reply to a question while the run waits for a call; null: the call is complete. */
  #whileWaiting(question: DebugQuestion | null): string {
    if (question === null) {
      closeInspection();
      return '';
    }
    if (own(question, 'ask') === 'wants') {
      const wants = own(question, 'wants');
      if (wants !== undefined) this.#want(wants);
      // Main may also want to pause: the next point asks.
      this.#countdown = 1;
      this.#askAt = 0;
      return '[]';
    }
    const frames = this.#framesOf(this.#activations(), false);
    if (own(question, 'ask') === 'frames') return `{"frames":[${framesJson(frames)}]}`;
    this.#busy = true;
    try {
      return query(question, frames, undefined);
    } finally {
      this.#busy = false;
    }
  }

  #resume(step: DebugStep, activations: Activation[]): void {
    this.#step = step;
    this.#from = [];
    this.#waited = [];
    for (let place = activations.length - 1; place >= 0; place -= 1) {
      const activation = activations[place] as Activation;
      append(this.#from, activation);
      append(this.#waited, this.#has(activation.point, SUSPENDS));
    }
    this.#fromWaits = this.#waited[0] === true;
  }

  /** The frames of the engine, the innermost first, with the activations that belong to them. */
  #framesOf(activations: Activation[], isOver: boolean): PausedFrame[] {
    const frames: PausedFrame[] = [];
    // The functions that threw have ended: the engine no longer has frames of them.
    const real = isOver ? null : realLines();
    let at = 0;
    for (let place = activations.length - 1; place >= 0 && frames.length < MAX_FRAMES; place -= 1) {
      const { fn, point, view } = activations[place] as Activation;
      const range = this.#debug.functions[fn];
      const start = this.#debug.points[point];
      if (range === undefined || start === undefined) continue;
      if (real !== null) {
        let next = at;
        while (next < real.length && !isIn(real[next] as number, range)) next += 1;
        // It is not active: it waits for something, and this code runs on its own.
        if (next === real.length) continue;
        at = next + 1;
      }
      append(frames, { fn, point, view });
    }
    return frames;
  }

  #send(json: string): unknown {
    return callHost('debug', null, json);
  }
}

const isIn = (line: number, [first, last]: [number, number]): boolean => line >= first && line <= last;

/** The lines of the author's functions that are active, the innermost first. */
function realLines(): number[] {
  const lines: number[] = [];
  const holder: { stack?: unknown } = {};
  const limit = EngineError.stackTraceLimit;
  try {
    EngineError.stackTraceLimit = MAX_FRAMES * 2;
    captureStackTrace(holder);
    const stack = own(holder, 'stack');
    if (typeof stack !== 'string') return lines;
    for (let from = 0; from < stack.length;) {
      const end = indexOfText(stack, '\n', from);
      const text = sliceText(stack, from, end === -1 ? stack.length : end);
      from = end === -1 ? stack.length : end + 1;
      const found = matchOnce(/script:(\d+):\d+\)?$/, text);
      if (found !== null) append(lines, PrimitiveNumber(found[1]));
    }
  } catch {
    // The script froze Error: without lines, all frames are shown.
  } finally {
    EngineError.stackTraceLimit = limit;
  }
  return lines;
}

function framesJson(frames: PausedFrame[]): string {
  let json = '';
  for (let index = 0; index < frames.length; index += 1) {
    const { fn, point, view } = frames[index] as PausedFrame;
    json += `${index === 0 ? '' : ','}{"fn":${fn},"point":${point},"evaluates":${view !== undefined}}`;
  }
  return json;
}

/** In a log text or a title; runs no code of the author. */
function shortly(value: unknown): string {
  if (typeof value !== 'object' || value === null || isProxy(value)) return shownText(value);
  const message = inheritedData(value, 'message');
  return typeof message === 'string' ? message : shownText(value);
}
