import { convert } from '#domain/tag/convert';
import { parseDateTime } from '#domain/text/date-time';
import type { ReplayRow, SignalValue } from '#domain/tag/signal';
import type { TagType } from '#domain/tag/tag';
import { messageOf } from '../../platform/errors.ts';
import type { CsvRecord } from './definitions/csv-records.ts';
import { csvRecords } from './definitions/csv-records.ts';

/** Maximum number of rows of a recording; at one a second more than a day. */
export const MAX_REPLAY_ROWS = 100_000;

export type Recording =
  | { ok: true; rows: ReplayRow[]; /** The time of the first row, if times are dates. */ startAt: string | null }
  | { ok: false; reason: string };

/** A problem of one line, which ends the reading. */
class LineProblem extends Error {}

/**
 * Reads a recorded signal: CSV with the columns `time` (RFC 3339, or ms) and `value`, ordered by time. Values are
 * converted to the type of the tag, times become ms from the first row. An error names the line.
 */
export function readRecording(csv: string, type: TagType): Recording {
  try {
    const [header, ...body] = csvRecords(csv);
    const columns = header?.fields.map((name) => name.trim().toLowerCase()) ?? [];
    const timeColumn = columns.indexOf('time');
    const valueColumn = columns.indexOf('value');
    if (timeColumn < 0 || valueColumn < 0) {
      return { ok: false, reason: 'line 1: a recording begins with a line that names its columns: time,value' };
    }
    if (body.length === 0) return { ok: false, reason: 'line 2: a recording needs at least one row below its header' };
    if (body.length > MAX_REPLAY_ROWS) {
      return {
        ok: false,
        reason: `a recording has at most ${MAX_REPLAY_ROWS} rows, but this one has ${body.length}`,
      };
    }
    return rowsOf(body, timeColumn, valueColumn, type);
  } catch (thrown) {
    return { ok: false, reason: messageOf(thrown) };
  }
}

function rowsOf(records: readonly CsvRecord[], timeColumn: number, valueColumn: number, type: TagType): Recording {
  const rows: ReplayRow[] = [];
  let first: Moment | null = null;
  let previous = Number.NEGATIVE_INFINITY;
  for (const { fields, line } of records) {
    const moment = momentOf(fields[timeColumn]?.trim() ?? '', line);
    first ??= moment;
    if (moment.dated !== first.dated) throw problem(line, 'its time has another format than the first one');
    if (moment.ms <= previous) throw problem(line, 'its time is not later than the one before');
    previous = moment.ms;
    rows.push({ at: moment.ms - first.ms, value: valueOf(fields[valueColumn] ?? '', type, line) });
  }
  return { ok: true, rows, startAt: first?.dated ? new Date(first.ms).toISOString() : null };
}

interface Moment {
  ms: number;
  /** Whether it was a date; otherwise it is ms from any origin. */
  dated: boolean;
}

function momentOf(text: string, line: number): Moment {
  if (/^-?\d{1,15}$/.test(text)) return { ms: Number(text), dated: false };
  const date = parseDateTime(text);
  if (!date.ok)
    throw problem(line, `its time ${JSON.stringify(text.slice(0, 40))} is neither RFC 3339 text nor whole ms`);
  return { ms: date.ms, dated: true };
}

function valueOf(text: string, type: TagType, line: number): SignalValue {
  const converted = convert(text, type);
  if (!converted.ok) throw problem(line, converted.reason);
  if (converted.value === null || typeof converted.value === 'object')
    throw problem(line, 'its value must be a number, a Boolean or text');
  return converted.value;
}

const problem = (line: number, what: string): LineProblem => new LineProblem(`line ${line}: ${what}`);
