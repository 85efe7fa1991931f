import type { RunActs, RunError, RunReport, WriteEntry } from '#domain/run/run';
import type { TraceItem } from '#domain/run/trace';
import { traceItems } from '#domain/run/trace';
import { scopeSuffix } from '#domain/tag/scope';
import { grouped } from '#domain/text/grouped';
import type { Io } from './io.ts';
import { colored } from './io.ts';
import { printable } from '../platform/report/printable.ts';
import { cell, table, valueCell } from './text.ts';

const MOST_ENTRIES = 50;
const LONGEST_LINE = 160;
const MOST_TEXT = 300;
/** Shorter waits are normal on an idle instance, and not shown. */
const WAIT_WORTH_SAYING_MS = 1_000;

/** A run report as text for people. */
export function runReportText(report: RunReport, source: { name: string; body: string }, io: Io): string {
  const { timing, dryRun } = report;
  const waited = timing.queuedMs >= WAIT_WORTH_SAYING_MS ? `, waited ${ms(timing.queuedMs)} for a host` : '';
  const head = [
    `${colored(io, report.status === 'ok' ? 'green' : 'red', report.status)}  in ${ms(timing.totalMs)}`,
    `(script ${ms(timing.scriptMs)}, host calls ${ms(timing.hostCallMs)}${waited})`,
    ...(dryRun ? [colored(io, 'yellow', 'dry run: nothing was saved')] : []),
  ].join('  ');
  return [
    `${head}\n`,
    report.error ? errorText(report.error, source) : '',
    report.status === 'ok' ? section('result', `${indented(printable(JSON.stringify(report.result, null, 2)))}\n`) : '',
    section('console', consoleText(report)),
    section(`reads (${total(report.reads, report.dropped.reads)})`, readsText(report)),
    section(`writes (${total(report.writes, report.dropped.writes)})`, writesText(report)),
    section(
      `API calls (${report.apiCalls.length})`,
      table(
        report.apiCalls.map((call) => [
          lineOf(call.line),
          call.method,
          call.error ?? call.statusCode,
          ms(call.ms),
          call.mock === null ? call.source : `mock "${cell(call.mock)}"`,
          printable(call.url),
          // The last column: only failed calls have one.
          ...(call.reason === undefined ? [] : [printable(call.reason)]),
        ]),
        '  ',
      ),
    ),
    section(`rejected (${total(report.rejected ?? [], report.dropped.rejected ?? 0)})`, rejectedText(report)),
    section('scripts of tags', nestedText(report)),
  ].join('');
}

/** The scripts of tags that ran because of the run, each indented below its tag. */
function nestedText(acts: RunActs): string {
  const items = traceItems(acts).filter((item) => item.depth > 0 || item.what === 'run');
  const lines = items.slice(0, MOST_ENTRIES).map((item) => `${'  '.repeat(item.depth + 1)}${nestedLine(item)}\n`);
  const more = items.length - lines.length;
  return lines.join('') + (more > 0 ? `  and ${grouped(more)} more\n` : '');
}

function nestedLine(item: TraceItem): string {
  const at = item.line === null ? '' : `line ${item.line}  `;
  switch (item.what) {
    case 'run': {
      const { access, tag, status, error, console: entries, timing } = item.run;
      const place = error?.line ? `line ${error.line}: ` : '';
      const why = error ? `  ${place}${error.message}` : '';
      const log = entries.length > 0 ? `  [${entries.map(({ level, text }) => `${level}: ${text}`).join('; ')}]` : '';
      return cut(`${access} script of ${tag}  ${status} in ${ms(timing.totalMs)}${why}${log}`);
    }
    case 'read':
      return cut(
        `${at}read ${item.path}  ${valueCell(item.value)}  ${item.quality}${item.reason ? `  ${item.reason}` : ''}`,
      );
    case 'write':
      return cut(`${at}write ${item.path}  ${beforeText(item)} -> ${valueCell(item.value)}`);
    case 'rejected':
      return cut(`${at}${item.access} ${item.path}  rejected: ${item.reason}`);
    default:
      return cut(`${at}${item.method} ${item.url}  ${item.statusCode}`);
  }
}

