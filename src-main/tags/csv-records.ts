import { finished } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Info } from 'csv-parse';
import { parse as parser } from 'csv-parse';
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
  parse(text, optionsInto(records));
  return records;
}

/** As csvRecords, for large texts: a part at a time, so that nothing else waits for long. */
export async function csvRecordsInTurns(text: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  const parsing = parser(optionsInto(records));
  const done = finished(parsing.resume());
  // Bytes, since a part of a text could end within a character.
  const bytes = Buffer.from(text);
  const feed = async (): Promise<void> => {
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      parsing.write(bytes.subarray(at, at + PART_BYTES));
      await turn();
    }
    parsing.end();
  };
  await Promise.all([done, feed()]);
  return records;
}

const PART_BYTES = 64 * 1024;

function optionsInto(records: CsvRecord[]) {
  return {
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    on_record(fields: string[], { records: before, empty_lines: blank, lines: line }: Info) {
      records.push({ fields, row: before + blank, line });
      return null;
    },
  };
}
