import type { Database } from 'better-sqlite3';
import type { DeliveryState, WebhookContent, WebhookFormat } from '#domain/event/webhook';

/** What users edit of a webhook, as it is stored. */
export interface WebhookTextRow {
  name: string;
  url: string;
  enabled: number;
  /** JSON arrays; null for all rules. */
  ruleIds: string | null;
  changes: string;
  content: WebhookContent;
  format: WebhookFormat;
  /** RFC 3339 in UTC. */
  savedAt: string;
}

export interface WebhookRow extends WebhookTextRow {
  id: number;
  /** Part of each message id. */
  key: string;
  /** Sealed, like the previous one, which signs too until a moment. */
  secret: string;
  oldSecret: string | null;
  oldUntilMs: number | null;
  seq: number;
  problem: string | null;
  deliveredMs: number | null;
}

/** The outcome of the last attempt. */
export interface AttemptRow {
  state: DeliveryState;
  attempts: number;
  nextMs: number | null;
  lastMs: number;
  status: number | null;
  ms: number;
  error: string | null;
  /** JSON of pairs. */
  requestHeaders: string;
  responseHeaders: string | null;
  responseBody: string | null;
  responseBytes: number | null;
}

export interface NewDeliveryRow {
  webhookId: number;
  /** '' for a gap. */
  messageId: string;
  type: string;
  eventId: number | null;
  state: DeliveryState;
  atMs: number;
  nextMs: number | null;
  error: string | null;
  requestBody: string;
}

export interface DeliveryRow extends NewDeliveryRow {
  id: number;
  attempts: number;
  lastMs: number | null;
  status: number | null;
  ms: number | null;
  requestHeaders: string | null;
  responseHeaders: string | null;
  responseBody: string | null;
  responseBytes: number | null;
}

/** A delivery without its messages. */
export type DeliverySummaryRow = Omit<
  DeliveryRow,
  'requestBody' | 'requestHeaders' | 'responseHeaders' | 'responseBody' | 'responseBytes'
>;

