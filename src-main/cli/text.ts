import { grouped } from '#domain/text/grouped';
import type { Json } from '#domain/text/json';
import { printable } from '../platform/report/printable.ts';

const LONGEST_CELL = 60;

/** On one line, as long as it is: for a last column that says what to do. */
export function wholeCell(text: string): string {
  return printable(text).replaceAll(/[\n\t]+/g, ' ');
}

/** On one line, shortened. */
export function cell(text: string): string {
  const line = wholeCell(text);
  return line.length > LONGEST_CELL ? `${line.slice(0, LONGEST_CELL - 1)}…` : line;
}

export function valueCell(value: Json): string {
  return cell(JSON.stringify(value));
}

/** Rows as aligned columns, two spaces apart, with `indent` before each. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((text, at) => (widths[at] = Math.max(widths[at] ?? 0, text.length)));
  return rows
    .map((row) => indent + row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** A moment in a list, in UTC to the second: `2026-01-31 06:00:00` of ISO text. */
export function listedMoment(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

/** `1 tag`, `2 tags` */
export function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
