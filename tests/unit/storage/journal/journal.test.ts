import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cause, JournalEntry } from '#domain/run/journal';
import { WhyReader } from '../../../../src-main/scripting/journal/why.ts';
import { JournalReader, type JournalSubject } from '../../../../src-main/storage/journal/journal-reader.ts';
import { JournalWindows } from '../../../../src-main/storage/journal/journal-windows.ts';
import { openWorkspaceStore, type WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const PERSON: Cause = { by: 'person' };
const scope = { diagram: '', location: '' };

function openJournal(clock = { now: () => Date.UTC(2026, 0, 1), iso: () => '2026-01-01T00:00:00.000Z' }) {
  const folder = join(temporaryFolder(), 'workspace');
  const open = () => openWorkspaceStore(folder, { clock });
  const written = (
    store: WorkspaceStore,
    id: number,
    after: number | string,
    cause = PERSON,
    before: number | null = 0,
  ) => store.journal.wrote([{ tag: { id }, write: { before, written: { value: after } }, scope, cause }]);
  return { open, written };
}

const about = (store: WorkspaceStore, subject: JournalSubject): JournalEntry[] => [
  ...new JournalReader(store.database).about(subject),
];
const afters = (entries: readonly JournalEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'write' ? entry.writes.map(({ after }) => after) : []));

test('an undone job leaves no entry, and the others of its commit have theirs', async () => {
  const { open, written } = openJournal();
  const store = open();
  const jobs = [1, 2, 3].map((id) =>
    store.commits.run(() => {
      written(store, id, id);
      if (id === 2) throw new Error('undone');
    }),
  );
  await Promise.allSettled(jobs);
  expect([1, 2, 3].map((tagId) => afters(about(store, { kind: 'tag', tagId })))).toEqual([[1], [], [3]]);
  store.close();
});

test('an undone transaction leaves no entry for the next one', async () => {
  const { open, written } = openJournal();
  const store = open();
  const failing = store.commits.run(() => {
    written(store, 1, 1);
    store.journal.fired({ ruleId: 1, rule: 'R', savedAt: '', condition: '', table: 't' }, 1, 1, null);
    store.commits.beforeCommit(() => {
      throw new Error('undone');
    });
  });
  await expect(failing).rejects.toThrow('undone');
  await store.commits.run(() => written(store, 2, 2));
  expect([...new JournalReader(store.database).newest()].map(({ kind }) => kind)).toEqual(['write']);
  expect(afters(about(store, { kind: 'tag', tagId: 2 }))).toEqual([2]);
  store.close();
});

test('entries are found in ended blocks and in the open one, also after a restart', async () => {
  const { open, written } = openJournal();
  let store = open();
  for (let round = 0; round < 300; round += 1) {
    await store.commits.run(() => {
      for (let id = 1; id <= 30; id += 1) written(store, round * 30 + id, round, PERSON, id);
      if (round === 3) written(store, 99_999, 'rare');
      if (round === 4)
        store.journal.eventsChanged('disabled', [7, 8, 9, 4711], { by: 'client', method: 'PUT', address: '::1:5' });
      store.journal.fired(
        { ruleId: 2, rule: 'R', savedAt: '', condition: '', table: 't' },
        round + 1,
        1_000 + round,
        null,
      );
    });
  }
  const blocks = store.database.prepare<[], number>('SELECT count(*) FROM journal_blocks').pluck();
  expect(blocks.get()).toBeGreaterThan(3);
  for (const isRestarted of [false, true]) {
    if (isRestarted) {
      store.close();
      store = open();
    }
    expect(afters(about(store, { kind: 'tag', tagId: 99_999 }))).toEqual(['rare']);
    expect(afters(about(store, { kind: 'tag', tagId: 299 * 30 + 1 }))).toEqual([299]);
    expect(about(store, { kind: 'tag', tagId: 1_000_000 })).toEqual([]);
    expect(about(store, { kind: 'event', id: 8 })).toMatchObject([
      { kind: 'event', cause: { by: 'client', method: 'PUT' } },
    ]);
    expect(about(store, { kind: 'event', id: 10 })).toEqual([]);
    expect(about(store, { kind: 'event', id: 1_299 })).toMatchObject([{ kind: 'firing', firing: { firstRow: 300 } }]);
    expect(about(store, { kind: 'row', ruleId: 2, row: 5 })).toMatchObject([{ firing: { firstEvent: 1_004 } }]);
  }
  const ids = [...new JournalReader(store.database).newest()].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  await store.commits.run(() => written(store, 1, 'later'));
  expect([...new JournalReader(store.database).newest()][0]?.id).toBeGreaterThan(ids[0] ?? 0);
  store.close();
});

