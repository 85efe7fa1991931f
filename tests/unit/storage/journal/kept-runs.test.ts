import { expect, test } from 'vitest';
import type { Cause } from '#domain/run/journal';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import type { WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const PERSON: Cause = { by: 'person' };
const SCOPE = { diagram: '', location: '' };

const written = ({ journal }: WorkspaceStore, id: number, after: number | string, cause: Cause = PERSON) =>
  journal.wrote([{ tag: { id }, write: { before: 0, written: { value: after } }, scope: SCOPE, cause }]);

test('runs stay as long as an entry that stays names them, or a run within them', async () => {
  const folder = temporaryFolder();
  let store = openStore(folder);
  const { journal, commits } = store;
  const begin = (cause: Cause) => journal.begin({ script: null, tag: '', ...SCOPE, access: 'run', cause });
  const [outer, unrelated, counted] = [begin(PERSON), begin(PERSON), begin({ by: 'read' })];
  const inner = begin({ by: 'run', run: outer, line: 1 });
  for (const run of [unrelated, counted]) journal.keep(run, Buffer.from('content'));
  await journal.flush();
  await commits.run(() => written(store, 2, 1, { by: 'run', run: outer, line: 2 }));
  const fill = async () => {
    for (let n = 0; n < 40; n += 1) await commits.run(() => written(store, 1, 'x'.repeat(1_900)));
  };
  await fill();
  // They began before the end of the first block.
  const end = { status: 'ok', error: null, errorLine: null, ms: 1, dryRun: false } as const;
  await commits.run(() => written(store, 2, 2, { by: 'run', run: inner, line: 3 }));
  const figures = { runs: 1, failed: 0, from: 0, to: 0, totalMs: 1, longestMs: 1, sample: counted.id };
  const count = { tagId: 1, script: null, rule: null, ...figures };
  await journal.storeCounts([{ id: null, counts: [{ cause: { by: 'read' }, count }] }]);
  const blocks = () => store.database.prepare<[], number>('SELECT count(*) FROM journal_blocks').pluck().get();
  const runs = () => new JournalReader(store.database).runs(Number.MAX_SAFE_INTEGER, 10).map(({ id }) => id);
  expect(blocks()).toBe(1);
  expect(await commits.run(() => journal.expire({ bytes: 0, before: 0 }))).toBe(true);
  expect(runs()).toEqual([inner.id, counted.id, outer.id]);
  // The run ends after its row was deleted.
  await fill();
  while (await commits.run(() => journal.expire({ bytes: 0, before: 0 })));
  expect(runs()).toEqual([]);
  journal.end(outer, end);
  await journal.flush();
  store.close();
  store = openStore(folder);
  expect(new JournalReader(store.database).run(outer.id)?.end).toEqual(end);
  store.close();
});
