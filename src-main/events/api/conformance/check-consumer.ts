import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConformanceReport, SituationReport } from '#domain/event/conformance';
import type { Clock } from '../../../platform/clock.ts';
import { hashKey, KeyCheck, quickHash } from '../../../platform/key-check.ts';
import type { Log } from '../../../platform/log.ts';
import { pause } from '../../../platform/pause.ts';
import { createEventsApp } from '../app.ts';
import { injectedInto } from '../faults/inject.ts';
import { LIMITS } from '../limits.ts';
import { startListener } from '../listener.ts';
import { CLIENT, ClientFaults, ClientMatch } from './client-match.ts';
import { arrived, ended } from './observed.ts';
import type { Situation } from './situations.ts';
import { Stage } from './stage.ts';
import { TestEvents } from './test-events.ts';

export interface CheckOptions {
  /** See `ClientMatch`; null: every request. */
  client: string | null;
  situations: readonly Situation[];
  seed: number;
  /** Maximum time without progress of the consumer in a situation. */
  seconds: number;
  /** How long to wait for its first request. */
  waitSeconds: number;
  /** The rule of the test events. */
  ruleId: number;
  /** 0 picks a free one. */
  port: number;
  /** Requests need no API key. */
  isOpen: boolean;
  version: string;
  clock: Clock;
  log: Log;
  /** Called once, when requests are accepted. */
  onReady(address: { url: string; apiKey: string }): void;
  /** Called before each situation. */
  onBegin?(situation: Situation): void;
  /** Called after each situation. */
  onReport(report: SituationReport): void;
  signal: AbortSignal;
  /** Aborts with an error as the reason when the program of the consumer has ended. */
  programEnded: AbortSignal;
}

/** How long further requests are observed when everything is acknowledged. */
const SETTLE_MS = 300;
/** How long a list may wait for news here, so that the consumer meets every situation in time. */
const WAIT_MS = 1_000;
const TICK_MS = 20;
/** A situation takes at most this many times the time without progress. */
const LONGEST = 5;
/** A page larger than this is not exceeded. */
const LARGEST_PAGE = 1_000;
const MORE_THAN_A_PAGE = 10;
/** The run ends when the consumer sends nothing in this many situations in a row. */
const MOST_SILENT = 2;

/**
 * Takes a consumer of the events API through situations, one by one, against test events of its own on a separate port.
 * Observes its requests only. Nothing of a workspace is read or changed.
 */
export async function checkConsumer(options: CheckOptions): Promise<ConformanceReport> {
  const check = new ConsumerCheck(options);
  return check.run();
}

