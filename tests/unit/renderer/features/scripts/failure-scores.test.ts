import { expect, test } from 'vitest';
import {
  FailureScores,
  scoreOf,
  scoreText,
  summaryText,
} from '../../../../../src-renderer/features/scripts/failures/failure-scores.ts';

const cell = { site: 0, failure: 'missing-tag', unchanged: false, problem: '' } as const;
const site = { call: 1, line: 1, nth: 1, access: 'read', name: 'A.B.C', text: 'Get "A.B.C"' } as const;

test('writes that differ and endless runs are risky', () => {
  const score = scoreOf(
    {
      script: 'Line/Fill',
      sites: [site, site],
      notTried: 1,
      cells: [
        { ...cell, outcome: 'writes' },
        { ...cell, outcome: 'writes', unchanged: true },
        { ...cell, outcome: 'hangs' },
        { ...cell, outcome: 'throws' },
      ],
      warnings: [],
    },
    3,
  );
  expect(score).toEqual({ version: 3, sites: 2, notTried: 1, risky: 2 });
  expect(scoreText(score, false)).toBe('2 of 3 calls tried, 2 risky failures');
  expect(scoreText(score, true)).toBe('2 of 3 calls tried, 2 risky failures, out of date: version 3');
});

test('the summary of a matrix has the numbers of failures and calls', () => {
  const one = {
    script: null,
    sites: [site],
    notTried: 0,
    cells: [{ ...cell, outcome: 'throws' as const }],
    warnings: [],
  };
  expect(summaryText(one, false)).toBe('1 failure of 1 call');
  const two = { ...one, sites: [site, site], notTried: 1_200, cells: [] };
  expect(summaryText(two, true)).toBe('0 failures of 2 calls, 1,200 more not tried · of an earlier text');
});

test('scores are kept for each workspace; other texts are ignored', () => {
  const stored = new Map<string, unknown>();
  const memory = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the browser's storage
    read: <T>(key: string, fallback: T) => (stored.has(key) ? (stored.get(key) as T) : fallback),
    write: (key: string, value: unknown) => Boolean(stored.set(key, value)),
  };
  const scores = new FailureScores(memory);
  scores.load('/plant');
  const score = { version: 1, sites: 1, notTried: 0, risky: 0 };
  scores.keep(7, score);
  scores.load('/other');
  expect(scores.store.get().size).toBe(0);
  stored.set('failures.scores./plant', [[7, score], [8, null], 'x', [9, { ...score, risky: 'many' }]]);
  scores.load('/plant');
  expect([...scores.store.get()]).toEqual([[7, score]]);
});
