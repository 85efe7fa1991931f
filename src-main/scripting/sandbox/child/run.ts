import type { RunError } from '#domain/run/run';
import { GUEST_REQUEST, type GuestRun } from '../guest/bridge.ts';
import { excessOf } from '../../../platform/host-pipe/json-cost.ts';
import { MAX_JSON_COST, UNSCANNED_BYTES } from '../../../platform/host-pipe/limits.ts';
import {
  CONSOLE_LATE_MS,
  MAX_AHEAD_MS,
  MAX_CALL_BYTES,
  MAX_CONSOLE_LATE,
  MAX_CONSOLE_LATE_MS,
  MAX_CONSOLE_TOTAL,
  MAX_COVERED,
  MAX_RANDOM_BYTES,
} from '../protocol/limits.ts';
import { LastEntries } from '../protocol/last-entries.ts';
import { doneLimit, FROM_HOST, MAX_PLACE, PAYLOAD_LIMITS, TO_HOST, type RunStart } from '../protocol/messages.ts';
import { BodyError } from './body-check.ts';
import type { BlockingPipe } from '../../../platform/host-pipe/blocking-pipe.ts';
import type { Realm, Realms } from './realms.ts';
import { RecordedClock, ReplayedClock, type RunClock } from './run-clock.ts';
import { SeededBytes } from './seeded-bytes.ts';

