import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CommitEvidence } from '../../../../src-main/storage/plant/commit-evidence.ts';
import { evidenceOf, outcomeOf, wasCommitted } from '../../../../src-main/storage/plant/commit-evidence.ts';
import { LogNote } from '../../../../src-main/storage/plant/log-note.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const journal = (counter: number, file = '1:1'): CommitEvidence => ({ file, mode: 'journal', counter });
const wal = (salts: string, frames: number): CommitEvidence => ({ file: '1:1', mode: 'wal', salts, frames });
const NONE = '0'.repeat(16);

test.each<[string, CommitEvidence, CommitEvidence | null, boolean | null]>([
  ['the counter does not change', journal(5), journal(5), false],
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

describe('the outcome of a transaction', () => {
  const insert = 'INSERT INTO t VALUES (randomblob(20000))';
  test.each([
    ['WAL', 'undone', [], 'nothing'],
    ['WAL', 'committed', [insert], 'one commit of many pages'],
    ['WAL', 'continued', [insert, insert], 'two commits'],
    ['WAL', 'continued', Array<string>(9).fill(insert), 'many commits'],
    ['WAL', 'committed', ['PRAGMA wal_checkpoint(RESTART)', insert], 'one commit after a checkpoint'],
    [
      'WAL',
      'continued',
      ['PRAGMA wal_checkpoint(RESTART)', insert, insert],
      'two commits, the first of them after a checkpoint',
    ],
    ['DELETE', 'undone', [], 'nothing'],
    ['DELETE', 'committed', [insert], 'one commit of many pages'],
    ['DELETE', 'continued', [insert, insert], 'two commits'],
  ])('with journal mode %s is %s', (mode, outcome, statements) => {
    const file = join(temporaryFolder(), 'plant.db');
    const database = new Database(file);
    onTestFinished(() => void database.close());
    database.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (a); INSERT INTO t VALUES (1)`);
    const before = evidenceOf(file);
    if (!before) throw new Error('a database has evidence');
    for (const statement of statements) database.exec(statement);
    expect(outcomeOf(file, before)).toBe(outcome);
  });
});

/** A database as a killed process leaves it, with changes in its log. */
function leftBehind(): string {
  const [from, file] = [join(temporaryFolder(), 'plant.db'), join(temporaryFolder(), 'plant.db')];
  const database = new Database(from);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(from + suffix, file + suffix);
  database.close();
  return file;
}

describe.runIf(process.platform !== 'win32')('the evidence', () => {
  test('of a database behind a link is that of its own log', () => {
    const file = leftBehind();
    const link = join(temporaryFolder(), 'plant.db');
    symlinkSync(file, link);
    expect(evidenceOf(file)).toMatchObject({ mode: 'wal', frames: expect.toSatisfy((frames) => frames > 0) });
    expect(evidenceOf(link)).toEqual(evidenceOf(file));
  });

  test.each<[string, (path: string) => void]>([
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a link', (path) => symlinkSync('/dev/zero', path)],
  ])('does not wait for %s that replaces the shared memory', (_, make) => {
    const file = leftBehind();
    const other = join(temporaryFolder(), 'plant.db');
    copyFileSync(file, other);
    make(`${other}-shm`);
    expect(evidenceOf(other)).toMatchObject({ mode: 'wal', salts: NONE, frames: 0 });
  });

  test('does not exist for something that is not a file', () => {
    const path = join(temporaryFolder(), 'plant.db');
    execFileSync('mkfifo', [path]);
    expect(evidenceOf(path)).toBeNull();
  });
});

describe.runIf(process.platform !== 'win32')('the note of a log', () => {
  test.each<[string, (path: string, target: string) => void]>([
    ['a link', (path, target) => symlinkSync(target, path)],
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
  ])('replaces %s at its path without writing to it', (_, make) => {
    const file = leftBehind();
    const target = join(temporaryFolder(), 'target');
    writeFileSync(target, 'untouched');
    make(`${file}-log.json`, target);
    const note = new LogNote(file);
    expect(note.isOfFormerFile()).toBe(false);
    note.update();
    expect(readFileSync(`${file}-log.json`, 'utf8')).toContain('"log"');
    expect(readFileSync(target, 'utf8')).toBe('untouched');
  });
});