test('runs that change nothing are bounded too, also over restarts', async () => {
  const time = { now: 1_000 };
  const { open, written } = openJournal({ now: () => time.now, iso: () => new Date(time.now).toISOString() });
  let store = open();
  const blocks = () => store.database.prepare<[], number>('SELECT count(*) FROM journal_blocks').pluck().get() ?? 0;
  const runs = () => store.database.prepare<[], number>('SELECT count(*) FROM journal_runs').pluck().get() ?? 0;
  const keep = async () => {
    const run = store.journal.begin({ script: null, tag: '', ...scope, access: 'run', cause: PERSON });
    store.journal.keep(run, Buffer.alloc(60_000));
    await store.journal.flush();
  };
  // Each instance has less than a block.
  for (let start = 0; start < 6; start += 1) {
    for (let n = 0; n < 10; n += 1) await keep();
    store.close();
    store = open();
  }
  expect(blocks()).toBe(3);
  await store.commits.run(() => written(store, 7, 'kept'));
  time.now = 9_000;
  const expire = (before: number) => store.commits.run(() => store.journal.expire({ bytes: Infinity, before }));
  expect(await expire(1_000)).toBe(false);
  while (await expire(5_000));
  expect([blocks(), runs()]).toEqual([0, 60 - 3 * 18]);
  expect(afters(about(store, { kind: 'tag', tagId: 7 }))).toEqual(['kept']);
  store.close();
});

test('a block that runs fill ends after the changes of the same transaction', async () => {
  const { open, written } = openJournal();
  let store = open();
  const fill = () => {
    for (let n = 0; n < 20; n += 1) {
      const run = store.journal.begin({ script: null, tag: '', ...scope, access: 'run', cause: PERSON });
      store.journal.keep(run, Buffer.alloc(60_000));
    }
    return store.journal.flush();
  };
  for (let round = 1; round <= 4; round += 1) {
    const before = store.commits.run(() => written(store, 100 + round, 'before'));
    const filled = fill();
    await Promise.all([before, filled, store.commits.run(() => written(store, 200 + round, 'after'))]);
  }
  for (const isRestarted of [false, true]) {
    if (isRestarted) {
      store.close();
      store = open();
    }
    for (let round = 1; round <= 4; round += 1) {
      expect(afters(about(store, { kind: 'tag', tagId: 100 + round }))).toEqual(['before']);
      expect(afters(about(store, { kind: 'tag', tagId: 200 + round }))).toEqual(['after']);
    }
  }
  expect(store.database.prepare('SELECT count(*) FROM journal_blocks').pluck().get()).toBe(4);
  store.close();
});

test('the oldest blocks go first, pinned runs stay, and ids are never given again', async () => {
  const time = { now: 1_000 };
  const { open, written } = openJournal({ now: () => time.now, iso: () => new Date(time.now).toISOString() });
  let store = open();
  const { journal, commits } = store;
  const run = () => journal.begin({ script: null, tag: 'T', ...scope, access: 'run', cause: PERSON });
  const [kept, dropped] = [run(), run()];
  await commits.run(() => {
    for (const one of [kept, dropped]) written(store, 5, one.id, { by: 'run', run: one, line: 1 });
  });
  await commits.run(() => journal.blocks.pin(kept.id, true));
  const fill = async (text: string) => {
    for (let n = 0; n < 100; n += 1) await commits.run(() => written(store, 1, text.repeat(900)));
  };
  // The clock jumps forward, and back again.
  for (const now of [2_000, 9_000_000, 3_000]) {
    time.now = now;
    await fill(String(now)[0] ?? '');
  }
  const last = [...new JournalReader(store.database).newest()][0]?.id ?? 0;
  expect(await commits.run(() => journal.expire({ bytes: Infinity, before: 500 }))).toBe(false);
  const expire = () => commits.run(() => journal.expire({ bytes: Infinity, before: 5_000 }));
  while (await expire());
  expect(about(store, { kind: 'tag', tagId: 5 })).toEqual([]);
  // Newer entries than the time that was wrong stay until its block is the oldest.
  expect(afters(about(store, { kind: 'tag', tagId: 1 })).length).toBeGreaterThan(100);
  const reader = new JournalReader(store.database);
  expect([reader.run(kept.id)?.pinned, reader.run(dropped.id)]).toEqual([true, null]);
  while (await commits.run(() => journal.expire({ bytes: 0, before: 0 })));
  expect(journal.blocks.bytes).toBe(0);
  await commits.run(() => journal.clear());
  expect([...reader.newest()]).toEqual([]);
  expect(reader.run(kept.id)?.pinned).toBe(true);
  expect(reader.since()).toBe(3_000);
  store.close();
  store = open();
  expect(store.journal.begin({ script: null, tag: '', ...scope, access: 'run', cause: PERSON }).id).toBeGreaterThan(
    last,
  );
  store.close();
});