class ConsumerCheck {
  readonly #options: CheckOptions;
  readonly #source: TestEvents;
  readonly #match: ClientMatch;
  readonly #faults: ClientFaults;
  #stage: Stage | null = null;
  /** Lists of the consumer that wait for the next situation. */
  readonly #held = new Set<() => void>();
  #isHolding = true;
  #isOut = false;
  #pageSize = 0;
  readonly #streams = new Map<ServerResponse, IncomingMessage>();
  readonly #lists = new Map<ServerResponse, IncomingMessage>();
  /** Requests whose connection was ended here. */
  readonly #cut = new WeakMap<IncomingMessage, 'lost' | 'outage'>();

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#source = new TestEvents(options);
    this.#match = new ClientMatch(options.client);
    this.#faults = new ClientFaults(options.clock, this.#match);
  }

  async run(): Promise<ConformanceReport> {
    const { clock, version, log, port, isOpen, situations, signal, client, seed } = this.#options;
    const [apiKey, keys] = [randomBytes(18).toString('base64url'), new KeyCheck()];
    if (!isOpen) keys.use({ hash: hashKey(apiKey), quick: quickHash(apiKey) });
    const limits = { ...LIMITS, waitMs: WAIT_MS };
    const app = createEventsApp({
      source: this.#source,
      version,
      apiKey: keys,
      limits,
      clock,
      logFault: (where, fault) => log.error(`${where} failed`, fault),
      faults: this.#faults,
    });
    const handler = (request: IncomingMessage, response: ServerResponse) => this.#handle(request, response, app);
    const listener = await startListener({ port, handler, limits, requests: null, clock });
    const [startedAt, began] = [clock.iso(), performance.now()];
    const reports: SituationReport[] = [];
    try {
      this.#options.onReady({ url: listener.url, apiKey });
      const wait = performance.now() + this.#options.waitSeconds * 1_000;
      while (this.#match.matched.size === 0 && performance.now() < wait && !this.#isOver())
        await pause(TICK_MS, signal);
      await this.#runAll(reports);
    } finally {
      this.#isHolding = false;
      this.#faults.stopAll();
      this.#endStreams();
      for (const go of this.#held) go();
      await listener.close();
      app.close();
    }
    for (const situation of situations.slice(reports.length)) reports.push(skipped(situation));
    const sum = (kind: string) =>
      reports.flatMap(({ findings }) => findings).reduce((all, one) => all + (one.kind === kind ? one.count : 0), 0);
    const hasFailed = reports.some(({ state }) => state === 'failed');
    return {
      format: 1,
      state: signal.aborted ? 'cancelled' : hasFailed ? 'failed' : 'passed',
      client,
      consumers: [...this.#match.matched],
      others: [...this.#match.others],
      seed,
      startedAt,
      ms: Math.round(performance.now() - began),
      version,
      events: this.#source.created,
      lost: sum('lost'),
      twice: sum('twice'),
      hammered: sum('hammered'),
      situations: reports,
    };
  }

  async #runAll(reports: SituationReport[]): Promise<void> {
    let silent = 0;
    for (const situation of this.#options.situations) {
      this.#options.onBegin?.(situation);
      const report = await this.#runOne(situation);
      // What is cut off by the user shows nothing about the consumer.
      if (this.#options.signal.aborted) return;
      reports.push(report);
      this.#options.onReport(report);
      silent = report.requests === 0 && situation.idleMs === undefined ? silent + 1 : 0;
      const isAbsent = this.#match.matched.size === 0 || this.#options.programEnded.aborted;
      if (isAbsent || (silent >= MOST_SILENT && this.#streams.size === 0)) return;
    }
  }

  async #runOne(situation: Situation): Promise<SituationReport> {
    const { signal, seconds, seed } = this.#options;
    if (situation.endsStreams) this.#endStreams();
    if (situation.resetsStream) this.#source.forgetChanges();
    const pages = situation.isPaged && this.#pageSize <= LARGEST_PAGE ? this.#pageSize + MORE_THAN_A_PAGE : 0;
    let step = 0;
    const stage = new Stage(situation, Math.max(situation.events, pages), this.#source, {
      begin: ({ kind, requests }) => {
        step += 1;
        const { latencyMs = 0 } = situation;
        const plan = { faults: [kind], share: 1, latencyMs, requests, seed: seed + 100 * step, seconds: 3_600 };
        this.#faults.start(CLIENT, plan);
      },
      setOutage: (isOn) => this.#setOutage(isOn),
      openStreams: () => this.#streams.size,
    });
    this.#stage = stage;
    this.#isHolding = false;
    for (const go of this.#held) go();
    const late = seconds * 1_000 + (situation.outage?.ms ?? 0) + (situation.idleMs ?? 0);
    const isLate = () =>
      performance.now() - stage.lastProgressAt > late || performance.now() - stage.startedAt > LONGEST * late;
    while (!stage.isDone() && !isLate() && !this.#isOver() && this.#match.matched.size > 0) {
      await pause(TICK_MS, signal);
      stage.advance();
    }
    const isDone = stage.isDone();
    this.#isHolding = true;
    this.#setOutage(false);
    await pause(SETTLE_MS, signal);
    const until = performance.now() + 2 * WAIT_MS;
    while (this.#lists.size > 0 && performance.now() < until && !signal.aborted) await pause(TICK_MS, signal);
    this.#faults.stop(CLIENT);
    const report = stage.report(isDone ? null : this.#absence(stage));
    stage.close();
    return report;
  }

  /** Why the consumer does nothing; null if it does. */
  #absence(stage: Stage): string | null {
    const { client, programEnded, waitSeconds, seconds } = this.#options;
    if (programEnded.aborted) return String(programEnded.reason);
    const others = [...this.#match.others].join(', ');
    if (this.#match.matched.size === 0) {
      const whose = client === null ? '' : ` of "${client}"`;
      return `No request${whose} arrived within ${waitSeconds} s.${others === '' ? '' : ` Requests came from: ${others}.`}`;
    }
    if (stage.requests > 0 || this.#streams.size > 0) return null;
    return `It sent no request for ${seconds} s, and its ${stage.situation.events} events wait.`;
  }

  #isOver(): boolean {
    return this.#options.signal.aborted || this.#options.programEnded.aborted;
  }

  #handle(
    request: IncomingMessage,
    response: ServerResponse,
    app: (...given: [IncomingMessage, ServerResponse]) => void,
  ) {
    if (!request.url?.startsWith('/api/events') || !this.#match.matches(request)) return app(request, response);
    const { isList, isStream, limit } = arrived(request);
    this.#pageSize = Math.max(this.#pageSize, limit ?? 0);
    const go = () => {
      this.#held.delete(go);
      if (!response.destroyed) this.#proceed(request, response, () => app(request, response));
    };
    if (!this.#isHolding || !(isList || isStream)) return go();
    response.on('close', () => this.#held.delete(go));
    this.#held.add(go);
  }

  #proceed(request: IncomingMessage, response: ServerResponse, respond: () => void): void {
    const [start, stage] = [arrived(request), this.#stage];
    if (stage) stage.requests += 1;
    const open = start.isStream ? this.#streams : this.#lists;
    if (start.isList || start.isStream) open.set(response, request);
    response.on('close', () => {
      open.delete(response);
      stage?.add(ended(start, request, response, injectedInto(request) ?? this.#cut.get(request) ?? null));
      // At once: the next list of the consumer belongs to the next situation.
      if (stage === this.#stage && stage?.isDone()) this.#isHolding = true;
    });
    if (this.#isOut) return this.#end(request, response);
    if (stage && stage.lostLeft > 0 && /^(?:PUT|DELETE)$/.test(start.method))
      this.#loseResponse(stage, request, response);
    respond();
  }

  /** The change is made, and then the connection ends instead of the response. */
  #loseResponse(stage: Stage, request: IncomingMessage, response: ServerResponse): void {
    const send: unknown = Reflect.get(response, 'end');
    Object.assign(response, {
      end: (...given: unknown[]) => {
        const isLost = response.statusCode < 300 && stage.lostLeft > 0;
        if (!isLost) return typeof send === 'function' ? Reflect.apply(send, response, given) : response;
        stage.lostLeft -= 1;
        this.#cut.set(request, 'lost');
        response.destroy();
        return response;
      },
    });
  }

  #setOutage(isOn: boolean): void {
    if (isOn && !this.#isOut)
      for (const [response, request] of [...this.#streams, ...this.#lists]) this.#end(request, response);
    this.#isOut = isOn;
  }

  #end(request: IncomingMessage, response: ServerResponse): void {
    this.#cut.set(request, 'outage');
    response.destroy();
  }

  #endStreams(): void {
    for (const response of this.#streams.keys()) response.destroy();
  }
}

function skipped({ name, title, expected }: Situation): SituationReport {
  const none = { ms: 0, events: 0, acknowledged: 0, requests: 0, faults: 0, findings: [], notes: [] };
  return { name, title, expected, state: 'skipped', ...none };
}
