import { randomBytes } from 'node:crypto';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetails, WebhookText } from '#domain/event/webhook';
import { problemOfWebhookUrl, WEBHOOK_LIMITS } from '#domain/event/webhook';
import type { HeaderPair } from '#domain/mock/api-call';
import type { JsonObject } from '#domain/text/json';
import type { Done } from '../../platform/done.ts';
import { done } from '../../platform/done.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { ResultTables } from '../../storage/events/result-tables.ts';
import type {
  DeliveryRow,
  DeliverySummaryRow,
  WebhookRow,
  WebhookTextRow,
} from '../../storage/events/webhook-repository.ts';
import { messageIdOf } from './collector.ts';
import { TEST_TYPE, testMessage } from './message.ts';
import { WebhookSender, type SenderParts } from './sender.ts';
import { keyOf, newSecret } from './signature.ts';

interface WebhookServiceParts extends Omit<SenderParts, 'rowOf' | 'openSecret' | 'isOffline'> {
  results: Pick<ResultTables, 'columns' | 'page'>;
  /** The number of the last change of any event. */
  events: SenderParts['events'] & { version(): number };
  settings: { get(): { 'api.mode': string } };
  sealer: { seal(name: string, value: string): string; open(name: string, sealed: string): string | null };
}

interface WebhookSave extends WebhookText {
  id?: number | undefined;
  baseSavedAt?: string | undefined;
  secret?: string | undefined;
}

const HOUR_MS = 3_600_000;
const PAGE = 100;
/** The name under which a secret is sealed: a value can't be moved to another webhook. */
const sealName = (key: string): string => `webhook:${key}`;

/** The webhooks of a workspace. Methods are named after the procedures of the contract. */
export class WebhookService {
  readonly #parts: WebhookServiceParts;
  readonly #sender: WebhookSender;

