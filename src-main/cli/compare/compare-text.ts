import type { CapsuleComparison, ComparedText, RunDifference } from '#domain/run/replays/capsule-comparison';
import { colored, type Io } from '../io.ts';
import { printable } from '../../platform/report/printable.ts';
import { counted, listedMoment } from '../text.ts';

/** Two runs side by side, for people. `all` also lists the exchanges that do not differ. */
export function comparisonText(
  compared: CapsuleComparison,
  names: readonly [string, string],
  all: boolean,
  io: Io,
): string {
  const { runs, input, path, pathNote, output, exchanges, more, equal, sameBody } = compared;
  const heads = runs.map(({ script, version, startedAt, status }, at) => {
    const of =
      script === null ? 'text that was not saved' : `${script}${version === null ? '' : `, version ${version}`}`;
    const text = `${names[at]}  ${status}  ${listedMoment(startedAt)}  ${of}`;
    return `${at === 0 ? '-' : '+'} ${printable(text)}\n`;
  });
  const verdict = equal
    ? colored(io, 'green', 'The runs are equal: input, path and output')
    : colored(io, 'yellow', 'The runs differ');
  const shown = exchanges.filter(({ differs }) => all || differs);
  return [
    ...heads,
    `${verdict}${sameBody ? '' : '; their texts differ'}\n`,
    differenceText('input', input, io),
    differenceText('path', path, io),
    pathNote === null ? '' : `  ${printable(pathNote)}\n`,
    differenceText('output', output, io),
    shown.length === 0 ? '' : `\nexchanges, ${all ? 'all' : 'only different ones'}\n`,
    ...shown.map(({ before, after, differs }) =>
      differs ? sideText('-', before, io) + sideText('+', after, io) : sideText(' ', after, io),
    ),
    more > 0 ? `  and ${counted(more, 'more exchange')}\n` : '',
  ].join('');
}

function differenceText(part: string, difference: RunDifference | null, io: Io): string {
  if (!difference) return '';
  const { what, before, after } = difference;
  return `\nfirst difference in ${part}: ${what}\n${sideText('-', before, io)}${sideText('+', after, io)}`;
}

function sideText(mark: '-' | '+' | ' ', side: ComparedText | null, io: Io): string {
  if (!side) return mark === ' ' ? '' : `  ${mark} nothing\n`;
  const row = `  ${mark} ${printable(side.text)}${side.line === null ? '' : `  (line ${side.line})`}`;
  return `${mark === ' ' ? row : colored(io, mark === '-' ? 'red' : 'green', row)}\n`;
}
