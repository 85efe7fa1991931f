import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { finishWriteIntents } from '../../../../src-main/storage/plant/recovery.ts';
import { WhyReader } from '../../../../src-main/scripting/journal/why.ts';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import { JournalWindows } from '../../../../src-main/storage/journal/journal-windows.ts';
import type { WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import type { CommitStep } from '../../../../src-main/plant/tags/values/tag-transactions.ts';
import { dbTag, openPlant, plainTag, plantWorkspace, write } from './plant-workspace.ts';

const LOG = 'CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)';
const TAG = 'Db.Log.Entry';
const STORED = 'Plant.A.Value';

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
    store.journal.repeatUncertain(`[["write",{"by":"person","user":null},"","",[${idOf(store, STORED)},1,2]]]`);
    expect(causesOf(STORED)).toEqual([1]);
  });

  test('needs no intent while the journal is off', async () => {
    const { tags, store, causesOf } = await plant();
    store.journal.enabled = false;
    await tags.set({ items: [write(TAG, 'quiet')] });
    expect([causesOf(TAG), store.intents.all()]).toEqual([[], []]);
  });
});
