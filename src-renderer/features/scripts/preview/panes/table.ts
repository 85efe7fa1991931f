import { stringify } from 'csv-stringify/browser/esm/sync';
import type { Json, JsonObject } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';

export interface ResultTable {
  columns: string[];
  rows: JsonObject[];
}

/** The order of a table: by a column, or as the script returned it. */
export interface TableOrder {
  column: string;
  falling: boolean;
}

const MAX_COLUMNS = 50;

/** A result to show as a table: an array with at least one record, and only records. Otherwise null. */
export function tableOf(result: Json): ResultTable | null {
  if (!Array.isArray(result) || result.length === 0 || !result.every(isJsonObject)) return null;
  const columns = new Set<string>();
  for (const row of result) {
    for (const column of Object.keys(row)) columns.add(column);
    if (columns.size > MAX_COLUMNS) return null;
  }
  return columns.size === 0 ? null : { columns: [...columns], rows: result };
}

/** The next order after a click on a column header: ascending, descending, then as returned. */
export function nextOrder(order: TableOrder | null, column: string): TableOrder | null {
  if (order?.column !== column) return { column, falling: false };
  return order.falling ? null : { column, falling: true };
}

const textOrder = new Intl.Collator(undefined, { numeric: true });

/** The rows in an order: numbers before texts, texts in natural order, null and missing values always last. */
export function sorted(rows: readonly JsonObject[], order: TableOrder | null): readonly JsonObject[] {
  if (!order) return rows;
  const { column, falling } = order;
  const sign = falling ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [a[column] ?? null, b[column] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
    if (typeof left === 'number' || typeof right === 'number') return typeof left === 'number' ? -sign : sign;
    return sign * textOrder.compare(cellText(left), cellText(right));
  });
}

/** The table as CSV (RFC 4180), with a header row; structured values as JSON. */
export function csvOf(columns: readonly string[], rows: readonly JsonObject[]): string {
  return stringify([columns, ...rows.map((row) => columns.map((column) => cellText(row[column] ?? null)))], {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]|^\s|\s$/,
  });
}

function cellText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
