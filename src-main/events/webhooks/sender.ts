import type { PushMessage, PushOutcome } from '#domain/event/webhook';
import { WEBHOOK_LIMITS } from '#domain/event/webhook';
import type { HeaderPair } from '#domain/mock/api-call';
import { Listeners } from '../../platform/events.ts';
import type { DeliveryRow, WebhookRow } from '../../storage/events/webhook-repository.ts';
import { type CollectorParts, collect } from './collector.ts';
import { mediaTypeOf } from './message.ts';
import { nextAttempt, retryAfterOf } from './retry-schedule.ts';
import { keyOf, signatureOf } from './signature.ts';

export interface SenderParts extends CollectorParts {
  events: CollectorParts['events'] & { onFeed(listener: () => void): () => void };
  /** Whether messages must not be sent now. */
  isOffline: () => boolean;
  push: (message: PushMessage, timeoutMs: number, signal: AbortSignal) => Promise<PushOutcome>;
  /** Opens the secret of a webhook; null if this installation cannot. */
  openSecret: (key: string, sealed: string) => string | null;
  version: string;
  /** ms from each failed attempt to the next one. */
  delays?: readonly number[] | undefined;
  fault: (where: string, thrown: unknown) => void;
}

/** A receiver must respond within this time: Standard Webhooks recommends 15 to 30 s. */
const TIMEOUT_MS = 20_000;
/** Attempts at a time, of one webhook and of all. One that fails has one attempt at a time. */
const AT_ONCE = 4;
const ALL_AT_ONCE = 64;
/** Commits within this time become deliveries in one transaction. */
const COLLECT_MS = 50;
/** The clock can change, so that a timer must not run longer. */
const LOOK_MS = 30_000;
/** How long a webhook waits if the outcome of an attempt cannot be stored. */
const NOT_STORED_MS = 5_000;
const TRIM_MS = 60_000;
const NOTIFY_MS = 200;
const DAY_MS = 86_400_000;
const GONE = 410;

/** How the last attempts of a webhook went. */
interface Health {
  isFailing: boolean;
  /** ms since 1970 in UTC. */
  pausedUntil: number;
}

/**
 * Sends the deliveries of webhooks: several at a time, each until a 2xx, or until its last attempt failed. An attempt
 * whose outcome is not stored, because the process was killed, is repeated with the same `webhook-id`.
 */
export class WebhookSender {
  readonly #parts: SenderParts;
  readonly #end = new AbortController();
  readonly #changes = new Listeners<{ webhookId: number | null }>();
  readonly #health = new Map<number, Health>();
  /** Deliveries with an attempt in progress, and their webhooks. */
  readonly #sending = new Map<number, number>();
  readonly #attempts = new Set<Promise<unknown>>();
  #unsubscribe: () => void = () => undefined;
  #timer: { at: number; timeout: NodeJS.Timeout } | null = null;
  #notifying: NodeJS.Timeout | null = null;
  #changed = new Set<number>();
  #turn: Promise<void> | null = null;
  #again = false;
  #first = 0;
  #trimAt = 0;
  #started = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Starts to follow the change feed; a process for a single command does not. */
  start(): void {
    this.#started = true;
    this.#unsubscribe = this.#parts.events.onFeed(() => this.#wakeIn(COLLECT_MS));
    this.wake();
  }

