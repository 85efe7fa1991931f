import {
  FAILURE_TITLES,
  type FailureCell,
  type FailureMatrix,
  OUTCOMES,
  type FailureOutcome,
} from '#domain/run/failures';
import { grouped } from '#domain/text/grouped';
import { colored, type Io } from '../io.ts';
import { type JUnitCase, junitXml } from '../../platform/report/junit.ts';
import { printable } from '../../platform/report/printable.ts';
import { counted, table } from '../text.ts';

/** What the counts of an outcome say, in the singular and the plural. */
const COUNTS: Readonly<Record<FailureOutcome, [one: string, many: string]>> = {
  writes: ['writes anyway', 'write anyway'],
  hangs: ['hangs', 'hang'],
  unknown: ['is unknown', 'are unknown'],
  returns: ['returns', 'return'],
  throws: ['throws', 'throw'],
};
/** The cells that are shown without being asked for. */
const SHOWN: ReadonlySet<FailureOutcome> = new Set(['writes', 'hangs', 'unknown']);

/** A matrix for people, the riskiest cells first. Their numbers are those of `--cell`. */
export function failuresText(matrix: FailureMatrix, name: string, all: boolean, io: Io): string {
  const { sites, cells, notTried, groups } = matrix;
  const rows = cells
    .map((one, index) => ({ one, index }))
    .filter(({ one }) => all || SHOWN.has(one.outcome))
    .map(({ one, index }) => [
      `  ${index + 1}`,
      FAILURE_TITLES[one.failure],
      colored(io, COLORS[one.outcome], one.outcome),
      printable(one.problem),
    ]);
  const hidden = cells.length - rows.length;
  return [
    `${printable(name)}: ${counted(cells.length, 'failure')} of ${counted(sites.length, 'call')} tried\n`,
    notTried === 0
      ? ''
      : `  ${counted(notTried, 'further call')} not tried${groups === undefined ? '' : alike(groups)}\n`,
    `  ${OUTCOMES.map((outcome) => countText(cells, outcome)).join(', ')}\n`,
    rows.length === 0 ? '' : `\n${table([['  #', 'FAILURE', 'OUTCOME', 'WHAT HAPPENED'], ...rows])}`,
    hidden === 0 ? '' : `\n  ${counted(hidden, 'more outcome')} without risk; --all lists them\n`,
  ].join('');
}

const alike = (groups: number): string =>
  `: of ${counted(groups, 'group')} of calls of the same line with the same arguments, the first, one in the middle and ` +
  'the last are tried; --every-call tries the first 1,000 calls';

const COLORS = { writes: 'red', hangs: 'red', unknown: 'yellow', returns: 'dim', throws: 'green' } as const;

function countText(cells: readonly FailureCell[], outcome: FailureOutcome): string {
  const count = cells.filter((one) => one.outcome === outcome).length;
  return `${grouped(count)} ${COUNTS[outcome][count === 1 ? 0 : 1]}`;
}

/** A matrix for build servers: a test for each cell, which fails with one of these outcomes. */
export function failuresJUnit(
  { sites, cells }: FailureMatrix,
  name: string,
  failing: ReadonlySet<FailureOutcome>,
): Promise<string> {
  return junitXml(
    cells.map(({ site, failure, outcome, problem }): JUnitCase => {
      const { text = '', line = null, nth = 1 } = sites[site] ?? {};
      const place = line === null ? '' : `line ${line}${nth > 1 ? `, call ${nth}` : ''}: `;
      return {
        suite: name,
        name: `${place}${text}: ${FAILURE_TITLES[failure]}`,
        ms: 0,
        failure: failing.has(outcome) ? { type: outcome, message: problem } : null,
        output: failing.has(outcome) ? '' : problem,
      };
    }),
  );
}
