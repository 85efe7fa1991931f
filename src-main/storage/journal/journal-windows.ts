import type { Database } from 'better-sqlite3';
import type { CurrentValue, JournalFiring } from '#domain/run/journal';
import type { WhySample, WhyWindow } from '#domain/run/why';
import { CORRECTION_MS, type SampleValue } from '#domain/rule/rule';
import type { Quality } from '#domain/tag/quality';
import type { Json } from '#domain/text/json';
import { localTimeText } from '#domain/text/local-time';

/** Samples of one window that are listed. */
const MOST_SAMPLES = 1_000;

interface SampleRow {
  id: number;
  fromMs: number;
  toMs: number;
  samples: string;
}

/** Times in ms since 1970; `at` is when it fired, as the row has it. */
interface FiredWindow {
  start: number;
  end: number;
  /** Its samples, also excluded ones. */
  count: number;
  at: string;
  /** A part of the samples: what a firing by hand added. */
  current: readonly CurrentValue[];
  /** How many earlier windows of the rule were in this interval, before the clock was set back. */
  earlier: () => number;
}

interface Pass {
  list: WhySample[];
  /** Samples of the moments in which the window began and ended. */
  atStart: number;
  atEnd: number;
}

/**
 * The samples of a window: consecutive passes with as many samples as it counted, otherwise the pass after the passes of
 * earlier windows.
 */
function ownPass(passes: readonly Pass[], count: number, earlier: () => number): Pick<Pass, 'list' | 'atStart'> {
  for (let first = 0; first < passes.length; first += 1) {
    const list: WhySample[] = [];
    for (const pass of passes.slice(first)) {
      list.push(...pass.list);
      if (list.length < count) continue;
      const isOwn = list.length === count && (first > 0 || passes.length === 1 || earlier() === 0);
      if (isOwn) return { list, atStart: passes[first]?.atStart ?? 0 };
      break;
    }
  }
  const all = { list: passes.flatMap(({ list }) => list), atStart: passes[0]?.atStart ?? 0 };
  if (all.list.length <= count || passes.length < 2) return all;
  return passes[Math.min(passes.length - 1, earlier())] ?? all;
}

/** The windows behind data rows, as far as they are stored. */
export class JournalWindows {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shown: (value: string | number) => string | number;

  /** @param shown a value without secrets */
  constructor(database: Database, shown: (value: string | number) => string | number = (value) => value) {
    this.#database = database;
    this.#shown = shown;
    this.#statements = prepare(database);
  }

  /** The rule of a result table, deleted or not; null if there is none. */
  ruleOf(table: string): number | null {
    return this.#statements.ruleOf.get(table) ?? null;
  }

  /** The tag that opens and closes the windows of a rule; null if there is none. */
  whileTag(ruleId: number): string | null {
    return this.#statements.whileTag.get(ruleId) ?? null;
  }

  /** The rules that sample a tag, or whose windows it opens and closes. */
  rulesOver(path: string): number[] {
    return this.#statements.rulesOver.all(path, path);
  }

  /** The first data row of a rule whose window ended at a time or later; null if there is none. */
  firstRowAfter(ruleId: number, at: number): number | null {
    const table = this.#statements.tableOf.get(ruleId);
    if (table === undefined || !this.#exists(table)) return null;
    const low = this.#firstWith(table, (row) => Date.parse(textIn(row['window_end'])) >= at);
    return low;
  }

  /** The window of a data row with its samples; null if the row no longer exists. */
  of({ ruleId, rule, savedAt, condition, table, current = [] }: JournalFiring, row: number): WhyWindow | null {
    if (!this.#exists(table)) return null;
    const found = this.#row(table, row);
    if (!found) return null;
    const {
      id: _,
      fired_at: firedAt,
      fired_by: _by,
      window_start: start,
      window_end: end,
      samples,
      bad_samples,
      ...values
    } = found;
    return {
      start: textIn(start),
      end: textIn(end),
      samples: Number(samples),
      badSamples: Number(bad_samples),
      rule,
      savedAt,
      condition,
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#withoutSecrets(value)])),
      list: this.#samples(ruleId, {
        start: Date.parse(textIn(start)),
        end: Date.parse(textIn(end)),
        count: Number(samples) + Number(bad_samples),
        at: textIn(firedAt),
        current,
        earlier: () => this.#earlierOver(table, row, textIn(start), textIn(end)),
      }).map((sample) => ({ ...sample, value: this.#withoutSecrets(sample.value) })),
    };
  }

  #withoutSecrets<Value extends Json>(value: Value): Value | string | number {
    return typeof value === 'string' || typeof value === 'number' ? this.#shown(value) : value;
  }

  #samples(ruleId: number, { start, end, count, at, current, earlier }: FiredWindow): WhySample[] {
    const { tags: tagsText, kind } = this.#statements.rule.get(ruleId) ?? { tags: '[]', kind: '' };
    const tags: string[] = JSON.parse(tagsText);
    const passes = this.#passes(ruleId, this.#statements.batches.all(ruleId, start, end, MOST_SAMPLES)).map(
      (batches) => {
        const list: WhySample[] = [];
        let [atStart, atEnd] = [0, 0];
        for (const { fromMs, samples } of batches) {
          const entries: [number, number, SampleValue | null, Quality?][] = JSON.parse(samples);
          for (const [after, place, value, quality] of entries) {
            const ms = fromMs + after;
            if (place < 0 || ms < start || ms > end || list.length >= MOST_SAMPLES) continue;
            if (ms === start) atStart += 1;
            if (ms === end) atEnd += 1;
            const tag = tags[place] ?? '';
            list.push({ at: localTimeText(ms), tag, value, ...(quality !== undefined && { quality }) });
          }
        }
        return { list, atStart, atEnd };
      },
    );
    const own = Math.max(0, count - current.length);
    // A manual window that an active rule closes also stores its current values.
    const storesCurrent = kind === 'manual' && passes.some(({ atEnd }) => atEnd >= current.length);
    const stored = storesCurrent ? count : own;
    const { list, atStart } = ownPass(passes, stored, earlier);
    // Windows that the clock does not open begin with an input: the samples of that moment before it belong to the previous
    // window. Those at the end that the window did not count belong to the next one.
    const before = kind === 'tumbling' ? 0 : Math.max(0, Math.min(list.length - stored, atStart));
    const added = current.slice(0, MOST_SAMPLES).map((one): WhySample => ({ at, ...one, current: true }));
    return [...list.slice(before, before + own), ...added];
  }