test('a small journal keeps its newest entries when it reaches its limit', async () => {
  const { open, written } = openJournal();
  const store = open();
  const { journal, commits } = store;
  journal.limitBytes = 1_048_576;
  for (let n = 0; n < 60; n += 1) {
    const run = journal.begin({ script: null, tag: 'T', ...scope, access: 'run', cause: PERSON });
    await commits.run(() => written(store, 5, n, { by: 'run', run, line: 1 }));
    journal.keep(run, Buffer.alloc(50_000));
    await journal.flush();
  }
  while (await commits.run(() => journal.expire({ bytes: journal.limitBytes, before: 0 })));
  expect(journal.blocks.bytes).toBeLessThanOrEqual(journal.limitBytes);
  const kept = afters(about(store, { kind: 'tag', tagId: 5 }));
  expect(kept.slice(0, 10)).toEqual([59, 58, 57, 56, 55, 54, 53, 52, 51, 50]);
  store.close();
});

test('without entries, there is data since the first run, or since the last deletion', async () => {
  const time = { now: 1_000 };
  const { open, written } = openJournal({ now: () => time.now, iso: () => new Date(time.now).toISOString() });
  const store = open();
  const { journal, commits } = store;
  const reader = new JournalReader(store.database);
  expect(reader.since()).toBeNull();
  const keep = async () => {
    const run = journal.begin({ script: null, tag: 'T', ...scope, access: 'run', cause: PERSON });
    journal.keep(run, Buffer.alloc(1_048_576));
    await journal.flush();
    return run.id;
  };
  const pinned = await keep();
  expect(reader.since()).toBe(1_000);
  await commits.run(() => journal.blocks.pin(pinned, true));
  time.now = 2_000;
  await keep();
  time.now = 3_000;
  while (await commits.run(() => journal.expire({ bytes: 0, before: 0 })));
  expect(reader.runs(Number.MAX_SAFE_INTEGER, 10).map(({ id }) => id)).toEqual([pinned]);
  expect(reader.since()).toBe(3_000);
  time.now = 4_000;
  for (let n = 0; n < 100; n += 1) await commits.run(() => written(store, 1, 'x'.repeat(1_000)));
  await commits.run(() => written(store, 1, 1));
  expect(reader.since()).toBe(3_000);
  expect(await commits.run(() => journal.expire({ bytes: 0, before: 0 }))).toBe(true);
  expect(reader.since()).toBe(4_000);
  store.close();
});

test('a flush waits for the runs that another one is storing', async () => {
  const { open } = openJournal();
  const store = open();
  const { journal } = store;
  const run = journal.begin({ script: null, tag: 'T', ...scope, access: 'run', cause: PERSON });
  journal.keep(run, Buffer.from('content'));
  void journal.flush();
  await journal.flush();
  expect(new JournalReader(store.database).run(run.id)).toMatchObject({ id: run.id, isFull: true });
  store.close();
});

