import { expect, test } from 'vitest';
import type { CheckResult } from '#domain/workspace/diagnosis';
import { checksText, summaryOf, worstOf } from '#domain/workspace/diagnosis';

const check = (group: string, title: string, state: CheckResult['state'], fix: string | null = null): CheckResult => ({
  id: `${group}.${title}`,
  group,
  title,
  state,
  detail: `about ${title}`,
  fix,
});

const CHECKS = [
  check('Ports', 'Events API', 'problem', 'Stop that program.'),
  check('Disk', 'Space', 'warning', 'Free some space.'),
  check('Ports', 'UI', 'ok'),
  check('Disk', 'Kind', 'not-checked'),
];

test('the report is aligned by group, with a word for each state and fixes below', () => {
  expect(checksText(CHECKS)).toBe(
    `Ports
  PROBLEM      Events API  about Events API
                           Fix: Stop that program.
  ok           UI          about UI

Disk
  warning      Space       about Space
                           Fix: Free some space.
  not checked  Kind        about Kind
`,
  );
});

test('colors do not change columns', () => {
  const plain = checksText(CHECKS);
  expect(checksText(CHECKS, (_, mark) => `<${mark}>`).replaceAll(/[<>]/g, '')).toBe(plain);
});

test('the report has the worst state; a skipped check is not a problem', () => {
  expect(worstOf(CHECKS)).toBe('problem');
  expect(worstOf(CHECKS.slice(1))).toBe('warning');
  expect(worstOf(CHECKS.slice(2))).toBe('ok');
  expect(summaryOf(CHECKS)).toBe('1 problem, 1 warning, 1 not checked, 4 checks');
  expect(summaryOf(CHECKS.slice(2, 3))).toBe('0 problems, 0 warnings, 1 check');
});
