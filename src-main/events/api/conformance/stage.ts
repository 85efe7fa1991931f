import type { ConformanceFinding, SituationReport } from '#domain/event/conformance';
import { acknowledgedTwice, counted, eventsText, hammered, polledTooFast } from './judge.ts';
import type { Observed } from './observed.ts';
import type { Situation } from './situations.ts';
import type { TestEvents } from './test-events.ts';

/** Observed requests of one situation that are kept. */
const MOST_OBSERVED = 20_000;
/** A stream needs this time for its first messages. */
const STREAM_MS = 300;
/** How long a consumer that receives a stream has nothing to do, where others get a 304. */
const QUIET_MS = 3_000;
/** The first of the listed events that another client deletes. */
const FIRST_DELETED = 5;

/** What the stage of a situation can do to its surroundings. */
export interface StageHands {
  /** Makes the faults of a step begin. */
  begin(step: { kind: NonNullable<Situation['steps']>[number]['kind']; requests: number }): void;
  /** Ends every connection, and responds to nothing while on. */
  setOutage(isOn: boolean): void;
  openStreams(): number;
}

/** A situation in progress: its events, and what the consumer did so far. */
export class Stage {
  readonly situation: Situation;
  readonly startedAt = performance.now();
  readonly observed: Observed[] = [];
  requests = 0;
  /** Responses that are still to be lost. */
  lostLeft: number;
  lastProgressAt = performance.now();
  readonly #source: TestEvents;
  readonly #hands: StageHands;
  readonly #ids: number[];
  /** The events that were neither acknowledged nor deleted. */
  readonly #open: Set<number>;
  readonly #deletedByOther = new Set<number>();
  readonly #resetsBefore: number;
  #stepsBegun = 0;
  #isLaterCreated: boolean;
  #hasList = false;
  /** When everything was acknowledged first, and the polls since. */
  #quiet: { since: number; polls: number; has304: boolean } | null = null;
  #outageAt: number | null = null;
  #isOutageOver: boolean;

  constructor(situation: Situation, events: number, source: TestEvents, hands: StageHands) {
    this.situation = situation;
    this.#source = source;
    this.#hands = hands;
    this.lostLeft = situation.lostResponses ?? 0;
    this.#isLaterCreated = situation.later === undefined;
    this.#isOutageOver = situation.outage === undefined;
    this.#resetsBefore = source.resets;
    this.#ids = source.create(events);
    this.#open = new Set(this.#ids);
    this.advance();
  }

  get acknowledged(): number {
    return this.#ids.length - this.#open.size - this.#deletedByOther.size;
  }

  /** A request of the consumer has ended. */
  add(one: Observed): void {
    if (this.observed.length < MOST_OBSERVED) this.observed.push(one);
    if (one.isFault) this.lastProgressAt = performance.now();
    if (one.acknowledges !== null) this.#settle([one.acknowledges]);
    if (one.isList && one.status === 200 && one.isComplete) this.#hasList = true;
    if (one.isList && this.#quiet) {
      this.#quiet.polls += 1;
      this.#quiet.has304 ||= one.status === 304;
    }
    this.advance();
  }

