import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { readInstance } from '../../../src-main/storage/workspace/instance-lock.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';
import { startChild } from './child.ts';

test('exactly one of several concurrent processes wins, and the others name it', async () => {
  for (let round = 0; round < 4; round += 1) {
    const directory = join(temporaryFolder(), 'workspace');
    const children = [1, 2, 3, 4].map(() =>
      startChild(import.meta.resolve('./children/open-workspace.ts'), [directory]),
    );
    const responses = await Promise.all(children.map(async (child): Promise<object> => JSON.parse(await child.line())));
    const winner = children[responses.findIndex((response) => 'opened' in response)];
    expect(responses.filter((response) => 'opened' in response)).toEqual([{ opened: true, created: true }]);
    const refusals = responses.filter((response) => !('opened' in response));
    expect(refusals).toHaveLength(3);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'WORKSPACE_LOCKED', data: { pid: winner?.process.pid } });
    }
    expect(readInstance(directory)).toMatchObject({ pid: winner?.process.pid, token: 'secret' });
    winner?.process.stdin.end();
    await winner?.ended();
    expect(readInstance(directory)).toBeNull();
    expect(readdirSync(directory).toSorted()).toEqual(['instance.lock', 'workspace.db']);
  }
});

test('the lock of a killed process is released, although its details remain', async () => {
  const directory = join(temporaryFolder(), 'workspace');
  const child = startChild(import.meta.resolve('./children/open-workspace.ts'), [directory]);
  await child.line();
  expect((await thrownBy(() => openWorkspaceStore(directory))).data).toEqual({ directory, pid: child.process.pid });
  child.process.kill('SIGKILL');
  await child.ended();
  expect(readFileSync(join(directory, 'instance.json'), 'utf8')).toContain(`"pid":${child.process.pid}`);
  expect(readInstance(directory)).toBeNull();
  const store = openWorkspaceStore(directory);
  onTestFinished(() => store.close());
  expect(readInstance(directory)?.pid).toBe(process.pid);
});

test('acknowledged writes survive a kill', async () => {
  const directory = join(temporaryFolder(), 'workspace');
  const acknowledged: string[] = [];
  for (const writes of [1, 57, 400]) {
    const child = startChild(import.meta.resolve('./children/keep-writing.ts'), [directory]);
    for (let count = 0; count < writes; count += 1) await child.line();
    child.process.kill('SIGKILL');
    acknowledged.push(...(await child.ended()));
    const store = openWorkspaceStore(directory);
    const names = new Set(store.scripts.groups().map((group) => group.name));
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(writes);
    expect(store.database.pragma('integrity_check', { simple: true })).toBe('ok');
    await store.commits.run(() => store.database.exec('DELETE FROM script_groups'));
    store.close();
    acknowledged.length = 0;
  }
});

test('a first start that is killed at any moment leaves a workspace that opens', async () => {
  for (let delay = 60; delay <= 220; delay += 10) {
    const directory = join(temporaryFolder(), 'workspace');
    const child = startChild(import.meta.resolve('./children/open-workspace.ts'), [directory]);
    setTimeout(() => child.process.kill('SIGKILL'), delay);
    await child.ended();
    const store = openWorkspaceStore(directory);
    expect(store.scripts.groups()).toEqual([]);
    store.close();
    const database = new Database(join(directory, 'workspace.db'), { readonly: true });
    expect(database.pragma('quick_check', { simple: true })).toBe('ok');
    database.close();
  }
});
