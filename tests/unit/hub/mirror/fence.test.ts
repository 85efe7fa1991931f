import { expect, test } from 'vitest';
import { checkSite } from '../../../../src-main/hub/mirror/fence.ts';

const ROW = { isOwn: true, step: 'b', position: { seq: 1, listed: null }, feed: { seq: 1, start: 0 } };
const OTHER = { lastStep: 'x', nextStep: 'y', rejoin: 0 } as const;

test('a workspace whose last or next step is that of the hub is the valid one', () => {
  const accepted = [
    () => checkSite('leeds', ROW, { lastStep: 'a', nextStep: 'b', rejoin: 0 }),
    () => checkSite('leeds', ROW, { lastStep: 'b', nextStep: 'c', rejoin: 0 }),
    () => checkSite('leeds', { ...ROW, step: null }, OTHER),
    () => checkSite('leeds', ROW, { ...OTHER, rejoin: 1 }),
  ];
  for (const check of accepted) expect(check).not.toThrow();
});

test('others are rejected with what to do', () => {
  expect(() => checkSite('leeds', ROW, OTHER)).toThrow(/restored from a backup or copied.*tagwright hub rejoin/);
  // A workspace that was mirrored as another site before, and takes a name that is in use.
  expect(() => checkSite('leeds', ROW, OTHER)).toThrow(/another workspace is mirrored as this site/);
  expect(() => checkSite('leeds', ROW, { lastStep: null, nextStep: null, rejoin: 0 })).toThrow(/another workspace/);
  expect(() => checkSite('leeds', null, OTHER)).toThrow(/no site "leeds"/);
  expect(() => checkSite('leeds', { ...ROW, isOwn: false }, { ...OTHER, rejoin: 1 })).toThrow(/not that of site/);
});