  constructor(parts: WebhookServiceParts) {
    this.#parts = parts;
    this.#sender = new WebhookSender({
      ...parts,
      rowOf: (event) => rowOf(parts.results, event.ResultTableName, event.ResultTableRecordId),
      openSecret: (key, sealed) => parts.sealer.open(sealName(key), sealed),
      isOffline: () => this.#isOffline(),
    });
  }

  /** Starts to send; a process for a single command does not. */
  start(): void {
    this.#sender.start();
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  onChange(listener: (change: { webhookId: number | null }) => void): () => void {
    return this.#sender.onChange(listener);
  }

  list(): { webhooks: Webhook[] } {
    return { webhooks: this.#parts.webhooks.all().map((row) => this.#shown(row)) };
  }

  /**
   * Adds a webhook, which gets the changes from now on, or replaces that of `id`; the secret is only in the response to
   * the former. Throws BAD_REQUEST, NOT_FOUND, or CONFLICT if it was saved since `baseSavedAt`.
   */
  async save({
    id,
    baseSavedAt,
    secret: given,
    ...text
  }: WebhookSave): Promise<{ webhook: Webhook; secret: string | null }> {
    const problem = problemOfWebhookUrl(text.url);
    if (problem !== null) throw new TagwrightError('BAD_REQUEST', `${problem}.`);
    if (text.changes.length === 0) throw new TagwrightError('BAD_REQUEST', 'Choose at least one change to send.');
    const { webhooks, commits, sealer, events, clock } = this.#parts;
    const row = rowOfText(text, clock.iso());
    if (id !== undefined) {
      if (given !== undefined)
        throw new TagwrightError('BAD_REQUEST', 'The secret of a webhook is changed by rotating it.');
      await commits.run(() => {
        const stored = this.#get(id);
        if (baseSavedAt !== undefined && stored.savedAt !== baseSavedAt) {
          throw new TagwrightError(
            'CONFLICT',
            'The webhook was saved elsewhere in the meantime. Reload it, and change it again.',
          );
        }
        webhooks.replace(id, row);
        // A webhook that works again need not wait for its schedule.
        if (stored.enabled === 0 && row.enabled === 1) webhooks.retryNow(id, clock.now());
      });
      this.#sender.forget(id);
      return { webhook: this.#shown(this.#get(id)), secret: null };
    }
    const secret = given ?? newSecret();
    if (keyOf(secret) === null) {
      throw new TagwrightError('BAD_REQUEST', 'The secret must be whsec_ and the Base64 of 24 to 64 bytes.');
    }
    const key = randomBytes(12).toString('hex');
    const sealed = sealer.seal(sealName(key), secret);
    const added = await commits.run(() => {
      if (webhooks.all().length >= WEBHOOK_LIMITS.webhooks) {
        throw new TagwrightError('CONFLICT', `There can be ${WEBHOOK_LIMITS.webhooks} webhooks. Delete one first.`);
      }
      return webhooks.add({ ...row, key, secret: sealed, seq: events.version() });
    });
    this.#sender.forget(added);
    return { webhook: this.#shown(this.#get(added)), secret };
  }

  /** With its log. Throws NOT_FOUND. */
  async delete({ id }: { id: number }): Promise<Done> {
    await this.#parts.commits.run(() => {
      this.#get(id);
      this.#parts.webhooks.delete(id);
    });
    this.#sender.forget(id);
    return done;
  }

  /** A new secret; messages are signed with the previous one, too, for some hours. Throws NOT_FOUND. */
  async rotate({
    id,
    overlapHours,
  }: {
    id: number;
    overlapHours: number;
  }): Promise<{ webhook: Webhook; secret: string }> {
    const { webhooks, commits, sealer, clock } = this.#parts;
    const secret = newSecret();
    const { key } = this.#get(id);
    const sealed = sealer.seal(sealName(key), secret);
    await commits.run(() => {
      const { secret: old } = this.#get(id);
      const kept = overlapHours > 0;
      const until = clock.now() + overlapHours * HOUR_MS;
      webhooks.setSecrets({ id, secret: sealed, oldSecret: kept ? old : null, oldUntilMs: kept ? until : null });
    });
    this.#sender.forget(id);
    return { webhook: this.#shown(this.#get(id)), secret };
  }

  /** Sends a message without an event, once. Throws NOT_FOUND, or CONFLICT in offline mode. */
  async test({ id }: { id: number }): Promise<WebhookDeliveryDetails> {
    this.#checkOnline();
    const { webhooks, commits, clock } = this.#parts;
    const added = await commits.run(() => {
      const { key, format } = this.#get(id);
      const now = clock.now();
      const messageId = `${messageIdOf(key, now)}_${randomBytes(4).toString('hex')}`;
      return webhooks.addDelivery({
        webhookId: id,
        messageId,
        type: TEST_TYPE,
        eventId: null,
        // The process may end before it is sent.
        state: 'failed',
        atMs: now,
        nextMs: null,
        error: 'Not sent.',
        requestBody: testMessage(messageId, format, now),
      });
    });
    await this.#sender.attemptNow(added);
    return this.delivery({ id: added });
  }

  /** Deliveries, newest first. */
  log({
    webhookId = null,
    before = Number.MAX_SAFE_INTEGER,
    limit = PAGE,
  }: {
    webhookId?: number | null | undefined;
    before?: number | undefined;
    limit?: number | undefined;
  }): { deliveries: WebhookDelivery[] } {
    return { deliveries: this.#parts.webhooks.log(webhookId, { before, limit }).map(deliveryOf) };
  }

  /** Throws NOT_FOUND. */
  delivery({ id }: { id: number }): WebhookDeliveryDetails {
    return detailsOf(this.#parts.webhooks.delivery(id) ?? missingDelivery(id));
  }

  /**
   * Sends a delivery again at once, with the same `webhook-id`. Throws NOT_FOUND, BAD_REQUEST for a gap, or CONFLICT
   * while it is being sent or in offline mode.
   */
  async resend({ id }: { id: number }): Promise<WebhookDeliveryDetails> {
    this.#checkOnline();
    const { state } = this.#parts.webhooks.delivery(id) ?? missingDelivery(id);
    if (state === 'gap') throw new TagwrightError('BAD_REQUEST', 'A gap has no message. Select a delivery.');
    if (this.#sender.isSending(id)) throw new TagwrightError('CONFLICT', 'The delivery is being sent now.');
    await this.#sender.attemptNow(id);
    return this.delivery({ id });
  }

  #isOffline(): boolean {
    return this.#parts.settings.get()['api.mode'] === 'offline';
  }

  #checkOnline(): void {
    if (!this.#isOffline()) return;
    throw new TagwrightError(
      'CONFLICT',
      'API calls are offline, which applies to webhooks, too. Change the setting api.mode first.',
    );
  }

  #get(id: number): WebhookRow {
    const row = this.#parts.webhooks.get(id);
    if (row) return row;
    throw new TagwrightError('NOT_FOUND', `Webhook ${id} does not exist; it may have been deleted.`);
  }

  #shown(row: WebhookRow): Webhook {
    const { id, name, url, content, format, savedAt, seq, problem } = row;
    const isOldValid = row.oldUntilMs !== null && row.oldUntilMs > this.#parts.clock.now();
    const isOffline = row.enabled === 1 && this.#isOffline();
    return {
      id,
      name,
      url,
      enabled: row.enabled === 1,
      ruleIds: row.ruleIds === null ? null : JSON.parse(row.ruleIds),
      changes: JSON.parse(row.changes),
      content,
      format,
      savedAt,
      seq,
      pending: this.#parts.webhooks.pending(id),
      problem: isOffline ? 'API calls are offline (setting api.mode), so nothing is sent.' : problem,
      lastDeliveredAt: momentOf(row.deliveredMs),
      oldSecretUntil: isOldValid ? momentOf(row.oldUntilMs) : null,
    };
  }
}

const momentOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function missingDelivery(id: number): never {
  throw new TagwrightError('NOT_FOUND', `Delivery ${id} does not exist; the log may have dropped it.`);
}

function rowOfText(
  { name, url, enabled, ruleIds, changes, content, format }: WebhookText,
  savedAt: string,
): WebhookTextRow {
  return {
    name: name === '' ? new URL(url).host : name,
    url,
    enabled: enabled ? 1 : 0,
    ruleIds: ruleIds === null ? null : JSON.stringify(ruleIds),
    changes: JSON.stringify(changes),
    content,
    format,
    savedAt,
  };
}

function rowOf(results: Pick<ResultTables, 'columns' | 'page'>, table: string, id: number): JsonObject | null {
  const [row] = results.page(table, { before: id + 1, limit: 1 });
  if (row?.[0] !== id) return null;
  return Object.fromEntries(results.columns(table).map(({ name }, n) => [name, row[n] ?? null]));
}

function deliveryOf(row: DeliverySummaryRow): WebhookDelivery {
  const { id, webhookId, messageId, type, eventId, state, attempts, status, ms, error } = row;
  return {
    id,
    webhookId,
    messageId,
    type,
    eventId,
    state,
    at: new Date(row.atMs).toISOString(),
    attempts,
    nextAttemptAt: momentOf(row.nextMs),
    lastAttemptAt: momentOf(row.lastMs),
    status,
    ms,
    error,
  };
}

function detailsOf(row: DeliveryRow): WebhookDeliveryDetails {
  const headersIn = (text: string | null): HeaderPair[] => (text === null ? [] : JSON.parse(text));
  return {
    ...deliveryOf(row),
    request: { headers: headersIn(row.requestHeaders), body: row.requestBody },
    response:
      row.responseHeaders === null
        ? null
        : { headers: headersIn(row.responseHeaders), body: row.responseBody, bytes: row.responseBytes ?? 0 },
  };
}