const beforeText = ({ before, notRead }: WriteEntry): string => (notRead ? 'not read' : valueCell(before));
const cut = (text: string): string => printable(text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text);
const ms = (time: number) => (time < 10 ? `${Math.round(time * 10) / 10} ms` : `${Math.round(time)} ms`);
const total = (entries: unknown[], dropped: number) => grouped(entries.length + dropped);
const section = (title: string, text: string) => (text === '' ? '' : `\n${title}\n${text}`);
const indented = (text: string) => text.replaceAll(/^/gm, '  ');
const lineOf = (line: number | null) => (line === null ? '' : `line ${line}`);

/** The error, and the line of the body with a caret under its column. */
function errorText(error: RunError, { name, body }: { name: string; body: string }): string {
  const lines = [`\n${printable(`${error.name}: ${error.message}`)}\n`];
  if (error.line !== null) {
    const number = String(error.line);
    const { text, before } = excerpt(body, error.line, error.column ?? 1);
    lines.push(`  at ${name}:${number}:${error.column ?? 1}\n`);
    // A run of the journal that is not stored in full has no body.
    if (text !== '') lines.push(`  ${number} | ${text}\n`, `  ${' '.repeat(number.length)} | ${before}^\n`);
  }
  const [first] = error.stack;
  const callers = first?.line === error.line && first?.column === error.column ? error.stack.slice(1) : error.stack;
  for (const frame of callers) {
    lines.push(`  in ${printable(frame.function ?? 'the body')} at ${name}:${frame.line}:${frame.column}\n`);
  }
  if (error.failures)
    lines.push(
      table(
        error.failures.map(({ tag, reason, index }) => [
          index === undefined ? '' : `tags[${index}]`,
          printable(tag),
          printable(reason),
        ]),
        '  ',
      ),
    );
  return lines.join('');
}

/** The part of the body's line around the column, and the indentation of the caret. */
function excerpt(body: string, line: number, column: number): { text: string; before: string } {
  const whole = body.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1] ?? '';
  const from = Math.max(0, column - 1 - LONGEST_LINE / 2);
  const text = whole.slice(from, from + LONGEST_LINE);
  // A tab before the caret keeps it under its character, whatever the tab width of the terminal.
  return { text: printable(text), before: printable(text.slice(0, column - 1 - from)).replaceAll(/[^\t]/g, ' ') };
}

function consoleText({ console: entries, dropped }: RunReport): string {
  const lines = entries.map(
    ({ level, text }) => `  ${level.padEnd(5)}  ${printable(text).replaceAll('\n', '\n         ')}\n`,
  );
  if (dropped.console > 0) lines.unshift(`  ${grouped(dropped.console)} earlier entries dropped\n`);
  return lines.join('');
}

function readsText({ reads, dropped }: RunReport): string {
  return entriesText(reads, dropped.reads, (entry) => [
    lineOf(entry.line),
    printable(entry.path),
    valueCell(entry.value),
    entry.type,
    entry.quality,
    [printable(scopeSuffix(entry).trimStart()), cut(entry.reason ?? '')].filter((text) => text !== '').join('  '),
  ]);
}

function writesText({ writes, dropped }: RunReport): string {
  return entriesText(writes, dropped.writes, (entry) => [
    lineOf(entry.line),
    printable(entry.path),
    `${beforeText(entry)} -> ${valueCell(entry.value)}`,
    entry.type,
    printable(scopeSuffix(entry).trimStart()),
  ]);
}

function rejectedText({ rejected = [], dropped }: RunReport): string {
  return entriesText(rejected, dropped.rejected ?? 0, (entry) => [
    lineOf(entry.line),
    entry.access,
    printable(entry.path),
    entry.value === undefined ? '' : valueCell(entry.value),
    cut(entry.reason),
    printable(scopeSuffix(entry).trimStart()),
  ]);
}

function entriesText<T>(entries: T[], dropped: number, cells: (entry: T) => string[]): string {
  const shown = entries.slice(0, MOST_ENTRIES);
  const more = entries.length - shown.length + dropped;
  const rows = table(shown.map(cells), '  ');
  return more > 0 ? `${rows}  and ${grouped(more)} more\n` : rows;
}