const TIMED_OUT = 'Script execution timed out.';
/** The engine uses its own clock: ours may show this much less, in ms. */
const CLOCK_SLACK_MS = 2;
/** A note of a use has no longer time, in ms. */
const MAX_USED_MS = 999;
const ENTRY = /^(?:[0-4]|[5-9]\d{0,10}\|\d{1,6}\|)/;
/** What may be sent ahead: Gets, and API calls in a replay. Their arguments differ in how they begin. */
const AHEAD = /^\["(?:get|api)",(null|\d{1,10}),/;
const MAX_ENTRY_BYTES = PAYLOAD_LIMITS[FROM_HOST.console] ?? 0;
/** The facts about the end of a run besides the error. */
const END_BYTES = 1_000 + MAX_COVERED;
/** The maximum number of UTF-8 bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;
const NO_CALLS = JSON.stringify({ error: { message: 'the run has ended; later calls have no effect' } });
const TOO_LARGE = JSON.stringify({
  error: { message: `one call can carry at most ${MAX_CALL_BYTES / 1024 / 1024} MB; split it into several` },
});

/** What a run needs of the pipe to main. */
export type RunPipe = Pick<BlockingPipe, 'write' | 'hold' | 'read' | 'readBytes'>;

export interface HostRunEnd {
  /** The RunEnd as JSON. */
  json: string;
  /** Whether the host can take another run. */
  usable: boolean;
  /** The realm it ran in, if it got that far; to be released. */
  realm: Realm | null;
  /** Whether running the script threw, including an unhandled rejection. */
  threw: boolean;
}

/** Runs one body in a fresh realm. Whatever the body does, this returns, or main kills the process. */
export function run(request: RunStart, realms: Realms, pipe: RunPipe): HostRunEnd {
  realms.limitMemory(request.limits.memoryMb);
  let script;
  try {
    script = realms.compile(request.body, request.debug?.names.join() ?? request.coverage?.counter ?? null);
  } catch (thrown) {
    if (realms.lost) return { json: ended('memory', 0), usable: false, realm: null, threw: true };
    if (!(thrown instanceof BodyError)) throw thrown;
    return { json: failed(thrown.runError, 0), usable: true, realm: null, threw: false };
  }
  const realm = realms.take();
  const hostRun = new HostRun(request, pipe);
  realm.respond = (kind, text) => hostRun.respond(kind, text);
  let thrown: unknown = null;
  try {
    script.runSync(realm.context, { timeout: Math.max(1, Math.ceil(request.limits.scriptMs)) });
  } catch (caught) {
    thrown = caught ?? new Error('undefined was thrown');
  }
  return hostRun.end(thrown, realms.lost, realm);
}

/**
 * The guest's side of one run. The guest is our code, but it shares its realm with the script: a request may come from
 * the script itself, with any text and at any time.
 */
class HostRun {
  readonly #request: RunStart;
  readonly #pipe: RunPipe;
  /** The bytes from the last call only, so that a host holds no more images and texts than the script. */
  #bytes: ArrayBuffer | null = null;
  /** Calls that main has responded to before the script makes them, by their arguments. */
  readonly #ahead = new Map<string, { place: number; response: string; reading: number | undefined }>();
  /** When they were read, in ms since 1970, and when they came, on a monotonic clock. */
  #aheadAt = 0;
  #aheadSince = 0;
  readonly #start = performance.now();
  #waitedMs = 0;
  #dropped = 0;
  #droppedReported = 0;
  /** Entries sent at once. */
  #entries = 0;
  /** Entries to be sent later, and when. */
  readonly #late: LastEntries<string>;
  #lateMs = CONSOLE_LATE_MS;
  #lateAt = CONSOLE_LATE_MS;
  #begun = false;
  #consoleLength = 0;
  #settled: string | null = null;
  /** A 1 for each statement that ran; null if none are counted. */
  readonly #covered: Uint8Array | null;
  /** The sources of a run that is recorded or replayed; null for others. */
  readonly #recorded: { clock: RunClock; bytes: SeededBytes } | null;

  constructor(request: RunStart, pipe: RunPipe) {
    this.#request = request;
    this.#late = new LastEntries(request.limits.consoleEntries, MAX_CONSOLE_LATE);
    this.#covered = request.coverage ? new Uint8Array(request.coverage.statements) : null;
    this.#pipe = pipe;
    this.#recorded = recordedParts(request, pipe);
  }

  /** Has no effect before the run has begun, or after its body has settled. */
  respond(request: unknown, text: unknown): string | ArrayBuffer {
    if (request === GUEST_REQUEST.begin) return this.#begin();
    if (!this.#begun || this.#settled !== null || typeof text !== 'string')
      return request === GUEST_REQUEST.call ? NO_CALLS : '';
    switch (request) {
      case GUEST_REQUEST.call:
        return this.#call(text);
      case GUEST_REQUEST.image:
        return this.#takeBytes();
      case GUEST_REQUEST.text:
        return decodedBy(text, this.#takeBytes());
      case GUEST_REQUEST.random:
        return randomBytes(Number(text), this.#recorded?.bytes);
      case GUEST_REQUEST.clock:
        return String(this.#recorded?.clock.read() ?? '');
      case GUEST_REQUEST.seed:
        return this.#recorded === null ? '' : JSON.stringify([...new Int32Array(this.#recorded.bytes.first)]);
      case GUEST_REQUEST.console:
        this.#console(text);
        return '';
      case GUEST_REQUEST.covered:
        this.#cover(Number(text));
        return '';
      case GUEST_REQUEST.consoleDropped:
        this.#dropEntries(Number(text));
        return '';
      case GUEST_REQUEST.returned:
        this.#settled = this.#returned(text);
        return '';
      case GUEST_REQUEST.threw:
        this.#settled = this.#threw(text);
        return '';
      default:
        return '';
    }
  }

  end(thrown: unknown, lost: boolean, realm: Realm): HostRunEnd {
    const end = this.#end(thrown, lost, realm);
    return this.#covered === null
      ? end
      : { ...end, json: `${end.json.slice(0, -1)},"covered":"${this.#covered.join('')}"}` };
  }

  #end(thrown: unknown, lost: boolean, realm: Realm): HostRunEnd {
    realm.respond = null;
    const stopped = lost ? 'memory' : this.#isTimeout(thrown) ? 'timeout' : null;
    const threwIt = thrown !== null;
    if (threwIt && stopped === null) this.#console(`3a promise was rejected without a handler: ${describe(thrown)}`);
    this.#sendLate();
    this.#recorded?.clock.flush();
    const dropped = this.#allDropped();
    if (stopped !== null) return { json: ended(stopped, dropped), usable: false, realm, threw: true };
    const json = this.#settled === null ? failed(neverSettled(), dropped) : `${this.#settled},"dropped":${dropped}}`;
    return { json, usable: true, realm, threw: threwIt };
  }

  /** A script can reject with the same message, but not before its time is over. */
  #isTimeout(thrown: unknown): boolean {
    if (!(thrown instanceof Error) || thrown.message !== TIMED_OUT) return false;
    const scriptMs = performance.now() - this.#start - this.#waitedMs;
    return scriptMs >= this.#request.limits.scriptMs - CLOCK_SLACK_MS;
  }

  #cover(statement: number): void {
    if (this.#covered !== null && this.#covered[statement] === 0) this.#covered[statement] = 1;
  }

  #begin(): string {
    if (this.#begun) return '';
    this.#begun = true;
    const { context, limits, coverage, debug, recorded } = this.#request;
    const start: GuestRun = {
      ...context,
      consoleEntries: limits.consoleEntries,
      resultBytes: limits.resultBytes,
      ...(coverage && { statements: coverage.statements }),
      ...(debug && { debug: debug.guest }),
      ...(recorded && { recorded: { everyLine: recorded.everyLine === true } }),
    };
    if (this.#recorded !== null) this.#pipe.hold(FROM_HOST.place, placeOfHost().slice(0, MAX_PLACE));
    return JSON.stringify(start);
  }

  #call(text: string): string {
    if (this.#ahead.size > 0) {
      const response = this.#takeAhead(text);
      if (response !== null) return response;
      this.#ahead.clear();
    }
    if (isLonger(text, MAX_CALL_BYTES)) return TOO_LARGE;
    const excess = excessOfText(text);
    if (excess !== null) return JSON.stringify({ error: { message: `this call ${excess}; split it into several` } });
    const since = performance.now();
    this.#recorded?.clock.flush();
    this.#pipe.write(FROM_HOST.call, text);
    this.#bytes = this.#pipe.readBytes(TO_HOST.bytes);
    let { type, text: response } = this.#pipe.read();
    if (type === TO_HOST.ahead) {
      this.#keepAhead(response);
      ({ type, text: response } = this.#pipe.read());
    }
    if (type === TO_HOST.clock) {
      this.#recorded?.clock.skipTo(Number(response));
      ({ type, text: response } = this.#pipe.read());
    }
    this.#waitedMs += performance.now() - since;
    if (type !== TO_HOST.response) throw new Error(`main sent a frame of type ${type} instead of a response`);
    return response;
  }

  #keepAhead(text: string): void {
    const [head = '', ...lines] = text.split('\n');
    const [at, ...readings] = head.split(',').map(Number);
    this.#aheadAt = at ?? 0;
    this.#aheadSince = performance.now();
    for (let place = 0; 2 * place + 1 < lines.length; place += 1) {
      const response = lines[2 * place + 1] ?? '';
      this.#ahead.set(lines[2 * place] ?? '', { place, response, reading: readings[place] });
    }
  }

  /**
   * The response to a call, if main has sent it ahead and it was read in the ms that the clock shows now: a script cannot
   * distinguish it from one that is read now. In a replay, the time does not matter. Main gets a note before the next frame.
   */
  #takeAhead(text: string): string | null {
    const known = AHEAD.exec(text);
    const ahead = known && this.#ahead.get(text.slice(known[0].length, -1));
    const age = performance.now() - this.#aheadSince;
    if (!ahead) return null;
    const isNow = Date.now() === this.#aheadAt && age <= MAX_AHEAD_MS;
    if (!isNow && ahead.reading === undefined) return null;
    this.#ahead.delete(text.slice(known[0].length, -1));
    this.#recorded?.clock.flush();
    if (ahead.reading !== undefined) this.#recorded?.clock.skipTo(ahead.reading);
    const us = Math.floor(Math.min(age, MAX_USED_MS) * 1_000);
    this.#pipe.hold(FROM_HOST.used, `${ahead.place},${known[1]},${us}`);
    return ahead.response;
  }

  #takeBytes(): ArrayBuffer {
    const bytes = this.#bytes ?? new ArrayBuffer(0);
    this.#bytes = null;
    return bytes;
  }

  #console(text: string): void {
    if (isLonger(text, MAX_ENTRY_BYTES) || !ENTRY.test(text)) return;
    const most = this.#request.limits.consoleEntries;
    this.#consoleLength += text.length;
    if (this.#entries < most && this.#consoleLength <= MAX_CONSOLE_TOTAL) {
      this.#entries += 1;
      this.#recorded?.clock.flush();
      this.#pipe.write(FROM_HOST.console, text);
      return;
    }
    const elapsed = performance.now() - this.#start;
    this.#late.add(`@${elapsed.toFixed(3)}|${text}`, text.length);
    if (elapsed < this.#lateAt) return;
    this.#sendLate();
    this.#reportDropped();
    this.#lateMs = Math.min(this.#lateMs * 2, MAX_CONSOLE_LATE_MS);
    this.#lateAt = elapsed + this.#lateMs;
  }

  #sendLate(): void {
    for (const entry of this.#late.take()) this.#pipe.write(FROM_HOST.console, entry);
  }

  /** Dropped entries: counted by the guest, or later than the first kept ones and earlier than the last. */
  #allDropped(): number {
    return this.#dropped + this.#late.dropped;
  }

  #dropEntries(count: number): void {
    if (!Number.isSafeInteger(count) || count <= this.#dropped) return;
    this.#dropped = count;
    this.#reportDropped();
  }

  /** Main receives the count whenever it has doubled, and at the end. */
  #reportDropped(): void {
    const count = this.#allDropped();
    if (count === 0 || count < this.#droppedReported * 2) return;
    this.#droppedReported = count;
    this.#pipe.write(FROM_HOST.consoleDropped, String(count));
  }

  #returned(result: string): string {
    const { resultBytes } = this.#request.limits;
    // The guest counted characters; the size in bytes is known only here.
    if (isLonger(result, resultBytes)) {
      const limit = `${resultBytes / 1024 / 1024} MB (setting limits.resultMb)`;
      return `{"status":"error","error":${JSON.stringify(plainError('ResultError', `the result exceeds ${limit}`))}`;
    }
    const excess = excessOfText(result);
    if (excess !== null) {
      return `{"status":"error","error":${JSON.stringify(plainError('ResultError', `the result ${excess}; return less`))}`;
    }
    return `{"status":"ok","result":${result}`;
  }

  #threw(error: string): string {
    const limit = doneLimit(this.#request.limits.resultBytes) - END_BYTES;
    const text =
      isLonger(error, limit) || excessOfText(error) !== null
        ? JSON.stringify(plainError('Error', 'the script threw an error that is too large to report'))
        : error;
    return `{"status":"error","error":${text}`;
  }
}

