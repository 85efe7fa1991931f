import type { Json, JsonObject } from '#domain/json';
import { isJsonObject } from '#domain/json';

export interface ResultTable {
  columns: string[];
  rows: JsonObject[];
}

const MAX_COLUMNS = 50;

/** A result that reads best as a table: an array of at least one record, and of nothing else. Else null. */
export function tableOf(result: Json): ResultTable | null {
  if (!Array.isArray(result) || result.length === 0 || !result.every(isJsonObject)) return null;
  const columns = new Set<string>();
  for (const row of result) {
    for (const column of Object.keys(row)) columns.add(column);
    if (columns.size > MAX_COLUMNS) return null;
  }
  return columns.size === 0 ? null : { columns: [...columns], rows: result };
}
