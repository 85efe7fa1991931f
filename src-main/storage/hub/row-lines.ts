import type { ColumnValue, ResultTables } from '../events/result-tables.ts';

/** Rows of the first and of the longest query: a part may need few rows of a table. */
const FIRST = 8;
const MOST = 200;

/**
 * The rows of a result table above an id as lines of COPY, oldest first: table, id, JSON of the other columns by name.
 * Reads ahead, because the next event of the rule has the next row: a query for each row would take longer than
 * everything else.
 */
export class RowLines {
  readonly #results: ResultTables;
  readonly #table: string;
  /** The table and a tab. */
  readonly #head: string;
  /** The name and a colon for each column but the id. */
  #keys: string[] | null = null;
  #page: ColumnValue[][] = [];
  #at = 0;
  #after: number;
  #size = FIRST;

  constructor(results: ResultTables, table: string, after: number) {
    this.#results = results;
    this.#table = table;
    this.#head = `${copyText(table)}\t`;
    this.#after = after;
  }

  /** The id of the next row; null after the last one. */
  peek(): number | null {
    if (this.#at === this.#page.length) this.#read();
    const row = this.#page[this.#at];
    return row ? Number(row[0]) : null;
  }

  /** The line of the next row, whose id `peek` has returned. */
  next(): string {
    const row = this.#page[this.#at] ?? [];
    this.#at += 1;
    const keys = (this.#keys ??= this.#results.columns(this.#table).slice(1).map(keyOf));
    let data = '{';
    for (let n = 0; n < keys.length; n += 1) data += `${n === 0 ? '' : ','}${keys[n]}${jsonOf(row[n + 1] ?? null)}`;
    return `${this.#head}${row[0]}\t${data}}\n`;
  }

  /** Whether the next row needs another query. */
  isPageEnd(): boolean {
    return this.#at === this.#page.length;
  }

  #read(): void {
    this.#page = this.#results.first(this.#table, { after: this.#after, limit: this.#size });
    this.#at = 0;
    this.#after = Number(this.#page.at(-1)?.[0] ?? this.#after);
    this.#size = Math.min(2 * this.#size, MOST);
  }
}

const keyOf = ({ name }: { name: string }): string => `${copyJson(JSON.stringify(name))}:`;

/** PostgreSQL stores neither NUL nor half of a surrogate pair in JSON. */
function jsonOf(value: ColumnValue): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const storable = value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return copyJson(JSON.stringify(storable.toWellFormed()));
}

/** JSON as a field of COPY: it has no tabs and line feeds. */
export const copyJson = (json: string): string => (json.includes('\\') ? json.replaceAll('\\', '\\\\') : json);

/** A field of a line in the text format of COPY. */
export const copyText = (text: string): string =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text;