/** Empty for a number that the guest does not ask for: the request may come from the script itself. */
function randomBytes(count: number, seeded?: SeededBytes): ArrayBuffer {
  const taken = Number.isInteger(count) && count > 0 && count <= MAX_RANDOM_BYTES ? count : 0;
  return seeded?.take(taken) ?? crypto.getRandomValues(new Uint8Array(taken)).buffer;
}

let place: string | null = null;

/**
 * The locale and the time zone of this process, and so of its realms, separated by `|`. Finding them in a new realm takes
 * as long as a trivial run.
 */
/** Asks the parts of Intl that need no data: `DateTimeFormat` takes 20 ms and 8 MB of every host. */
function placeOfHost(): string {
  if (place === null) {
    const zone = Temporal.Now.timeZoneId();
    // For other names of UTC and for unknown ones, capsules have what DateTimeFormat makes of them.
    const isNamed = zone !== 'UTC' || ['UTC', 'Etc/UTC'].includes(process.env['TZ'] ?? '');
    const timeZone = isNamed ? zone : new Intl.DateTimeFormat().resolvedOptions().timeZone;
    place = `${new Intl.PluralRules().resolvedOptions().locale}|${timeZone}`;
  }
  return place;
}

function recordedParts({ recorded }: RunStart, pipe: RunPipe): { clock: RunClock; bytes: SeededBytes } | null {
  if (recorded === undefined) return null;
  const { readings, seed } = recorded;
  const clock = readings
    ? new ReplayedClock(readings)
    : new RecordedClock({
        write: (text) => pipe.write(FROM_HOST.clock, text),
        hold: (text) => pipe.hold(FROM_HOST.clock, text),
      });
  return { clock, bytes: new SeededBytes(seed) };
}

