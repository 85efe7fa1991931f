import { Socket } from 'node:net';
import { grouped } from '#domain/text/grouped';
import { checkCost, ProtocolError } from '../../platform/host-pipe/checks.ts';
import { encodeFrame, FrameError, FrameReader, listenFairly } from '../../platform/host-pipe/frames.ts';
import { MAX_JSON_COST } from '../../platform/host-pipe/limits.ts';
import { processReader } from '../../platform/host-pipe/process-reader.ts';
import type { ConfinedChild } from '../../platform/os-sandbox/confined-child.ts';
import { isAsConfined, type OsSandbox } from '../../platform/os-sandbox/os-sandbox.ts';
import type { OsSandboxState } from '#domain/workspace/os-sandbox';
import { endEarly } from './end-early.ts';
import { IncomingResponse } from './incoming-response.ts';
import type { HostRole, Limits, PlantError, PlantOperation, PlantResult, PlantStatement } from './protocol.ts';
import { CANCELLED, MAX_HOST_BYTES, TO_PLANT_HOST } from './protocol.ts';
import { BUSY_MS, plantCommand, PlantView } from './plant-view.ts';

/** How to start a plant host. */
export interface PlantHostOptions {
  /** A plain Node of the product. */
  nodeBinary: string;
  /** The program of the plant host: a bundle, or its source. */
  hostFile: string;
  /** plant.db. */
  file: string;
  /** The OS sandbox of the process; already detected. */
  sandbox: OsSandbox;
  /** Called for a process that is ended because it sent an invalid frame, or does not respond. */
  givenUp?: (how: 'host.violated' | 'host.ended', message: string) => void;
  /** Contains all processes that were started with these options and have not ended. */
  running?: Set<PlantProcess>;
  /** Why no SQL may run now; null if it may. */
  refusal?: () => PlantError | null;
  /** How long a process may be silent beyond the time of its statement, ms. */
  patienceMs?: number;
  /** How long after its first request a process is replaced, ms. */
  renewMs?: number;
  /** Called with the result code of SQLite for errors of the file. */
  onFileFault?: (sqlite: number) => void;
}

const STDERR_KEPT = 4_096;
/** The descriptors of a host: its pipe to main, and the report of why it ends itself. */
const PIPE = 3;
const REPORT_PIPE = 4;
const MB = 1024 ** 2;
/** Number of statements that main remembers; others are sent again. */
const KNOWN_TEXTS = 20_000;

/** It ends itself at the limit of a statement. This is a fallback: the limit, and time to start or to write. */
const PATIENCE_MS = 10_000;
/** SQL that compromised its process could wait there for that of others. A new process costs some 50 ms. */
const RENEW_MS = 10 * 60_000;
/** How long a response may take beyond the time of all its statements, ms. */
const RESPONSE_MS = 120_000;
/** Time is counted in ticks: while main cannot listen, none passes. */
const TICK_MS = 250;
/** The size of a response that main parses at a time; our hosts send a thirtieth of it. */
const FRAME_COST = MAX_JSON_COST / 8;
/** Which request exceeded a limit, which of its statements, and which limit. */
const REPORT = /^(\d{1,15}) (-?\d{1,15}) (time|memory)\n$/;
const MAX_REPORT = 100;

/** The response of a process: the results, or why the request failed. */
export type PlantReply = { results: PlantResult[] } | { error: PlantError; /** Which statement it was. */ at?: number };

/** Requests are sent one after another, so that a process occupies main with at most one request and one response. */
interface PendingRequest {
  id: number;
  frame: Buffer;
  response: IncomingResponse;
  resolve: (reply: PlantReply) => void;
  /** The time limit of one of its statements, ms. */
  ms: number;
  /** How long it may be silent, and how long it may take in total, in ticks. */
  silence: number;
  time: number;
  /** Its result is no longer needed. */
  cancelled: boolean;
}

