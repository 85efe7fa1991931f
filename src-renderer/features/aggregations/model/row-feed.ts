import type { Json } from '#domain/text/json';
import type { ColumnType } from '#domain/rule/rule';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import type { Problem } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';
import { fileParts, rowsText } from './row-text.ts';
import type { RowFormat } from './row-text.ts';

export interface RowColumn {
  name: string;
  type: ColumnType;
  output: string | null;
  /** Unit of the output; '' if it has none. */
  unit?: string;
}

export interface RowsState {
  columns: readonly RowColumn[];
  /** Newest first; the loaded ones. */
  rows: readonly (readonly Json[])[];
  /** The number of rows in the table. */
  total: number;
  loaded: boolean;
  problem: Problem | null;
}

const PAGE = 500;
const EXPORT_PAGE = 5_000;

type RowsClient = Pick<Client['rules'], 'rows'>;

/** The data rows of a rule: the newest, older ones on request, and new ones as they are added. */
export class RowFeed {
  readonly store = new Store<RowsState>({ columns: [], rows: [], total: 0, loaded: false, problem: null });
  readonly #client: RowsClient;
  readonly #ruleId: number;
  #work: Promise<void> = Promise.resolve();

  constructor(client: RowsClient, ruleId: number) {
    this.#client = client;
    this.#ruleId = ruleId;
  }

  /** Loads the rows since the last load; after a few new rows the shown ones stay. */
  refresh(signal: AbortSignal): Promise<void> {
    return this.#next(signal, async () => {
      const { columns, rows: newest, total } = await this.#page(undefined, PAGE, signal);
      const { columns: before, rows: known } = this.store.get();
      const top = known[0]?.[0];
      const join = newest.findIndex(([id]) => id === top);
      const joins = join >= 0 && JSON.stringify(columns) === JSON.stringify(before);
      const rows = joins ? [...newest.slice(0, join), ...known] : newest;
      this.store.set({ columns: joins ? before : columns, rows, total, loaded: true, problem: null });
    });
  }

  /** Loads the next older rows. */
  more(signal: AbortSignal): Promise<void> {
    return this.#next(signal, async () => {
      const { rows, total } = this.store.get();
      const last = rows.at(-1)?.[0];
      if (typeof last !== 'number' || rows.length >= total) return;
      const page = await this.#page(last, PAGE, signal);
      const older = page.rows;
      this.store.update((state) => ({
        ...state,
        rows: [...state.rows, ...older],
        // Does not wait for rows that someone else deleted.
        total: older.length === 0 ? state.rows.length : Math.max(state.total, page.total),
      }));
    });
  }

  /** All rows as a file, oldest first; `progress` is called with their number. Rejects when the signal aborts. */
  async export(
    format: RowFormat,
    progress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<string[]> {
    const parts: string[] = [];
    let names: string[] = [];
    let before: number | undefined;
    let done = 0;
    for (;;) {
      const { columns, rows, total } = await this.#page(before, EXPORT_PAGE, signal);
      if (parts.length === 0) names = columns.map(({ name }) => name);
      if (rows.length > 0) parts.push(rowsText(format, names, rows.toReversed()));
      done += rows.length;
      progress(done, Math.max(done, total));
      signal.throwIfAborted();
      const last = rows.at(-1)?.[0];
      if (rows.length < EXPORT_PAGE || typeof last !== 'number') return fileParts(format, names, parts.toReversed());
      before = last;
    }
  }

  #page(before: number | undefined, limit: number, signal: AbortSignal) {
    return this.#client.rows({ id: this.#ruleId, limit, ...(before !== undefined && { before }) }, { signal });
  }

  /** One at a time, so that pages join. */
  #next(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(async () => {
      if (signal.aborted) return;
      try {
        await work();
      } catch (error) {
        if (!isAbort(error) && !signal.aborted) this.store.update((state) => ({ ...state, problem: problemOf(error) }));
      }
    });
    return this.#work;
  }
}