  /** Called when webhooks or their logs have changed, at most five times a second. */
  onChange(listener: (change: { webhookId: number | null }) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Looks for changes and due deliveries now. */
  wake(): void {
    this.#wakeIn(0);
  }

  /** A webhook was saved: earlier failures no longer count. */
  forget(webhookId: number): void {
    this.#health.set(webhookId, { isFailing: false, pausedUntil: 0 });
    this.notify(webhookId);
    this.wake();
  }

  notify(webhookId: number): void {
    this.#changed.add(webhookId);
    this.#notifying ??= setTimeout(() => {
      this.#notifying = null;
      const [one = null, ...others] = this.#changed;
      this.#changed = new Set();
      this.#changes.emit({ webhookId: others.length > 0 ? null : one });
    }, NOTIFY_MS).unref();
  }

  isSending(deliveryId: number): boolean {
    return this.#sending.has(deliveryId);
  }

  /** One attempt now, outside of the schedule. Resolves when its outcome is stored. */
  async attemptNow(deliveryId: number): Promise<void> {
    const delivery = this.#parts.webhooks.delivery(deliveryId);
    if (delivery) await this.#attempt(delivery);
  }

  async close(): Promise<void> {
    this.#started = false;
    this.#unsubscribe();
    this.#end.abort();
    if (this.#timer) clearTimeout(this.#timer.timeout);
    if (this.#notifying) clearTimeout(this.#notifying);
    this.#changes.clear();
    await this.#turn;
    await Promise.allSettled(this.#attempts);
  }

  #wakeIn(ms: number): void {
    if (!this.#started) return;
    const at = performance.now() + ms;
    if (this.#timer && this.#timer.at <= at) return;
    if (this.#timer) clearTimeout(this.#timer.timeout);
    const timeout = setTimeout(() => {
      this.#timer = null;
      this.#look();
    }, ms).unref();
    this.#timer = { at, timeout };
  }

  /** One turn at a time; a wake during a turn is another one. */
  #look(): void {
    if (this.#turn) {
      this.#again = true;
      return;
    }
    this.#turn = this.#takeTurn()
      .catch((thrown: unknown) => {
        this.#parts.fault('webhooks', thrown);
        this.#wakeIn(NOT_STORED_MS);
      })
      .finally(() => {
        this.#turn = null;
        if (this.#again) this.#look();
        this.#again = false;
      });
  }

  async #takeTurn(): Promise<void> {
    const { webhooks, clock, commits } = this.#parts;
    const enabled = webhooks.all().filter(({ enabled: on }) => on === 1);
    for (const { id, seq } of enabled) {
      while (await collect(id, this.#parts)) if (!this.#started) return;
      if (webhooks.get(id)?.seq !== seq) this.notify(id);
    }
    if (!this.#started) return;
    const now = clock.now();
    const isSetBack = this.#trimAt > now + TRIM_MS;
    if (isSetBack) for (const health of this.#health.values()) health.pausedUntil = 0;
    if (now >= this.#trimAt || isSetBack) {
      this.#trimAt = now + TRIM_MS;
      const limits = { before: now - WEBHOOK_LIMITS.logDays * DAY_MS, keep: WEBHOOK_LIMITS.log };
      await commits.run(() => {
        for (const { id } of webhooks.all()) webhooks.trim(id, limits);
        webhooks.retryScheduledAfter(now + TRIM_MS, now);
      });
    }
    this.#launch();
  }

  /** Begins attempts of due deliveries, and sets the timer for the next ones. */
  #launch(): void {
    if (!this.#started || this.#parts.isOffline()) return this.#wakeIn(LOOK_MS);
    const { webhooks, clock } = this.#parts;
    const enabled = webhooks.all().filter(({ enabled: on }) => on === 1);
    this.#first += 1;
    let wait = LOOK_MS;
    for (const n of enabled.keys()) {
      // Each turn begins with another webhook, so that none keeps the places of others.
      const webhook = enabled[(n + this.#first) % enabled.length];
      if (!webhook) continue;
      const now = clock.now();
      const { isFailing, pausedUntil } = this.#healthOf(webhook.id);
      if (pausedUntil > now) {
        wait = Math.min(wait, pausedUntil - now);
        continue;
      }
      const sending = [...this.#sending.values()].filter((id) => id === webhook.id).length;
      const room = Math.min((isFailing ? 1 : AT_ONCE) - sending, ALL_AT_ONCE - this.#sending.size);
      if (room > 0) {
        const due = webhooks.due(webhook.id, now, AT_ONCE + sending).filter((id) => !this.#sending.has(id));
        for (const id of due.slice(0, room)) {
          const delivery = webhooks.delivery(id);
          if (delivery) void this.#attempt(delivery);
        }
      }
      const next = webhooks.nextDue(webhook.id, now);
      if (next !== null) wait = Math.min(wait, next - now);
    }
    this.#wakeIn(Math.max(wait, 1));
  }

  #attempt(delivery: DeliveryRow): Promise<void> {
    this.#sending.set(delivery.id, delivery.webhookId);
    const attempt = this.#send(delivery)
      .catch((thrown: unknown) => {
        if (this.#end.signal.aborted) return;
        this.#parts.fault('a webhook', thrown);
        this.#healthOf(delivery.webhookId).pausedUntil = this.#parts.clock.now() + NOT_STORED_MS;
      })
      .finally(() => {
        this.#sending.delete(delivery.id);
        this.#attempts.delete(attempt);
        if (!this.#end.signal.aborted) this.wake();
      });
    this.#attempts.add(attempt);
    return attempt;
  }

  async #send(delivery: DeliveryRow): Promise<void> {
    const { webhooks, clock, commits } = this.#parts;
    const webhook = webhooks.get(delivery.webhookId);
    if (!webhook) return;
    const began = performance.now();
    const headers = this.#headersOf(webhook, delivery);
    const outcome: PushOutcome =
      typeof headers === 'string'
        ? { response: null, error: headers }
        : await this.#parts.push(
            { url: webhook.url, headers, body: delivery.requestBody },
            TIMEOUT_MS,
            this.#end.signal,
          );
    // The process ends: this attempt is repeated after the next start.
    if (this.#end.signal.aborted) return;
    const ms = Math.round((performance.now() - began) * 10) / 10;
    const { response } = outcome;
    const status = response?.status ?? null;
    const isDelivered = isSuccess(status);
    const now = clock.now();
    this.#setHealth(
      webhook.id,
      isDelivered,
      now + retryAfterOf({ status, retryAfter: response?.retryAfter ?? null, now }),
    );
    await commits.run(() => {
      const current = webhooks.delivery(delivery.id);
      if (!current) return;
      const attempts = current.attempts + 1;
      const failed = { attempts, now, status, retryAfter: response?.retryAfter ?? null };
      const isLast = status === GONE || current.state !== 'pending';
      const nextMs = isDelivered || isLast ? null : nextAttempt(failed, Math.random(), this.#parts.delays);
      webhooks.attempted(delivery.id, {
        state: isDelivered ? 'delivered' : nextMs === null ? 'failed' : 'pending',
        attempts,
        nextMs,
        lastMs: now,
        status,
        ms,
        error: outcome.error,
        requestHeaders: JSON.stringify(typeof headers === 'string' ? [] : headers),
        responseHeaders: response && JSON.stringify(response.message.headers),
        responseBody: response?.message.body ?? null,
        responseBytes: response?.message.bytes ?? null,
      });
      if (isDelivered) webhooks.delivered(webhook.id, now);
      else if (status === GONE) webhooks.disable(webhook.id, GONE_TEXT);
      else if (webhooks.get(webhook.id)?.enabled === 1) {
        webhooks.setProblem(webhook.id, outcome.error ?? `The last response had status ${status}.`);
      }
    });
    this.notify(webhook.id);
  }

  /** The headers of an attempt; a text if it cannot be signed. */
  #headersOf(webhook: WebhookRow, { messageId, requestBody }: DeliveryRow): HeaderPair[] | string {
    const now = this.#parts.clock.now();
    const open = (sealed: string): Buffer | null => {
      const secret = this.#parts.openSecret(webhook.key, sealed);
      return secret === null ? null : keyOf(secret);
    };
    const key = open(webhook.secret);
    if (key === null) {
      return 'The secret cannot be opened here: it was sealed on another machine or with another secrets.key. Rotate it.';
    }
    const { oldSecret, oldUntilMs } = webhook;
    const old = oldSecret !== null && now < (oldUntilMs ?? 0) ? open(oldSecret) : null;
    const at = Math.floor(now / 1_000);
    return [
      ['Content-Type', mediaTypeOf(webhook.format)],
      ['User-Agent', `Tagwright/${this.#parts.version}`],
      ['Accept-Encoding', 'identity'],
      ['webhook-id', messageId],
      ['webhook-timestamp', String(at)],
      ['webhook-signature', signatureOf(old ? [key, old] : [key], messageId, at, requestBody)],
    ];
  }

  #healthOf(webhookId: number): Health {
    const known = this.#health.get(webhookId);
    if (known) return known;
    const health = this.#healthAfterStart(webhookId);
    this.#health.set(webhookId, health);
    return health;
  }

  /** A receiver that asked for a pause gets it across a restart. As always, saving the webhook ends it. */
  #healthAfterStart(webhookId: number): Health {
    const { webhooks, clock } = this.#parts;
    const last = webhooks.lastAttempt(webhookId);
    const savedMs = Date.parse(webhooks.get(webhookId)?.savedAt ?? '');
    // An attempt in the future is one before the clock was set back.
    if (!last || isSuccess(last.status) || last.lastMs <= savedMs || last.lastMs > clock.now() + TRIM_MS) {
      return { isFailing: false, pausedUntil: 0 };
    }
    const headers: HeaderPair[] = JSON.parse(last.responseHeaders ?? '[]');
    const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1] ?? null;
    return {
      isFailing: true,
      pausedUntil: last.lastMs + retryAfterOf({ status: last.status, retryAfter, now: last.lastMs }),
    };
  }

  #setHealth(webhookId: number, isDelivered: boolean, pausedUntil: number): void {
    const health = this.#healthOf(webhookId);
    health.isFailing = !isDelivered;
    health.pausedUntil = isDelivered ? 0 : pausedUntil;
  }
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const GONE_TEXT = 'The receiver responded with 410 (Gone), so Tagwright disabled this webhook. Enable it to continue.';
