import { finished } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Info } from 'csv-parse';
import { parse as parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';

/** One record of a CSV text. */
export interface CsvRecord {
  fields: string[];
  /** Its row in a spreadsheet, from 1; blank lines count. */
  row: number;
  /** The line of the text in which it ends, from 1. */
  line: number;
}

/**
 * The records of a CSV text (RFC 4180, with or without a byte order mark; separated by commas, semicolons or tabs, like
 * its first row). Throws an Error that names the line.
 */
export function csvRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  parse(text, optionsInto(records, text));
  return records;
}

/** Like csvRecords, for large texts: in parts, so that nothing else waits for long. */
export async function csvRecordsInTurns(text: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  const parsing = parser(optionsInto(records, text));
  const done = finished(parsing.resume());
  // Bytes, because a part of a text could end within a character.
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

function optionsInto(records: CsvRecord[], text: string) {
  return {
    bom: true,
    delimiter: separatorOf(text),
    skip_empty_lines: true,
    relax_column_count: true,
    on_record(fields: string[], { records: before, empty_lines: blank, lines: line }: Info) {
      records.push({ fields, row: before + blank, line });
      return null;
    },
  };
}

/** Spreadsheets use the usual separator of their country. The names of columns contain none of these characters. */
function separatorOf(text: string): string {
  for (const character of text.trimStart()) {
    if (character === ',' || character === ';' || character === '\t') return character;
    if (character === '\n' || character === '\r') break;
  }
  return ',';
}