test('a run of a watch or a condition has an entry only if it changed something', async () => {
  const { open, written } = openJournal();
  const store = open();
  const { journal } = store;
  const end = { status: 'ok', error: null, errorLine: null, ms: 1, dryRun: false } as const;
  const script = { name: 'Line/Level', version: 1 };
  const begin = () => journal.begin({ script, tag: 'T', ...scope, access: 'read', cause: { by: 'read' } });
  const ended = Array.from({ length: 100 }, () => {
    const run = begin();
    journal.end(run, end);
    return run.id;
  });
  const changing = begin();
  await store.commits.run(() => written(store, 1, 5, { by: 'run', run: changing, line: 2 }));
  journal.end(changing, end);
  await journal.flush();
  const reader = new JournalReader(store.database);
  expect(reader.runs(Number.MAX_SAFE_INTEGER, 1_000).map(({ id }) => id)).toEqual([changing.id]);
  expect(reader.run(changing.id)).toMatchObject({ cause: { by: 'read' }, end, isFull: false });
  expect(ended).not.toContain(changing.id);
  expect([...reader.newest()]).toMatchObject([{ kind: 'write', cause: { by: 'run', run: changing.id } }]);
  store.close();
});

test('runs that name each other as their causes are explained once each', async () => {
  const { open, written } = openJournal();
  const store = open();
  const outer = store.journal.begin({
    script: { name: 'A/B', version: 3 },
    tag: 'T',
    ...scope,
    access: 'run',
    cause: PERSON,
  });
  const cause: Cause = { by: 'run', run: outer, line: 2 };
  const inner = store.journal.begin({ script: null, tag: 'U', ...scope, access: 'write', cause });
  await store.commits.run(() => written(store, 1, 1, { by: 'run', run: inner, line: 9 }));
  store.database.exec(
    `UPDATE journal_runs SET parent = CASE id WHEN ${inner.id} THEN ${outer.id} ELSE ${inner.id} END`,
  );
  const why = new WhyReader(new JournalReader(store.database), new JournalWindows(store.database));
  const { causes } = why.why({ kind: 'run', run: inner.id });
  expect(causes.map(({ entry }) => entry)).toEqual([inner.id, outer.id]);
  expect(why.why({ kind: 'run', run: outer.id }).effects.length).toBeLessThan(10);
  store.close();
});

test('damaged rows hide only themselves, and prevent neither opening nor writing', async () => {
  const { open, written } = openJournal();
  let store = open();
  const run = store.journal.begin({ script: null, tag: 'T', ...scope, access: 'run', cause: PERSON });
  await store.commits.run(() => written(store, 1, 'first', { by: 'run', run, line: 1 }));
  await store.commits.run(() => written(store, 1, 'second'));
  await store.commits.run(() => written(store, 1, 'third'));
  const rows = store.database.prepare<[], { id: number }>('SELECT id FROM journal ORDER BY id').all();
  const damage = store.database.prepare<[string, number | undefined]>('UPDATE journal SET entries = ? WHERE id = ?');
  damage.run('[["write",{"by":"per', rows[1]?.id);
  damage.run('[["of a later version",{"by":"person","user":null},7]]', rows[2]?.id);
  store.database.exec(`UPDATE journal_runs SET details = '{"scr'`);
  store.close();
  store = open();
  await store.commits.run(() => written(store, 1, 'fourth'));
  expect(afters(about(store, { kind: 'tag', tagId: 1 }))).toEqual(['fourth', 'first']);
  const why = new WhyReader(new JournalReader(store.database), new JournalWindows(store.database));
  expect(why.why({ kind: 'run', run: run.id }).causes).toMatchObject([
    { action: expect.stringMatching('ran a script that is not saved') },
  ]);
  store.close();
});

test.each([
  '[["write",{"by":"person","user":null}]]',
  '[["write",null,"","",[1,null,"x"]]]',
  '[["write",[null,3],"","",[1,null,"x"]]]',
  '[["define",{"by":"import","what":"","user":null},null,"created"]]',
  '[["define",{"by":"import","what":"","user":null},["1"],"created"]]',
  '[["event",{"by":"person","user":null},"disabled",[7]]]',
  '[["firing",{"by":"rule"}]]',
  '[["rule",7,1,"Level","created"]]',
  '[["count",{"by":"rule"},{"from":1e300,"to":0}]]',
  '[["firing",{"by":"rule"},[1,"R","","",null],1,1,null]]',
  '[["define",{"by":"person","user":null},[1],7]]',
  '[["rule",{"by":"person","user":null},null,"Level","created"]]',
  '[["restore",{"by":"person","user":null},{}]]',
  '[["count",{"by":"read"},{"tagId":1,"script":null,"rule":null,"runs":1,"failed":0,"from":0,"to":0,"totalMs":1,"longestMs":1,"sample":{}}]]',
  '[["count",{"by":"read"},{"tagId":[],"script":null,"rule":null,"runs":1,"failed":0,"from":0,"to":[],"totalMs":1,"longestMs":1,"sample":null}]]',
  '[7, null]',
  '7',
])('an entry of another form is skipped: %s', async (entries) => {
  const { open, written } = openJournal();
  const store = open();
  await store.commits.run(() => written(store, 1, 'first'));
  const { id } = store.database.prepare<[], { id: number }>('SELECT id FROM journal').get() ?? { id: 0 };
  await store.commits.run(() => written(store, 1, 'second'));
  store.database.prepare('UPDATE journal SET entries = ? WHERE id = ?').run(entries, id);
  const { lines } = new WhyReader(new JournalReader(store.database), new JournalWindows(store.database));
  const shown = [...new JournalReader(store.database).newest()].map((entry) => lines.lineOf(entry, 0).action);
  expect(shown).toEqual(['wrote (deleted tag 1)']);
  store.close();
});

