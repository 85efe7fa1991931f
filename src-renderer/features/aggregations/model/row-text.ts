import { stringify } from 'csv-stringify/browser/esm/sync';
import type { Json } from '#domain/text/json';

export const ROW_FORMATS = ['csv', 'json'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

type DataRows = readonly (readonly Json[])[];

/** Rows as a part of a file: CSV as in RFC 4180; JSON as objects, one per line. */
export function rowsText(format: RowFormat, columns: readonly string[], rows: DataRows): string {
  if (format === 'csv') return csv(rows);
  return rows
    .map((row) => JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))))
    .join(',\n');
}

/** The parts of such a file, for a Blob. */
export function fileParts(format: RowFormat, columns: readonly string[], parts: readonly string[]): string[] {
  if (format === 'csv') return [csv([columns]), ...parts];
  return ['[\n', ...parts.flatMap((part, place) => (place === 0 ? [part] : [',\n', part])), '\n]\n'];
}

function csv(rows: DataRows): string {
  return stringify([...rows], { record_delimiter: '\r\n', quoted_match: /[\r\n]|^\s|\s$/ });
}

/** The name of the rule as a file name: characters that a system does not allow become underscores. */
export function fileName(rule: string, format: RowFormat): string {
  const name = rule
    .replaceAll(/[\\/:*?"<>|\u0000-\u001f]+/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
    .slice(0, 80);
  return `${name === '' ? 'rows' : name}.${format}`;
}
