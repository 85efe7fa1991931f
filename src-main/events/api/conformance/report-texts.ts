import type { ConformanceReport, SituationReport, SituationState } from '#domain/event/conformance';
import { situationCount } from '#domain/event/conformance';
import { grouped } from '#domain/text/grouped';
import { type JUnitCase, junitXml } from '../../../platform/report/junit.ts';
import { printable } from '../../../platform/report/printable.ts';
import { counted } from './judge.ts';

export const STATE_TEXTS: Readonly<Record<SituationState, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  unmet: 'not met',
  skipped: 'not run',
};
/** The name of the consumer, and how the run ended. */
export const titleOf = (report: ConformanceReport): string => `${printable(nameOf(report))}: ${outcomeOf(report)}`;

export const nameOf = ({ client, consumers }: ConformanceReport): string =>
  client ?? (consumers.length > 0 ? consumers.join(', ') : 'The consumer');

const outcomeOf = (report: ConformanceReport): string => {
  const done = report.situations.length - situationCount(report, 'skipped');
  if (report.state === 'cancelled')
    return `cancelled after ${done} of ${counted(report.situations.length, 'situation')}`;
  return report.state === 'passed' ? 'passed' : 'failed';
};

/** `18 passed, 1 failed, 1 not met; 1,000 test events in 42 s: 3 lost, 0 acknowledged twice` */
export function summaryOf(report: ConformanceReport): string {
  const states: readonly SituationState[] = ['passed', 'failed', 'unmet', 'skipped'];
  const counts = states
    .map((state) => [situationCount(report, state), state] as const)
    .filter(([count, state]) => count > 0 || state === 'passed' || state === 'failed')
    .map(([count, state]) => `${count} ${STATE_TEXTS[state].toLowerCase()}`);
  const { events, lost, twice, hammered } = report;
  const seconds = Math.round(report.ms / 1_000);
  return `${counts.join(', ')}; ${counted(events, 'test event')} in ${seconds} s: ${grouped(lost)} lost, ${grouped(twice)} acknowledged twice, ${hammered === 0 ? 'no hammering' : counted(hammered, 'hammering request')}`;
}

/** `50 of 50 events, 53 requests, 2 faults, 1.9 s` */
export function figuresOf({ acknowledged, events, requests, faults, ms }: SituationReport): string {
  const parts = [
    `${acknowledged} of ${counted(events, 'event')}`,
    counted(requests, 'request'),
    counted(faults, 'fault'),
  ];
  return `${parts.join(', ')}, ${(ms / 1_000).toFixed(1)} s`;
}

/** A test for each situation. Tests of situations that were not met or not run are skipped. */
export function checkJUnit(report: ConformanceReport): Promise<string> {
  return junitXml(
    report.situations.map((one): JUnitCase => {
      const { name, title, state, ms, findings, notes, expected } = one;
      const [first] = findings;
      const problems = findings.map(({ kind, message }) => `${kind}: ${message}`).join('\n');
      return {
        suite: nameOf(report),
        name: `${name}: ${title}`,
        ms,
        failure: first ? { type: first.kind, message: `${problems}\nExpected: ${expected}` } : null,
        ...(state === 'unmet' && { skipped: notes[0] ?? STATE_TEXTS.unmet }),
        ...(state === 'skipped' && {
          skipped: report.state === 'cancelled' ? 'The run was cancelled before.' : 'The run ended before.',
        }),
        output: state === 'skipped' ? '' : [figuresOf(one), ...notes].join('\n'),
      };
    }),
  );
}
