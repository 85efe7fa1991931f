import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { snapshotOf } from '../../../../src-main/storage/workspace/copy/snapshot.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { scaled } from '../../../support/run/scale.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { startChild } from '../../storage/child.ts';
import { dbTag, openPlant, runSql } from './plant-workspace.ts';

const CHILD = import.meta.resolve('./children/acknowledged-causes.ts');

test('a snapshot during Sets that follow each other has the cause of each value', async () => {
  const directory = join(temporaryFolder(), 'workspace');
  const store = openWorkspaceStore(directory);
  runSql(join(directory, 'plant.db'), 'PRAGMA journal_mode = WAL');
  runSql(join(directory, 'plant.db'), 'CREATE TABLE counts (n INTEGER PRIMARY KEY)');
  const setUp = openPlant(directory, { 'db.statementMs': 5_000, 'db.maxRows': 10_000 });
  const { tags } = tagsOver(store, { plant: setUp });
  await tags.definitions.save(dbTag('Db.Count.Value', 'Int', { writeSql: 'INSERT INTO counts VALUES (:value)' }));
  tags.close();
  await setUp.close();
  store.close();
  const child = startChild(CHILD, [directory, temporaryFolder(), '1000000', '0']);
  onTestFinished(() => void child.process.kill('SIGKILL'));
  const taken: number[] = [];
  while (taken.length < scaled(3, 10)) {
    const snapshot = await snapshotOf(directory);
    const { workspace, plant } = snapshot;
    const intents = workspace.prepare('SELECT count(*) FROM write_intents').pluck().get();
    const causes = workspace.prepare(`SELECT count(*) FROM journal WHERE entries LIKE '[["write",%'`).pluck().get();
    const values = Number(plant?.prepare('SELECT count(*) FROM counts').pluck().get());
    snapshot.close();
    expect([intents, causes]).toEqual([0, values]);
    if (values > (taken.at(-1) ?? 0)) taken.push(values);
  }
  child.process.kill('SIGKILL');
  await child.ended();
});
