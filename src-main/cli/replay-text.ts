import type { MissingCall, ReplayReport } from '#domain/run/replay';
import type { ComparedLine, RunComparison, ValueDifference } from '#domain/run/run-comparison';
import type { Io } from './io.ts';
import { colored } from './io.ts';
import { runReportText } from './run-report-text.ts';
import { printable } from '../platform/report/printable.ts';
import { counted, valueCell } from './text.ts';

/** A replay for people: the report of the run, and its differences from the recorded run. */
export function replayText(replay: ReplayReport, source: { name: string; body: string }, io: Io): string {
  const { report, missing, comparison } = replay;
  return [
    // Whatever the recorded run saved, its replay saves nothing.
    runReportText({ ...report, dryRun: true }, source, io),
    missing ? nearestText(missing) : '',
    assumedText(replay),
    `\n${headOf(replay, io)}\n`,
    comparison.equal ? '' : comparisonText(comparison, io),
  ].join('');
}

function headOf({ comparison, edited, recordedAt, product }: ReplayReport, io: Io): string {
  const recorded = `the run recorded at ${printable(recordedAt)} by Tagwright ${printable(product)}`;
  if (!comparison.equal) return colored(io, 'yellow', `Differences from ${recorded}`);
  const body = edited ? 'The edited body did the same as' : 'The replay is equal to';
  return colored(io, 'green', `${body} ${recorded}: result, console, calls and writes`);
}

/** The error of the report has the call and the reason. */
function nearestText({ nearest }: MissingCall): string {
  if (nearest.length === 0) return '';
  const rows = nearest.map(({ text, line }) => `  ${line === null ? '' : `line ${line}  `}${printable(text)}\n`);
  return `\nnearest recorded calls\n${rows.join('')}`;
}

function assumedText({ assumed }: ReplayReport): string {
  if (assumed.length === 0) return '';
  const rows = assumed.map(
    ({ tag, value, line }) => `  ${line === null ? '' : `line ${line}  `}${printable(tag)}  ${valueCell(value)}\n`,
  );
  const what = counted(assumed.length, 'write');
  return `\n${what} with a value that was not recorded, taken as written\n${rows.join('')}`;
}

function comparisonText({ end, result, writes, calls, console }: RunComparison, io: Io): string {
  return [
    valuesText('end', end, io),
    valuesText('result', result, io),
    linesText('writes', writes, io),
    linesText('calls', calls, io),
    linesText('console', console, io),
  ].join('');
}

function valuesText(title: string, differences: readonly ValueDifference[], io: Io): string {
  if (differences.length === 0) return '';
  const lines = differences.map(({ place, before, after }) => {
    const old = before === null ? '' : `${colored(io, 'red', `    - ${printable(before)}`)}\n`;
    const now = after === null ? '' : `${colored(io, 'green', `    + ${printable(after)}`)}\n`;
    return `  ${printable(place)}\n${old}${now}`;
  });
  return `${title}\n${lines.join('')}`;
}

function linesText(title: string, lines: readonly ComparedLine[], io: Io): string {
  if (lines.length === 0) return '';
  const rows = lines.map(({ mark, text, line }) => {
    const row = `  ${mark === '=' ? ' ' : mark} ${printable(text)}${line === null ? '' : `  (line ${line})`}`;
    return mark === '=' ? row : colored(io, mark === '-' ? 'red' : 'green', row);
  });
  return `${title}\n${rows.join('\n')}\n`;
}
