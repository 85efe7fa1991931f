import { notesByLine, type RanPart, type ShownValues, skippedParts } from '#domain/run/shown-values';
import { grouped } from '#domain/text/grouped';
import { printable } from '../platform/report/printable.ts';
import { cell, table } from './text.ts';

const MOST_LINES = 500;
const MOST_SKIPPED = 100;

/** What the variables of a run became, by line, and the parts that did not run, as text for people. */
export function valuesText({ values, parts, stopped, executed }: ShownValues, body: string): string {
  const lines = body.split(/\r\n|[\n\r\u2028\u2029]/);
  const notes = [...notesByLine(values)];
  const rows = notes.slice(0, MOST_LINES).map(([line, text]) => [`line ${line}`, printable(text)]);
  const skipped = skippedParts(parts);
  const missed = skipped
    .slice(0, MOST_SKIPPED)
    .map((part) => [`line ${part.line}`, `column ${part.column}`, cell(textOf(part, lines))]);
  const count = grouped(executed);
  const until = stopped ? `, until the run was stopped after ${count} statements` : '';
  return [
    `\nvalues (${grouped(values.length)}${until})\n`,
    table(rows, '  '),
    more(notes.length - rows.length, 'lines'),
    skipped.length > 0 ? `\nnot run (${grouped(skipped.length)})\n${table(missed, '  ')}` : '',
    more(skipped.length - missed.length, 'parts'),
  ].join('');
}

const more = (count: number, what: string): string => (count > 0 ? `  and ${grouped(count)} more ${what}\n` : '');

/** The text of a part; of one with several lines, the first. */
function textOf({ line, column, endLine, endColumn }: RanPart, lines: readonly string[]): string {
  const text = lines[line - 1] ?? '';
  return line === endLine ? text.slice(column - 1, endColumn - 1) : `${text.slice(column - 1)} …`;
}
