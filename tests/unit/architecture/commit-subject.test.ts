import { expect, test } from 'vitest';
import { problemOfSubject } from '../../support/run/commit-subject.ts';

test.each([
  'fix(outbound): name the proxy in connect timeouts',
  'refactor(plant, storage): process results in order',
  'feat(events-api)!: exceed no limit',
  'docs(manual): focus the page',
])('%s follows the rules', (subject) => {
  expect(problemOfSubject(subject)).toBeNull();
});

test.each([
  [`fix(outbound): ${'x'.repeat(60)}`, 'It has 75 characters'],
  ['fix: name the proxy', 'a type and a scope'],
  ['name the proxy', 'a type and a scope'],
  ['fix(outbound) name the proxy', 'a type and a scope'],
  ['fix(outbound): Name the proxy', '"Name" in lower case'],
  ['fix(outbound): names the proxy', 'instead of "names"'],
  ['fix(outbound): named the proxy', 'instead of "named"'],
  ['fix(outbound): naming the proxy', 'instead of "naming"'],
  ['feat(renderer): columns of all tables', 'instead of "columns"'],
  ['fix(outbound): name the proxy.', 'punctuation'],
])('%s does not', (subject, problem) => {
  expect(problemOfSubject(subject)).toContain(problem);
});
