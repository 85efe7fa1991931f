import { onTestFinished, describe, expect, test } from 'vitest';
import type { Cause, JournalEntry } from '#domain/run/journal';
import { TagHistories } from '../../../../src-main/scripting/journal/tag-history.ts';
import { WhyReader } from '../../../../src-main/scripting/journal/why.ts';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import { JournalWindows } from '../../../../src-main/storage/journal/journal-windows.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const PERSON: Cause = { by: 'person' };
const SCOPE = { diagram: '', location: '' };
const PATH = 'A.B.C';

/** A journal in which three runs, each within the previous one, wrote a tag. */
async function edited(edit: (ids: [number, number, number]) => string) {
  const store = openStore(temporaryFolder());
  onTestFinished(() => store.close());
  store.database.exec(
    `INSERT INTO tags (id, path, kind, type, description, unit, settings) VALUES (1, '${PATH}', 'storage', 'Double', '', '', '{}')`,
  );
  const begin = (cause: Cause) => store.journal.begin({ script: null, tag: PATH, ...SCOPE, access: 'write', cause });
  const write = (after: number | string, cause: Cause) =>
    store.commits.run(() =>
      store.journal.wrote([
        { tag: { id: 1 }, write: { before: null, written: { value: after } }, scope: SCOPE, cause },
      ]),
    );
  const outer = begin(PERSON);
  const middle = begin({ by: 'run', run: outer, line: 1 });
  const inner = begin({ by: 'run', run: middle, line: 2 });
  for (const run of [outer, middle, inner]) await write(run.id, { by: 'run', run, line: 3 });
  const fill = async () => {
    for (let n = 0; n < 40; n += 1) await write('x'.repeat(1_900), PERSON);
  };
  const ids: [number, number, number] = [outer.id, middle.id, inner.id];
  store.database.exec(edit(ids));
  const reader = new JournalReader(store.database);
  return { store, reader, why: new WhyReader(reader, new JournalWindows(store.database)), ids, fill };
}

describe('a journal that was edited', () => {
  test.each<[string, (ids: [number, number, number]) => string]>([
    ['itself', () => 'UPDATE journal_runs SET parent = id'],
    [
      'in a ring',
      ([outer, middle, inner]) =>
        `UPDATE journal_runs SET parent = CASE id WHEN ${outer} THEN ${inner} WHEN ${middle} THEN ${outer} ELSE ${middle} END`,
    ],
    ['that does not exist', () => 'UPDATE journal_runs SET parent = 4711'],
    ['in an entry, itself', () => `UPDATE journal SET entries = '[["write",[' || id || ',1],"","",[1,null,5]]]'`],
    ['that is negative', () => 'UPDATE journal_runs SET parent = -id'],
  ])('explains runs whose cause is one %s, and deletes them', async (_, edit) => {
    const { store, reader, why, ids, fill } = await edited(edit);
    for (const run of ids) {
      const { causes, effects } = why.why({ kind: 'run', run });
      expect(causes.length).toBeLessThanOrEqual(3);
      expect(effects.length).toBeLessThan(10);
    }
    expect(why.why({ kind: 'tag', path: PATH }).causes.length).toBeLessThanOrEqual(4);
    const histories = new TagHistories(reader, why.lines);
    expect((await histories.of(PATH)).writers.length).toBeLessThanOrEqual(3);
    await fill();
    await fill();
    while (await store.commits.run(() => store.journal.expire({ bytes: 0, before: 0 })));
    expect(reader.runs(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  test.each<[string, string]>([
    ['lists that are no JSON', `UPDATE journal_blocks SET rows = '{"1', events = '[['`],
    ['lists of another form', `UPDATE journal_blocks SET rows = '7', events = '{"a":null}'`],
    ['lists that are null', `UPDATE journal_blocks SET rows = 'null', events = '[null, 7]'`],
    ['rows of another form', `UPDATE journal_blocks SET rows = '{"1": null}'`],
    ['ids that are cut', `UPDATE journal_blocks SET runs = x'010203', tags = x'0100'`],
    ['a last id before its first', `UPDATE journal_blocks SET last_id = first_id - 1`],
    ['impossible times', `UPDATE journal_blocks SET first_ms = 9e18, last_ms = -9e18`],
  ])('has blocks with %s: nothing else is prevented', async (_, edit) => {
    const { store, reader, why, ids, fill } = await edited(() => 'SELECT 1');
    await fill();
    await fill();
    store.database.exec(edit);
    const all = (entries: Iterable<JournalEntry>) => [...entries].length;
    for (const run of ids) why.why({ kind: 'run', run });
    why.why({ kind: 'tag', path: PATH });
    expect(why.why({ kind: 'event', id: 1 }).problem).not.toBeNull();
    expect(why.why({ kind: 'rule', id: 1 }).problem).not.toBeNull();
    expect(all(reader.newest())).toBeGreaterThan(0);
    reader.lastIdAt(Date.now());
    await fill();
    while (await store.commits.run(() => store.journal.expire({ bytes: 0, before: 0 })));
    expect(store.database.prepare('SELECT count(*) FROM journal_blocks').pluck().get()).toBe(0);
  });

  test('has lost its state: entries still get numbers of their own', async () => {
    const folder = temporaryFolder();
    const first = openStore(folder);
    await first.commits.run(() => undefined);
    const write = (store: typeof first) =>
      store.commits.run(() =>
        store.journal.wrote([
          { tag: { id: 1 }, write: { before: null, written: { value: 1 } }, scope: SCOPE, cause: PERSON },
        ]),
      );
    await write(first);
    first.database.exec('DELETE FROM journal_state');
    first.close();
    const second = openStore(folder);
    await write(second);
    expect([...new JournalReader(second.database).newest()].map(({ id }) => id)).toEqual([2, 1]);
    second.close();
  });
});