  /** Does what is due now. Called after each request, and from time to time. */
  advance(): void {
    const { steps = [], later, deletedByOther = 0, outage } = this.situation;
    this.#settle([...this.#open]);
    const step = steps[this.#stepsBegun];
    if (step && this.acknowledged >= step.afterAcknowledged) {
      this.#stepsBegun += 1;
      this.#hands.begin(step);
    }
    if (deletedByOther > 0 && this.#hasList && this.#deletedByOther.size === 0) this.#deleteSome(deletedByOther);
    if (this.#open.size === 0) this.#quiet ??= { since: performance.now(), polls: 0, has304: false };
    if (later && !this.#isLaterCreated && this.#isLaterDue(later.when)) this.#createLater(later.events);
    if (!outage || this.#isOutageOver) return;
    if (this.#outageAt === null && this.acknowledged >= outage.afterAcknowledged) {
      this.#outageAt = performance.now();
      this.#hands.setOutage(true);
      if (later) this.#createLater(later.events);
    } else if (this.#outageAt !== null && performance.now() - this.#outageAt >= outage.ms) {
      this.#isOutageOver = true;
      this.lastProgressAt = performance.now();
      this.#hands.setOutage(false);
    }
  }

  /** Whether everything has happened, and every event is acknowledged. */
  isDone(): boolean {
    const { steps = [], idleMs = 0 } = this.situation;
    if (this.#open.size > 0 || !this.#isLaterCreated || !this.#isOutageOver) return false;
    return this.#stepsBegun >= steps.length && performance.now() - this.startedAt >= idleMs;
  }

  /** Deletes the events that were not acknowledged, so that the next situation begins without them. */
  close(): void {
    this.#hands.setOutage(false);
    this.#source.deleteSome([...this.#open]);
  }

  /** @param problem why the consumer can do nothing, if so */
  report(problem: string | null): SituationReport {
    const { name, title, expected, idleMs } = this.situation;
    const findings: ConformanceFinding[] = [];
    if (problem !== null) findings.push({ kind: 'absent', count: 1, message: problem });
    else if (this.#open.size > 0) {
      const open = [...this.#open];
      findings.push({ kind: 'lost', count: open.length, message: `Never acknowledged: ${eventsText(open)}` });
    }
    findings.push(...acknowledgedTwice(this.observed), ...hammered(this.observed));
    if (idleMs !== undefined) findings.push(...polledTooFast(this.observed, idleMs));
    const unmet = this.#unmet();
    return {
      name,
      title,
      expected,
      state: findings.length > 0 ? 'failed' : unmet === null ? 'passed' : 'unmet',
      ms: Math.round(performance.now() - this.startedAt),
      events: this.#ids.length,
      acknowledged: this.acknowledged,
      requests: this.requests,
      faults: this.observed.filter(({ isFault }) => isFault).length,
      findings,
      notes: unmet === null ? this.#notes() : [unmet, ...this.#notes()],
    };
  }

  /** Why the consumer has not met the situation; null if it has. */
  #unmet(): string | null {
    const { isPaged, steps, lostResponses, resetsStream, deletedByOther, later, outage } = this.situation;
    const [some, has] = [this.observed, (is: (one: Observed) => boolean) => this.observed.some(is)];
    if (isPaged && !has((one) => one.isFurtherPage)) return 'It asked for no further page.';
    if (steps && !has((one) => one.isFault)) return 'It sent no request that such a response fits.';
    if (lostResponses !== undefined && !has((one) => one.isFault)) return 'It sent no PUT or DELETE.';
    if (resetsStream && this.#source.resets === this.#resetsBefore) return 'It did not continue an event stream.';
    if (deletedByOther !== undefined && this.#deletedByOther.size === 0) return 'It read no list.';
    if (later?.when === 'first list' && !this.#hasList) return 'It read no list.';
    if (later?.when === 'unchanged' && !some.some(({ status }) => status === 304)) return 'It sent no If-None-Match.';
    if (outage && !has((one) => one.isFault)) return 'It sent no request during the outage.';
    return null;
  }

  #notes(): string[] {
    const rejected = this.observed.filter(({ status, isFault }) => status === 401 && !isFault).length;
    const invalid = this.observed.filter(({ status, isFault }) => status >= 400 && status < 500 && !isFault);
    const others = invalid.filter(({ status }) => status !== 401 && status !== 404);
    const [first] = others;
    const gone = this.#deletedByOther.size;
    return [
      ...(gone > 0 ? [`Deleted by another client: ${counted(gone, 'event')}.`] : []),
      ...(rejected > 0 ? [`${counted(rejected, 'request')} without the API key of the run, rejected with 401.`] : []),
      ...(first
        ? [
            `${counted(others.length, 'invalid request')}, the first: ${first.method} ${first.path.slice(0, 100)} (${first.status}).`,
          ]
        : []),
    ];
  }

  #settle(ids: readonly number[]): void {
    for (const id of ids) {
      if (!this.#open.has(id) || this.#source.isActive(id)) continue;
      this.#open.delete(id);
      this.lastProgressAt = performance.now();
    }
  }

  #deleteSome(count: number): void {
    const wanted = this.#ids.filter((id) => this.#open.has(id)).slice(FIRST_DELETED, FIRST_DELETED + count);
    for (const id of this.#source.deleteSome(wanted)) {
      this.#open.delete(id);
      this.#deletedByOther.add(id);
    }
  }

  #isLaterDue(when: NonNullable<Situation['later']>['when']): boolean {
    const isStreaming = this.#hands.openStreams() > 0;
    const now = performance.now();
    if (when === 'first list') return this.#hasList || (isStreaming && now - this.startedAt > STREAM_MS);
    if (when === 'outage' || this.#quiet === null) return false;
    const { since, polls, has304 } = this.#quiet;
    // Two polls without a 304 show that it sends no ETag.
    return has304 || polls > 2 || now - since > (isStreaming ? QUIET_MS : 5 * QUIET_MS);
  }

  #createLater(count: number): void {
    this.#isLaterCreated = true;
    this.lastProgressAt = performance.now();
    for (const id of this.#source.create(count)) {
      this.#ids.push(id);
      this.#open.add(id);
    }
  }
}