/** Webhooks and their deliveries in the workspace database. Methods that write must be called inside a job. */
export class WebhookRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** All of them, oldest first. */
  all(): WebhookRow[] {
    return this.#statements.all.all();
  }

  get(id: number): WebhookRow | null {
    return this.#statements.get.get(id) ?? null;
  }

  /** Returns its id. */
  add(row: WebhookTextRow & Pick<WebhookRow, 'key' | 'secret' | 'seq'>): number {
    return Number(this.#statements.add.run(row).lastInsertRowid);
  }

  /** Clears the problem. */
  replace(id: number, row: WebhookTextRow): void {
    this.#statements.replace.run({ ...row, id });
  }

  setSecrets(secrets: Pick<WebhookRow, 'id' | 'secret' | 'oldSecret' | 'oldUntilMs'>): void {
    this.#statements.setSecrets.run(secrets);
  }

  /** With its deliveries. */
  delete(id: number): void {
    this.#statements.delete.run(id);
  }

  moveTo(id: number, seq: number): void {
    this.#statements.moveTo.run(seq, id);
  }

  setProblem(id: number, problem: string | null): void {
    this.#statements.setProblem.run(problem, id);
  }

  delivered(id: number, at: number): void {
    this.#statements.delivered.run(at, id);
  }

  disable(id: number, problem: string): void {
    this.#statements.disable.run(problem, id);
  }

  /** Returns its id. */
  addDelivery(row: NewDeliveryRow): number {
    return Number(this.#statements.addDelivery.run(row).lastInsertRowid);
  }

  delivery(id: number): DeliveryRow | null {
    return this.#statements.delivery.get(id) ?? null;
  }

  /** Stores the outcome of an attempt. */
  attempted(id: number, attempt: AttemptRow): void {
    this.#statements.attempted.run({ ...attempt, id });
  }

  /** The last attempt of any delivery of a webhook; null if none is in the log. */
  lastAttempt(webhookId: number): { lastMs: number; status: number | null; responseHeaders: string | null } | null {
    return this.#statements.lastAttempt.get(webhookId) ?? null;
  }

  /** Deliveries with ids below `before`, newest first; of one webhook, or of all if it is null. */
  log(webhookId: number | null, { before, limit }: { before: number; limit: number }): DeliverySummaryRow[] {
    return webhookId === null
      ? this.#statements.logOfAll.all(before, limit)
      : this.#statements.log.all(webhookId, before, limit);
  }

  pending(webhookId: number): number {
    return this.#statements.pending.get(webhookId) ?? 0;
  }

  /** The ids of the waiting deliveries of a webhook that are due, the earliest first. */
  due(webhookId: number, now: number, limit: number): number[] {
    return this.#statements.due.all(webhookId, now, limit);
  }

  /** When the next delivery of a webhook after a moment is due; null if none waits. */
  nextDue(webhookId: number, after: number): number | null {
    return this.#statements.nextDue.get(webhookId, after) ?? null;
  }

  /** Makes all waiting deliveries of a webhook due. */
  retryNow(webhookId: number, now: number): void {
    this.#statements.retryNow.run(now, webhookId, now);
  }

  /** Makes waiting deliveries due that were scheduled after a moment: the clock was set back since. */
  retryScheduledAfter(moment: number, now: number): void {
    this.#statements.retryScheduledAfter.run(now, now, moment);
  }

  /** Drops ended deliveries of a webhook: those before a moment, and the oldest ones beyond a count. */
  trim(webhookId: number, { before, keep }: { before: number; keep: number }): void {
    this.#statements.dropOld.run(webhookId, before);
    const last = this.#statements.lastKept.get(webhookId, keep);
    if (last !== undefined) this.#statements.dropBelow.run(webhookId, last);
  }
}

const WEBHOOK = `SELECT id, key, name, url, enabled, rule_ids AS ruleIds, changes, content, format, secret,
  old_secret AS oldSecret, old_until_ms AS oldUntilMs, seq, problem, delivered_ms AS deliveredMs, saved_at AS savedAt
  FROM webhooks`;
const SUMMARY = `id, webhook_id AS webhookId, message_id AS messageId, type, event_id AS eventId, state, at_ms AS atMs,
  attempts, next_ms AS nextMs, last_ms AS lastMs, status, ms, error`;

function prepare(database: Database) {
  return {
    all: database.prepare<[], WebhookRow>(`${WEBHOOK} ORDER BY id`),
    get: database.prepare<[number], WebhookRow>(`${WEBHOOK} WHERE id = ?`),
    add: database.prepare<[WebhookTextRow & Pick<WebhookRow, 'key' | 'secret' | 'seq'>]>(`
      INSERT INTO webhooks (key, name, url, enabled, rule_ids, changes, content, format, secret, seq, saved_at)
      VALUES (@key, @name, @url, @enabled, @ruleIds, @changes, @content, @format, @secret, @seq, @savedAt)`),
    replace: database.prepare<[WebhookTextRow & { id: number }]>(`
      UPDATE webhooks SET name = @name, url = @url, enabled = @enabled, rule_ids = @ruleIds, changes = @changes,
        content = @content, format = @format, saved_at = @savedAt, problem = NULL WHERE id = @id`),
    setSecrets: database.prepare<[Pick<WebhookRow, 'id' | 'secret' | 'oldSecret' | 'oldUntilMs'>]>(
      'UPDATE webhooks SET secret = @secret, old_secret = @oldSecret, old_until_ms = @oldUntilMs WHERE id = @id',
    ),
    delete: database.prepare<[number]>('DELETE FROM webhooks WHERE id = ?'),
    moveTo: database.prepare<[number, number]>('UPDATE webhooks SET seq = ? WHERE id = ?'),
    setProblem: database.prepare<[string | null, number]>('UPDATE webhooks SET problem = ? WHERE id = ?'),
    delivered: database.prepare<[number, number]>(
      'UPDATE webhooks SET delivered_ms = ?, problem = NULL WHERE id = ? AND enabled = 1',
    ),
    disable: database.prepare<[string, number]>('UPDATE webhooks SET enabled = 0, problem = ? WHERE id = ?'),
    addDelivery: database.prepare<[NewDeliveryRow]>(`
      INSERT INTO webhook_deliveries
        (webhook_id, message_id, type, event_id, state, at_ms, next_ms, error, request_body)
      VALUES (@webhookId, @messageId, @type, @eventId, @state, @atMs, @nextMs, @error, @requestBody)`),
    delivery: database.prepare<[number], DeliveryRow>(`
      SELECT ${SUMMARY}, request_headers AS requestHeaders, request_body AS requestBody,
        response_headers AS responseHeaders, response_body AS responseBody, response_bytes AS responseBytes
      FROM webhook_deliveries WHERE id = ?`),
    attempted: database.prepare<[AttemptRow & { id: number }]>(`
      UPDATE webhook_deliveries SET state = @state, attempts = @attempts, next_ms = @nextMs, last_ms = @lastMs,
        status = @status, ms = @ms, error = @error, request_headers = @requestHeaders,
        response_headers = @responseHeaders, response_body = @responseBody, response_bytes = @responseBytes
      WHERE id = @id`),
    lastAttempt: database.prepare<[number], { lastMs: number; status: number | null; responseHeaders: string | null }>(
      `SELECT last_ms AS lastMs, status, response_headers AS responseHeaders FROM webhook_deliveries
       WHERE webhook_id = ? AND last_ms IS NOT NULL ORDER BY last_ms DESC LIMIT 1`,
    ),
    log: database.prepare<[number, number, number], DeliverySummaryRow>(
      `SELECT ${SUMMARY} FROM webhook_deliveries WHERE webhook_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    ),
    logOfAll: database.prepare<[number, number], DeliverySummaryRow>(
      `SELECT ${SUMMARY} FROM webhook_deliveries WHERE id < ? ORDER BY id DESC LIMIT ?`,
    ),
    pending: database
      .prepare<[number], number>(`SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ? AND state = 'pending'`)
      .pluck(),
    due: database
      .prepare<[number, number, number], number>(
        `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state = 'pending' AND next_ms <= ?
         ORDER BY next_ms, id LIMIT ?`,
      )
      .pluck(),
    nextDue: database
      .prepare<[number, number], number | null>(
        `SELECT min(next_ms) FROM webhook_deliveries WHERE webhook_id = ? AND state = 'pending' AND next_ms > ?`,
      )
      .pluck(),
    retryNow: database.prepare<[number, number, number]>(
      `UPDATE webhook_deliveries SET next_ms = ? WHERE webhook_id = ? AND state = 'pending' AND next_ms > ?`,
    ),
    retryScheduledAfter: database.prepare<[number, number, number]>(
      `UPDATE webhook_deliveries SET next_ms = ?
       WHERE state = 'pending' AND next_ms > ? AND coalesce(last_ms, at_ms) > ?`,
    ),
    dropOld: database.prepare<[number, number]>(
      `DELETE FROM webhook_deliveries WHERE webhook_id = ? AND state <> 'pending' AND at_ms < ?`,
    ),
    lastKept: database
      .prepare<[number, number], number>(
        `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state <> 'pending' ORDER BY id DESC LIMIT 1 OFFSET ?`,
      )
      .pluck(),
    dropBelow: database.prepare<[number, number]>(
      `DELETE FROM webhook_deliveries WHERE webhook_id = ? AND state <> 'pending' AND id <= ?`,
    ),
  };
}
