import { expect, test } from 'vitest';
import type { CommitEvidence } from '../../../../src-main/storage/plant/commit-evidence.ts';
import { wasCommitted } from '../../../../src-main/storage/plant/commit-evidence.ts';

const journal = (counter: number, file = '1:1'): CommitEvidence => ({ file, mode: 'journal', counter });
const wal = (salts: string, frames: number): CommitEvidence => ({ file: '1:1', mode: 'wal', salts, frames });
const NONE = '0'.repeat(16);

test.each<[string, CommitEvidence, CommitEvidence | null, boolean | null]>([
  ['the counter stands still', journal(5), journal(5), false],
  ['the counter has moved', journal(5), journal(6), true],
  ['another file is there', journal(5), journal(6, '1:2'), null],
  ['no file is there', journal(5), null, null],
  ['the journal mode was changed', journal(5), wal('ab', 3), null],
  ['the log has no more frames', wal('ab', 3), wal('ab', 3), false],
  ['the log has more frames', wal('ab', 3), wal('ab', 5), true],
  ['the log was restarted and has frames', wal('ab', 3), wal('cd', 2), true],
  ['the log was restarted and has none', wal('ab', 3), wal('cd', 0), false],
  ['there was no log and there is none', wal(NONE, 0), wal(NONE, 0), false],
  ['there was no log and is one', wal(NONE, 0), wal('cd', 2), true],
  ['another program has moved the log into the file', wal('ab', 3), wal(NONE, 0), null],
])('when %s', (_what, before, after, committed) => {
  expect(wasCommitted(before, after)).toBe(committed);
});
