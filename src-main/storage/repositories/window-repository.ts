import type { Database } from 'better-sqlite3';

/**
 * Samples of a rule that were stored together; times in ms since 1970 in UTC, `samples` in the format of the code that
 * stored them.
 */
export interface SampleBatch {
  ruleId: number;
  fromMs: number;
  toMs: number;
  count: number;
  samples: string;
  /** 1: the stored state of the window already includes them. */
  covered: 0 | 1;
}

/** The progress of a rule up to a batch of samples: JSON text. */
export interface OpenWindowRow {
  batchId: number;
  state: string;
}

/** Number of batches that one step deletes: about a ms. */
const STEP = 200;

/** Open windows and the samples of rules. Methods that write must be called inside a job of the commit queue. */
export class WindowRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** How many rules have a stored open window. */
  openCount(): number {
    return this.#statements.openCount.get() ?? 0;
  }

  open(ruleId: number): OpenWindowRow | null {
    return this.#statements.open.get(ruleId) ?? null;
  }

  putOpen(ruleId: number, { batchId, state }: OpenWindowRow): void {
    const { changeOpen, addOpen } = this.#statements;
    if (changeOpen.run(batchId, state, ruleId).changes === 0) addOpen.run(ruleId, batchId, state);
  }

  /** Deletes a rule's open window and all its samples. */
  forget(ruleId: number): void {
    this.#statements.deleteOpen.run(ruleId);
    this.#statements.deleteSamples.run(ruleId);
  }

  /** Like `forget`, for a rule with many: in steps, the open window in the last. */
  *forgetInSteps(ruleId: number): Generator<void> {
    while (this.#statements.deleteSome.run(ruleId, STEP).changes === STEP) yield;
    this.#statements.deleteOpen.run(ruleId);
  }

  /** Returns the id of the batch; later batches have higher ones. */
  append(batch: SampleBatch): number {
    return Number(this.#statements.append.run(batch).lastInsertRowid);
  }

  /** The samples of a rule after a batch that its stored window does not include, oldest first. */
  after(ruleId: number, batchId: number): (Pick<SampleBatch, 'fromMs' | 'samples'> & { id: number })[] {
    return this.#statements.after.all(ruleId, batchId);
  }

  /** The newest batches of a rule, newest first. The connection is blocked until the iterator ends. */
  newest(ruleId: number): IterableIterator<Pick<SampleBatch, 'fromMs' | 'samples' | 'count'>> {
    return this.#statements.newest.iterate(ruleId);
  }

  /** The id of a rule's newest batch, 0 if there is none. */
  lastBatch(ruleId: number): number {
    return this.#statements.lastBatch.get(ruleId) ?? 0;
  }

  /** The number of stored samples of a rule. */
  count(ruleId: number): number {
    return this.#statements.count.get(ruleId) ?? 0;
  }

  /** The oldest batches of a rule that are not needed to restore its window, up to a limit. */
  oldest(ruleId: number, limit: number): { id: number; toMs: number; count: number }[] {
    return this.#statements.oldest.all(ruleId, ruleId, limit);
  }

  delete(batchId: number): void {
    this.#statements.delete.run(batchId);
  }
}

function prepare(database: Database) {
  return {
    openCount: database.prepare<[], number>('SELECT count(*) FROM open_windows').pluck(),
    open: database.prepare<[number], OpenWindowRow>(
      'SELECT batch_id AS batchId, state FROM open_windows WHERE rule_id = ?',
    ),
    // Two statements: a combined one parses the state twice.
    changeOpen: database.prepare<[number, string, number]>(
      'UPDATE open_windows SET batch_id = ?, state = ? WHERE rule_id = ?',
    ),
    addOpen: database.prepare<[number, number, string]>(
      'INSERT INTO open_windows (rule_id, batch_id, state) VALUES (?, ?, ?)',
    ),
    deleteOpen: database.prepare<[number]>('DELETE FROM open_windows WHERE rule_id = ?'),
    deleteSome: database.prepare<[number, number]>(
      'DELETE FROM window_samples WHERE id IN (SELECT id FROM window_samples WHERE rule_id = ? LIMIT ?)',
    ),
    deleteSamples: database.prepare<[number]>('DELETE FROM window_samples WHERE rule_id = ?'),
    append: database.prepare<[SampleBatch]>(
      'INSERT INTO window_samples (rule_id, from_ms, to_ms, count, samples, covered) ' +
        'VALUES (@ruleId, @fromMs, @toMs, @count, @samples, @covered)',
    ),
    after: database.prepare<[number, number], { id: number; fromMs: number; samples: string }>(
      'SELECT id, from_ms AS fromMs, samples FROM window_samples WHERE rule_id = ? AND id > ? AND covered = 0 ORDER BY id',
    ),
    newest: database.prepare<[number], { fromMs: number; samples: string; count: number }>(
      'SELECT from_ms AS fromMs, samples, count FROM window_samples WHERE rule_id = ? ORDER BY id DESC',
    ),
    lastBatch: database
      .prepare<[number], number | null>('SELECT max(id) FROM window_samples WHERE rule_id = ?')
      .pluck(),
    count: database.prepare<[number], number | null>('SELECT sum(count) FROM window_samples WHERE rule_id = ?').pluck(),
    oldest: database.prepare<[number, number, number], { id: number; toMs: number; count: number }>(
      'SELECT id, to_ms AS toMs, count FROM window_samples ' +
        'WHERE rule_id = ? AND id <= (SELECT batch_id FROM open_windows WHERE rule_id = ?) ORDER BY id LIMIT ?',
    ),
    delete: database.prepare<[number]>('DELETE FROM window_samples WHERE id = ?'),
  };
}
