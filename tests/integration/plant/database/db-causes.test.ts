import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { finishWriteIntents } from '../../../../src-main/storage/plant/recovery.ts';
import { WhyReader } from '../../../../src-main/scripting/journal/why.ts';
import type { NewRun } from '#domain/run/journal';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import { JournalWindows } from '../../../../src-main/storage/journal/journal-windows.ts';
import type { WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { NO_SCRIPTS } from '../../../../src-main/plant/tags/values/script-evaluator.ts';
import type { CommitStep } from '../../../../src-main/plant/tags/values/tag-transactions.ts';
import { dbTag, openPlant, plainTag, plantWorkspace, write } from './plant-workspace.ts';

const LOG = 'CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)';
const TAG = 'Db.Log.Entry';
const STORED = 'Plant.A.Value';

const RUN: NewRun = { script: null, tag: '', diagram: '', location: '', access: 'run', cause: { by: 'person' } };

const runOf = (_n: number, version: number): NewRun => ({ ...RUN, script: { name: 'A/B', version } });

const idOf = ({ database }: WorkspaceStore, path: string): number => new JournalReader(database).tagId(path) ?? 0;

/** A workspace whose next Set ends at a step, as if the process had. */
async function plant() {
  let end: CommitStep | null = null;
  const made = await plantWorkspace(LOG, {
    onCommitStep: (step) => {
      if (step === end) throw new Error('the process ends');
    },
  });
  const { tags, store, directory, settings, logged } = made;
  const readSql = 'SELECT text FROM log ORDER BY id DESC LIMIT 1';
  await tags.definitions.save(dbTag(TAG, 'String', { readSql, writeSql: 'INSERT INTO log (text) VALUES (:value)' }));
  await tags.definitions.save(plainTag(STORED, 'storage', 'Int'));
  const why = (path: string) =>
    new WhyReader(new JournalReader(store.database), new JournalWindows(store.database)).why({ kind: 'tag', path })
      .causes;
  const causesOf = (path: string) =>
    why(path)
      .filter(({ kind }) => kind === 'write')
      .map(({ after }) => after);
  const endAt = async (step: CommitStep, items: Parameters<typeof tags.set>[0]['items'], between = () => {}) => {
    end = step;
    await expect(tags.set({ items })).rejects.toThrow('the process ends');
    end = null;
    await made.plant.close();
    between();
    expect(store.intents.all()).toHaveLength(1);
    const next = openPlant(directory, settings);
    const sets = await finishWriteIntents({ ...store, plant: next, log: (message) => void logged.push(message) });
    await next.close();
    expect({ left: store.intents.all(), logged }).toEqual({ left: [], logged: [] });
    return sets;
  };
  return { ...made, why, causesOf, endAt };
}

describe('the cause of a value in plant.db', () => {
  test('is recorded, and leaves no intent', async () => {
    const { tags, causesOf, store } = await plant();
    await tags.set({ items: [write(TAG, 'one')] });
    await tags.set({ items: [write(TAG, 'two'), write(STORED, 2)] });
    await store.journal.flush();
    expect([causesOf(TAG), causesOf(STORED), store.intents.all()]).toEqual([['two'], [2], []]);
  });

  test('survives the end of the process directly after the commit', async () => {
    const { causesOf, endAt, sql } = await plant();
    expect(await endAt('decided', [write(TAG, 'late')])).toMatchObject({ finished: 1 });
    expect([causesOf(TAG), sql('SELECT text FROM log')]).toEqual([['late'], [{ text: 'late' }]]);
  });

  test('survives it for a Set over both files', async () => {
    const { causesOf, endAt } = await plant();
    expect(await endAt('decided', [write(TAG, 'both'), write(STORED, 7)])).toMatchObject({ finished: 1 });
    expect([causesOf(TAG), causesOf(STORED)]).toEqual([['both'], [7]]);
  });

  test('is not recorded if plant.db was not committed', async () => {
    const { causesOf, endAt, sql } = await plant();
    expect(await endAt('intended', [write(TAG, 'never')])).toMatchObject({ takenBack: 1 });
    expect([causesOf(TAG), sql('SELECT text FROM log')]).toEqual([[], []]);
  });

  test('does not keep the workspace from opening while another program holds plant.db', async () => {
    const { causesOf, endAt, file } = await plant();
    const other = new DatabaseSync(file);
    const sets = await endAt('decided', [write(TAG, 'late')], () => other.exec('BEGIN EXCLUSIVE'));
    expect(sets).toMatchObject({ dropped: 1 });
    other.close();
    expect(causesOf(TAG)).toEqual(['late']);
  });

  test('is marked as uncertain if the outcome is unknown, before the last certain one', async () => {
    const { tags, causesOf, endAt, file, why, store } = await plant();
    await tags.set({ items: [write(TAG, 'certain'), write(STORED, 1)] });
    const other = new DatabaseSync(file);
    await endAt('decided', [write(TAG, 'late')], () => other.exec('BEGIN EXCLUSIVE'));
    other.close();
    expect([causesOf(TAG), causesOf(STORED)]).toEqual([['late', 'certain'], [1]]);
    const actor = expect.stringMatching(/user/);
    expect(why(TAG)[0]).toMatchObject({ action: expect.stringMatching(/^may have written Db\.Log\.Entry: /), actor });
    store.journal.repeat(`[["write",{"by":"person","user":null},"","",[${idOf(store, STORED)},1,2]]]`, 'uncertain');
    expect(causesOf(STORED)).toEqual([1]);
  });

  /** Sets follow at once, however busy the machine is: an intent does not end because of the time. */
  function atOnce() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  }
  /** The numbers of intents that were stored. */
  function intents({ database }: WorkspaceStore) {
    database.exec(`CREATE TEMP TABLE stored (id);
      CREATE TEMP TRIGGER store AFTER INSERT ON write_intents BEGIN INSERT INTO stored VALUES (new.id); END`);
    return () => Number(database.prepare('SELECT count(*) FROM stored').pluck().get());
  }
  const newest = ({ database }: WorkspaceStore) =>
    [...new JournalReader(database).newest()].flatMap((entry) =>
      entry.kind === 'write' ? entry.writes.map(({ after }) => after) : [],
    );

  test('is recorded for Sets that follow at once with one intent, in their order', async () => {
    const { tags, store, sql } = await plant();
    const stored = intents(store);
    atOnce();
    const times: number[] = [];
    for (let n = 1; n <= 5; n += 1) {
      await tags.set({ items: [write(TAG, `${n}`)] });
      times.push(store.clock.now());
    }
    expect([stored(), store.intents.all().length]).toEqual([1, 1]);
    await store.journal.flush();
    expect([newest(store), store.intents.all()]).toEqual([['5', '4', '3', '2', '1'], []]);
    const ats = [...new JournalReader(store.database).newest()]
      .filter(({ kind }) => kind === 'write')
      .map(({ at }) => at);
    expect(ats.toReversed().map((at, set) => at <= (times[set] ?? 0))).toEqual(Array(5).fill(true));
    expect(sql('SELECT count(*) AS count FROM log')).toEqual([{ count: 5 }]);
  });

  test.each([
    ['later runs of a version in the same context share an intent', 1, (n: number) => runOf(n, 1)],
    ['runs of other versions do not', 3, (n: number) => runOf(n, n)],
    ['runs of bodies that are not saved do not', 3, (n: number) => ({ ...runOf(n, 1), script: null })],
    ['runs for other tags do not', 3, (n: number) => ({ ...runOf(n, 1), tag: `Plant.T${n}` })],
  ])('%s', async (_what, count, run) => {
    const { tags, store } = await plant();
    const stored = intents(store);
    atOnce();
    for (let n = 1; n <= 3; n += 1) {
      const scripts = { ...NO_SCRIPTS, origin: store.journal.begin(run(n)) };
      await tags.session({ dryRun: false, scripts }).set([write(TAG, `${n}`)], DEFAULT_SCOPE, 3);
    }
    expect(stored()).toBe(count);
    await store.journal.flush();
    const reader = new JournalReader(store.database);
    const runs = [...reader.newest()].flatMap(({ kind, cause }) =>
      kind === 'write' && cause.by === 'run' ? [cause.run] : [],
    );
    expect(new Set(runs).size).toBe(3);
    expect(runs.map((id) => reader.run(id) !== null)).toEqual([true, true, true]);
  });

  test('is before what the Set leads to, and other writes have an intent of their own', async () => {
    const { tags, store } = await plant();
    const stored = intents(store);
    await tags.set({ items: [write(TAG, 'a')] });
    const run = store.journal.begin(RUN);
    await tags.set({ items: [write(STORED, 1)] });
    await tags.set({ items: [write(TAG, 'b')] });
    await tags.set({ items: [write(TAG, 'c'), write(TAG, 'd')] });
    await store.journal.flush();
    expect(newest(store)).toEqual(['c', 'd', 'b', 1, 'a']);
    const of = (value: string) =>
      [...new JournalReader(store.database).newest()].find(
        (entry) => entry.kind === 'write' && entry.writes[0]?.after === value,
      );
    expect(of('a')?.id).toBeLessThan(run.id);
    expect(stored()).toBe(3);
  });

  test('is recorded later if workspace.db fails while plant.db is committed', async () => {
    const { tags, store, logged } = await plant();
    atOnce();
    await tags.set({ items: [write(TAG, 'one')] });
    store.database.exec(`CREATE TEMP TRIGGER fail BEFORE UPDATE ON write_intents BEGIN SELECT RAISE(ABORT, 'no'); END`);
    await tags.set({ items: [write(TAG, 'two')] });
    store.database.exec('DROP TRIGGER fail');
    expect(logged).toEqual([expect.stringMatching(/^the journal: .*no/)]);
    logged.length = 0;
    await tags.set({ items: [write(TAG, 'three')] });
    await store.journal.flush();
    expect([newest(store), store.intents.all()]).toEqual([['three', 'two', 'one'], []]);
  });

  test('needs no intent while the journal is off', async () => {
    const { tags, store, causesOf } = await plant();
    store.journal.enabled = false;
    await tags.set({ items: [write(TAG, 'quiet')] });
    expect([causesOf(TAG), store.intents.all()]).toEqual([[], []]);
  });
});
