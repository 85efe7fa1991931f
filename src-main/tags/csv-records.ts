import { parse } from 'csv-parse/sync';

/** One record of a CSV text. */
export interface CsvRecord {
  fields: string[];
  /** The row that a spreadsheet shows it in, from 1; blank lines count. */
  row: number;
  /** The line of the text that it ends in, from 1. */
  line: number;
}

/** The records of a CSV text (RFC 4180, with or without a byte order mark). Throws an Error that names the line. */
export function csvRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  parse(text, {
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    on_record(fields: string[], { records: before, empty_lines: blank, lines: line }) {
      records.push({ fields, row: before + blank, line });
      return null;
    },
  });
  return records;
}
