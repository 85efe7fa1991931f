import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Json } from '#domain/text/json';
import { expect, test } from 'vitest';
import { RunSecrets } from '../../../../src-main/outbound/secrets/run-secrets.ts';
import { openDatabase } from '../../../../src-main/storage/database.ts';
import { journalStatements } from '../../../../src-main/storage/journal/journal-statements.ts';
import { JournalValues } from '../../../../src-main/storage/journal/shown-values.ts';
import { MIGRATIONS } from '../../../../src-main/storage/migrations/index.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const sha = (value: Json) => hash('sha256', JSON.stringify(value), 'buffer');
const FORMER = ['is token-4711', { token: 'other-token-0815' }];

/** Values of a workspace that no run has read or written yet. */
function opened(file: string) {
  const database = openDatabase(file);
  return { database, values: new JournalValues(journalStatements(database)) };
}

test('values that a former version hid stay hidden as a whole', () => {
  const file = join(temporaryFolder(), 'workspace.db');
  const former = openDatabase(file, { migrations: MIGRATIONS.slice(0, 23) });
  for (const value of FORMER) former.prepare('INSERT INTO journal_hidden (hash) VALUES (?)').run(sha(value));
  former.close();

  const { database, values } = opened(file);
  expect(database.prepare('SELECT places FROM journal_hidden').pluck().all()).toEqual([null, null]);
  for (const value of FORMER) {
    expect({ value, shown: values.json(value), parts: values.secretsIn(value) }).toEqual({
      value,
      shown: '"***"',
      parts: [],
    });
    const secrets = new RunSecrets(values);
    secrets.seeValue(value);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(secrets.mask?.(`it ${text}.`)).toBe('it ***.');
  }
  expect([values.json('is token-4712'), values.secretsIn('is token-4712')]).toEqual(['"is token-4712"', null]);
  database.close();
});

test('a value that a former version hid is not shown as the one before', async () => {
  const folder = join(temporaryFolder(), 'workspace');
  const store = openWorkspaceStore(folder);
  store.database.prepare('INSERT INTO journal_hidden (hash) VALUES (?)').run(sha('is token-4711'));
  await store.commits.run(() =>
    store.journal.wrote([
      {
        tag: { id: 1 },
        write: { before: 'is token-4711', written: { value: 'new' } },
        scope: { diagram: '', location: '' },
        cause: { by: 'person' },
      },
    ]),
  );
  const entries = store.database.prepare<[], string>('SELECT entries FROM journal').pluck().all().join('');
  expect(entries).toContain('[1,"***","new"]');
  store.close();
});

test('numbers are remembered as a whole, and others are not looked up', () => {
  const file = join(temporaryFolder(), 'workspace.db');
  const first = opened(file);
  const secrets = new RunSecrets();
  secrets.add({ values: ['4711081'], unread: [] });
  expect(first.values.json(4_711_081, secrets)).toBe('"***"');
  expect(first.values.json({ pin: 4_711_081, count: 4_711_082 }, secrets)).toBe('{"pin":"***","count":4711082}');
  first.database.close();

  const { database, values } = opened(file);
  const numbers = [4_711_081, 4_711_082, 471_108, 47.11081];
  expect(numbers.map((value) => values.json(value))).toEqual(['"***"', '4711082', '471108', '47.11081']);
  expect(values.secretsIn(4_711_081)).toEqual([{ before: '', text: '4711081', after: '' }]);
  expect(values.secretsIn({ pin: 4_711_081, count: 4_711_082 })).toMatchObject([{ text: '4711081' }]);
  expect([values.shown(4_711_081), values.shown(4_711_082)]).toEqual(['***', 4_711_082]);
  database.close();
});