/** Empty for a charset that main does not send: the request may come from the script itself. */
function decodedBy(charset: string, bytes: ArrayBuffer): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return '';
  }
}

/** Whether the text takes more bytes than that. Counts only if it might. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * MAX_BYTES_PER_UNIT > bytes && Buffer.byteLength(text) > bytes;
}

/** Main ends a host that sends more parts than these, so that a script with too many gets an error here. */
function excessOfText(json: string): string | null {
  if (json.length * 3 <= UNSCANNED_BYTES) return null;
  switch (excessOf(Buffer.from(json), MAX_JSON_COST)) {
    case 'parts':
      return 'has too many parts (arrays, objects, members and values)';
    case 'depth':
      return 'is nested too deeply';
    default:
      return null;
  }
}

function neverSettled(): RunError {
  return plainError(
    'Error',
    'the script never finished: it awaits a promise that nothing settles (a script has no timers or outside events)',
  );
}

function plainError(name: string, message: string): RunError {
  return { name, message, line: null, column: null, stack: [] };
}

function failed(error: RunError, dropped: number): string {
  return `{"status":"error","error":${JSON.stringify(error)},"dropped":${dropped}}`;
}

function ended(status: 'timeout' | 'memory', dropped: number): string {
  return `{"status":"${status}","dropped":${dropped}}`;
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}`.slice(0, 1_000) : 'a value that is not an Error';
}