  /** Batches by the times that the clock passed through their interval: more than once if it was set back. */
  #passes(ruleId: number, batches: readonly SampleRow[]): SampleRow[][] {
    const passes: SampleRow[][] = [];
    let last: SampleRow | undefined;
    for (const batch of batches) {
      // Other batches between them are of other times.
      const isNext =
        last !== undefined &&
        batch.fromMs >= last.toMs - CORRECTION_MS &&
        (batch.id === last.id + 1 || this.#statements.between.get(ruleId, last.id, batch.id) === undefined);
      if (isNext) passes.at(-1)?.push(batch);
      else passes.push([batch]);
      last = batch;
    }
    return passes;
  }

  /** How many rows before a row have windows that overlap its window. */
  #earlierOver(table: string, row: number, start: string, end: string): number {
    const rows = this.#database.prepare<[number, string, string], number>(
      `SELECT count(*) FROM ${quoted(table)} WHERE id < ? AND julianday(window_start) < julianday(?)
      AND julianday(window_end) > julianday(?)`,
    );
    return rows.pluck().get(row, end, start) ?? 0;
  }

  #exists(table: string): boolean {
    return this.#statements.exists.get(table) === 1;
  }

  #row(table: string, id: number): Record<string, Json> | undefined {
    return this.#database
      .prepare<[number], Record<string, Json>>(`SELECT * FROM ${quoted(table)} WHERE id = ?`)
      .get(id);
  }

  /** By halves: windows of a rule end in the order of their rows. */
  #firstWith(table: string, isAfter: (row: Record<string, Json>) => boolean): number | null {
    const next = this.#database.prepare<[number], Record<string, Json>>(
      `SELECT * FROM ${quoted(table)} WHERE id >= ? ORDER BY id LIMIT 1`,
    );
    const most =
      this.#database
        .prepare<[], number | null>(`SELECT max(id) FROM ${quoted(table)}`)
        .pluck()
        .get() ?? 0;
    let [low, high] = [1, most + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = next.get(middle);
      if (!row || isAfter(row)) high = middle;
      else low = Number(row['id']) + 1;
    }
    const found = next.get(low);
    return found ? Number(found['id']) : null;
  }
}

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function prepare(database: Database) {
  return {
    ruleOf: database.prepare<[string], number>('SELECT id FROM rules WHERE result_table = ?').pluck(),
    tableOf: database.prepare<[number], string>('SELECT result_table FROM rules WHERE id = ?').pluck(),
    rule: database.prepare<[number], { tags: string; kind: string }>(
      `SELECT definition ->> '$.tags' AS tags, definition ->> '$.window.kind' AS kind FROM rules WHERE id = ?`,
    ),
    whileTag: database
      .prepare<[number], string | null>(`SELECT definition ->> '$.window.tag' FROM rules WHERE id = ?`)
      .pluck(),
    rulesOver: database
      .prepare<[string, string], number>(
        `SELECT id FROM rules WHERE deleted_at IS NULL AND (definition ->> '$.window.tag' = ?
        OR EXISTS (SELECT 1 FROM json_each(definition, '$.tags') WHERE value = ?)) ORDER BY id`,
      )
      .pluck(),
    exists: database.prepare<[string], number>(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).pluck(),
    batches: database.prepare<[number, number, number, number], SampleRow>(
      `SELECT id, from_ms AS fromMs, to_ms AS toMs, samples FROM window_samples
      WHERE rule_id = ? AND to_ms >= ? AND from_ms <= ? ORDER BY id LIMIT ?`,
    ),
    between: database
      .prepare<[number, number, number], number>(
        'SELECT 1 FROM window_samples WHERE rule_id = ? AND id > ? AND id < ? LIMIT 1',
      )
      .pluck(),
  };
}