test('an entry with an impossible time or an unknown cause is shown in part', async () => {
  const { open, written } = openJournal();
  const store = open();
  const run = store.journal.begin({ script: null, tag: 'T', ...scope, access: 'run', cause: PERSON });
  await store.commits.run(() => written(store, 1, 'first', { by: 'run', run, line: 1 }));
  await store.commits.run(() => written(store, 1, 'second'));
  store.database.exec(`UPDATE journal SET at_ms = 9000000000000000`);
  store.database.exec(`UPDATE journal_runs SET at_ms = -9000000000000000, details = 'null'`);
  store.database.exec(`UPDATE journal SET entries = replace(entries, '"person"', '"of a later version"')`);
  const reader = new JournalReader(store.database);
  const { lines } = new WhyReader(reader, new JournalWindows(store.database));
  expect([...reader.newest()].map((entry) => lines.lineOf(entry, 0))).toMatchObject([
    { at: '+275760-09-13T00:00:00.000Z', actor: 'a cause that this version does not know' },
    { at: '+275760-09-13T00:00:00.000Z', actor: `run ${run.id}, line 1` },
  ]);
  expect(reader.runs(run.id + 1, 1).map((one) => lines.lineOfRun(one, 0, null))).toMatchObject([
    { at: '-271821-04-20T00:00:00.000Z', action: 'ran a script that is not saved, which has no end in the journal' },
  ]);
  store.close();
});

test('when the disk is full, values are written without the journal', async () => {
  const { open, written } = openJournal();
  const store = open();
  store.database.exec('CREATE TABLE own (value TEXT)');
  store.database.exec("INSERT INTO own VALUES ('before')");
  const set = (value: string) =>
    store.commits.run(() => {
      store.database.prepare('UPDATE own SET value = ?').run(value);
      written(store, 1, value.repeat(300));
    });
  const [{ pages } = { pages: 0 }] = store.database
    .prepare<[], { pages: number }>('SELECT page_count AS pages FROM pragma_page_count')
    .all();
  store.database.pragma(`max_page_count = ${pages}`);
  let refused: unknown = null;
  for (let n = 0; n < 100 && refused === null; n += 1)
    refused = await set(String(n % 10)).then(
      () => null,
      (thrown) => thrown,
    );
  expect(refused).toMatchObject({ code: 'STORAGE_FULL' });
  const known = [...new JournalReader(store.database).newest()].length;
  for (const value of ['x', 'y', 'z']) await set(value);
  expect(store.database.prepare('SELECT value FROM own').pluck().get()).toBe('z');
  expect([...new JournalReader(store.database).newest()]).toHaveLength(known);
  store.close();
});

test('a value is masked, a long one described, and none recorded while that is off', async () => {
  const { open, written } = openJournal();
  const store = open();
  store.journal.maskWith(() => (text) => text.replaceAll('very-private', '***'));
  await store.commits.run(() => {
    written(store, 1, 'token very-private');
    written(store, 1, 'x'.repeat(5_000));
  });
  store.journal.enabled = false;
  await store.commits.run(() => written(store, 1, 'off'));
  expect(afters(about(store, { kind: 'tag', tagId: 1 }))).toEqual([
    '(a text of 5,000 characters, too long for the journal)',
    'token ***',
  ]);
  store.close();
});
