import junit from 'junit-report-builder';
import type { TestOutcome } from '#domain/run/script-test';
import type { Io } from './io.ts';
import { coloured } from './io.ts';
import { counted, printable } from './text.ts';

/** A test that was run. */
export interface RanTest {
  /** `Group/Name` */
  script: string;
  name: string;
  outcome: TestOutcome;
  ms: number;
}

/** A test and what of it was not as expected, for people. */
export function testText({ name, outcome, ms }: RanTest, io: Io): string {
  const mark = outcome.passed ? coloured(io, 'green', '✓') : coloured(io, 'red', '✗');
  const lines = [`  ${mark} ${printable(name)}  ${coloured(io, 'dim', `${Math.round(ms)} ms`)}\n`];
  for (const { message } of outcome.failures) lines.push(`${printable(message).replaceAll(/^/gm, '      ')}\n`);
  if (!outcome.passed) {
    for (const { level, text } of outcome.report?.console ?? []) {
      lines.push(`      ${level.padEnd(5)}  ${printable(text).replaceAll('\n', '\n             ')}\n`);
    }
  }
  return lines.join('');
}

export function countText(ran: readonly RanTest[], io: Io): string {
  const failed = ran.filter(({ outcome }) => !outcome.passed).length;
  const passed = `${counted(ran.length - failed, 'test')} passed`;
  return failed === 0
    ? `\n${coloured(io, 'green', passed)}\n`
    : `\n${passed}, ${coloured(io, 'red', `${failed.toLocaleString('en')} failed`)}\n`;
}

/** The report as JUnit XML, as build servers read it: a suite for each script. */
export function junitText(ran: readonly RanTest[]): string {
  const report = junit.newBuilder();
  for (const [script, tests] of Map.groupBy(ran, (one) => one.script)) {
    const suite = report.testSuite().name(xml(script));
    for (const { name, outcome, ms } of tests) {
      const test = suite
        .testCase()
        .className(xml(script))
        .name(xml(name))
        .time(ms / 1_000);
      const messages = outcome.failures.map(({ message }) => xml(message));
      if (messages.length > 0) test.failure(messages.join('\n'), outcome.failures[0]?.check);
      const said = (outcome.report?.console ?? []).map(({ level, text }) => `${level}: ${text}`);
      if (said.length > 0) test.standardOutput(xml(said.join('\n')));
    }
  }
  return report.build();
}

/** Characters that XML cannot hold, made visible. */
const xml = (text: string): string => printable(text).replaceAll(/[\ufffe\uffff]|\p{Cs}/gu, '�');