/** One plant host: requests are processed in order. A statement that exceeds its time or memory ends the process. */
export class PlantProcess {
  readonly memoryCapBytes = MAX_HOST_BYTES;
  /** Settles when the process has ended. */
  readonly gone: Promise<void>;
  readonly #confined: ConfinedChild;
  /** The sandbox that confines it. */
  readonly #confinement: OsSandboxState;
  readonly #view: PlantView | null;
  readonly #pipe: Socket;
  readonly #options: PlantHostOptions;
  readonly #processes = processReader();
  readonly #waiting: PendingRequest[] = [];
  #current: PendingRequest | null = null;
  #timer: NodeJS.Timeout | null = null;
  #silentTicks = 0;
  #ticks = 0;
  /** When it had its first request, ms of a monotonic clock. */
  #usedSince = Infinity;
  /** When it last became idle, ms of a monotonic clock. */
  #idleSince = 0;
  #measuredAt = 0;
  /** Whether it was above the memory limit when it was last measured. */
  #isLarge = false;
  readonly #reader = new FrameReader(
    (type) => this.#pendingRequest.response.payloadLimit(type),
    (_, payload) => checkCost(payload, FRAME_COST),
  );
  readonly #texts = new Map<string, number>();
  #nextText = 0;
  #nextId = 0;
  #ended: PlantError | null = null;
  #killed = false;
  #stderr = '';
  /** The watchdog's report before it ended the process. */
  #report = '';

  constructor(options: PlantHostOptions, role: HostRole) {
    this.#options = options;
    const { sandbox } = options;
    this.#confinement = sandbox.state;
    this.#view = sandbox.state.protection === 'full' ? new PlantView(options.file) : null;
    this.#confined = sandbox.spawn(plantCommand(options, role, this.#view));
    const child = this.#child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    const report = this.#confined.pipe(REPORT_PIPE);
    if (report !== null) {
      report.setEncoding('utf8').on('data', (text: string) => {
        this.#report += text;
        // It ends itself, unless a sandbox blocks its signals.
        if (this.#report.endsWith('\n') || this.#report.length > MAX_REPORT) this.kill();
      });
      report.on('error', () => undefined);
    }
    const pipe = this.#confined.pipe(PIPE);
    if (!(pipe instanceof Socket)) throw new Error('a plant host was started without its pipe');
    this.#pipe = pipe;
    // Only pending requests keep main alive.
    child.unref();
    for (const stream of this.#streams) stream.unref();
    listenFairly(pipe, (chunk) => this.#receive(chunk));
    // The end of the process follows, with more details.
    pipe.on('error', () => this.#confined.kill());
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gone = promise;
    options.running?.add(this);
    void promise.then(() => options.running?.delete(this));
    child.on('error', (error) => {
      if (child.pid === undefined) this.#end(`it cannot be started: ${error.message}`, resolve);
    });
    // After all pipes: the report has been read.
    child.on('close', (code, signal) => this.#end(this.#confined.endedBy(code, signal), resolve));
  }

  /** Whether it takes requests; false from `kill` on, before it has ended. */
  get usable(): boolean {
    return this.#ended === null && !this.#killed;
  }

  get state(): 'idle' | 'busy' | 'dead' {
    if (this.#ended !== null) return 'dead';
    return this.#current === null ? 'idle' : 'busy';
  }

  get idleSince(): number {
    return this.#idleSince;
  }

  /**
   * Whether it has been used for long, could now reach a file of the workspace that is not its own, or is less confined
   * than another one would be: then another process must be used.
   */
  get isOutdated(): boolean {
    if (performance.now() - this.#usedSince > (this.#options.renewMs ?? RENEW_MS)) return true;
    return this.#view?.isOutdated() === true || !isAsConfined(this.#confinement, this.#options.sandbox.state);
  }

  get pid(): number | null {
    return this.#confined.pid;
  }

  get #streams(): Socket[] {
    const all = [this.#child.stderr, this.#confined.pipe(PIPE), this.#confined.pipe(REPORT_PIPE)];
    return all.filter((stream) => stream instanceof Socket);
  }

  get #child(): ConfinedChild['process'] {
    return this.#confined.process;
  }

  /**
   * Runs statements; results in order. If the signal aborts before they have ended, the process is ended. Never rejects.
   */
  run(
    op: 'read' | 'write',
    statements: readonly PlantStatement[],
    limits: Limits,
    signal?: AbortSignal,
  ): Promise<PlantReply> {
    const texts: [number, string][] = [];
    const sent = statements.map(({ sql, bind }) => {
      const number = this.#numberOf(sql, texts);
      return bind === undefined ? [number] : [number, bind];
    });
    const request = { op, statements: sent, limits, ...(texts.length > 0 && { texts }) };
    return this.#request(request, limits, sent.length, signal);
  }

  /** One step of a transaction. Never rejects. */
  step(op: Exclude<PlantOperation, 'read' | 'write' | 'script'>, limits: Limits): Promise<PlantReply> {
    return this.#request({ op, limits }, limits);
  }

  /** Runs any SQL of Tagwright's own. Never rejects. */
  script(sql: string, limits: Limits): Promise<PlantReply> {
    return this.#request({ op: 'script', sql, limits }, limits);
  }

  /** Ends it at once; uncommitted work is undone. */
  kill(): void {
    this.#killed = true;
    // The caller waits for its end.
    this.#child.ref();
    for (const stream of this.#streams) stream.ref();
    this.#confined.kill();
  }

  #numberOf(sql: string, texts: [number, string][]): number {
    const known = this.#texts.get(sql);
    if (known !== undefined) return known;
    if (this.#texts.size >= KNOWN_TEXTS) this.#texts.clear();
    const number = this.#nextText++;
    this.#texts.set(sql, number);
    texts.push([number, sql]);
    return number;
  }

  async #request(request: object, limits: Limits, statements = 0, signal?: AbortSignal): Promise<PlantReply> {
    if (this.#ended) return { error: this.#ended };
    this.#usedSince = Math.min(this.#usedSince, performance.now());
    const id = this.#nextId++;
    const { patienceMs = PATIENCE_MS } = this.#options;
    const { promise, resolve } = Promise.withResolvers<PlantReply>();
    const pending: PendingRequest = {
      id,
      frame: encodeFrame(TO_PLANT_HOST.request, JSON.stringify({ id, ...request })),
      response: new IncomingResponse(statements, limits),
      resolve,
      ms: limits.ms,
      silence: Math.ceil((limits.ms + BUSY_MS + patienceMs) / TICK_MS),
      time: Math.ceil((longest(statements, limits) + BUSY_MS + RESPONSE_MS) / TICK_MS),
      cancelled: false,
    };
    this.#waiting.push(pending);
    if (this.#current === null) this.#next();
    return endEarly(promise, () => this.#cancel(pending), { signal });
  }

  /** A quick request may still end by itself: starting a process costs more. */
  #cancel(pending: PendingRequest): void {
    const at = this.#waiting.indexOf(pending);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      pending.resolve({ error: CANCELLED });
      return;
    }
    pending.cancelled = true;
    pending.time = Math.min(pending.time, this.#ticks + 1);
  }

  /** Sends the oldest waiting request. */
  #next(): void {
    this.#current = this.#waiting.shift() ?? null;
    this.#silentTicks = 0;
    this.#ticks = 0;
    if (this.#current === null) {
      this.#rest();
      return;
    }
    this.#pipe.ref();
    this.#timer ??= setInterval(() => this.#tick(this.#current), TICK_MS);
    this.#pipe.write(this.#current.frame);
  }

  /** No request is pending. */
  #rest(): void {
    this.#idleSince = performance.now();
    this.#isLarge = false;
    this.#pipe.unref();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(pending: PendingRequest | null): void {
    this.#silentTicks += 1;
    this.#ticks += 1;
    this.#measure();
    if (pending === null || (this.#silentTicks <= pending.silence && this.#ticks <= pending.time)) return;
    if (pending.cancelled) {
      this.#lose(CANCELLED);
      this.kill();
      return;
    }
    this.#giveUp('host.ended', 'did not respond');
  }

  /**
   * Above the limit it ends itself, and reports which statement it was. This is a fallback: it ends a process that is
   * still there at the next measurement.
   */
  #measure(): void {
    const { pid } = this;
    const now = performance.now();
    if (pid === null || now - this.#measuredAt < this.#processes.intervalMs) return;
    this.#measuredAt = now;
    this.#processes.memory(pid, (bytes) => {
      const wasLarge = this.#isLarge;
      this.#isLarge = bytes > MAX_HOST_BYTES && this.state === 'busy';
      if (wasLarge && this.#isLarge) this.#giveUp('host.ended', `held ${Math.round(bytes / MB)} MB`, TOO_MUCH_MEMORY);
    });
  }

  #receive(chunk: Buffer): void {
    if (this.#ended !== null) return;
    try {
      // Our hosts read a request before they respond.
      if (this.#pipe.writableLength > 0) throw new ProtocolError('a frame before it had read its input');
      this.#reader.push(chunk, (type, text) => this.#frame(type, text));
    } catch (thrown) {
      if (!(thrown instanceof ProtocolError || thrown instanceof FrameError)) throw thrown;
      this.#giveUp('host.violated', `sent ${thrown.message}`);
    }
  }

  /** The request that waits for its response. Throws ProtocolError if there is none. */
  get #pendingRequest(): PendingRequest {
    if (this.#current === null) throw new ProtocolError('something that was not requested');
    return this.#current;
  }

  #frame(type: number, text: string): boolean {
    const pending = this.#pendingRequest;
    this.#silentTicks = 0;
    const reply = pending.response.receive(type, text);
    if (reply === null) return true;
    this.#next();
    const fault = fileFaultIn(reply);
    if (fault !== undefined) this.#options.onFileFault?.(fault);
    pending.resolve(reply);
    return true;
  }

  /** Ends it because it does something that none of our idle hosts does. */
  giveUp(reason: string): void {
    this.#giveUp('host.ended', reason);
  }

  /** It does something that none of our hosts does. */
  #giveUp(
    how: 'host.violated' | 'host.ended',
    what: string,
    error: PlantError = { fault: 'lost', message: `the process that runs the SQL ${what} and was ended; try again` },
  ): void {
    this.#options.givenUp?.(how, `plant host ${this.pid ?? 'without a pid'} ${what} and was ended`);
    this.#lose(error);
    this.kill();
  }

  #end(how: string, done: () => void): void {
    const detail = this.#stderr.trim().split('\n').at(-1) ?? '';
    this.#lose({
      fault: 'lost',
      message: `the process that runs the SQL ended (${how})${detail === '' ? '' : `: ${detail}`}`,
    });
    done();
  }

  /** Nothing more is read from it: its request fails with the reason. */
  #lose(error: PlantError): void {
    if (this.#ended) return;
    this.#ended = error;
    const [, request, statement, limit] = REPORT.exec(this.#report) ?? [];
    const unfinished = [this.#current ?? [], ...this.#waiting.splice(0)].flat();
    this.#current = null;
    this.#rest();
    for (const { id, resolve, ms } of unfinished) {
      if (`${id}` !== request) resolve({ error });
      else
        resolve({
          error: limit === 'memory' ? TOO_MUCH_MEMORY : timedOut(ms),
          ...(statement !== undefined && { at: Number(statement) }),
        });
    }
  }
}

const TOO_MUCH_MEMORY: PlantError = {
  fault: 'size',
  message: `the process that runs the SQL used more than ${grouped(MAX_HOST_BYTES / MB)} MB of memory and was ended; read less at a time`,
};

function timedOut(ms: number): PlantError {
  return { fault: 'time', message: `it ran longer than ${grouped(ms)} ms (setting db.statementMs)` };
}

/** How long statements may take that keep their limits, ms. */
function longest(statements: number, { ms, totalMs = Infinity }: Limits): number {
  return Math.min(statements * ms, totalMs + ms);
}

function fileFaultIn(reply: PlantReply): number | undefined {
  if ('error' in reply) return reply.error.sqlite;
  const failed = reply.results.find((result) => 'error' in result && result.error.sqlite !== undefined);
  return failed && 'error' in failed ? failed.error.sqlite : undefined;
}
