import { renameSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../src-main/platform/log.ts';
import { StorageHealth } from '../../../src-main/storage/storage-health.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

function open() {
  const store = openWorkspaceStore(temporaryFolder());
  onTestFinished(() => store.close());
  const entries: { event: string; level: string; fields: Record<string, unknown> }[] = [];
  const log = createLog({ format: 'json', write: (line) => entries.push(JSON.parse(line)) });
  const health = new StorageHealth({ ...store, log, lookMs: 20 });
  onTestFinished(() => health.close());
  const write = (value: string) => store.commits.run(() => store.settings.put('api.allowedHosts', value));
  return { store, health, entries, write };
}

test('writes refused by a full disk are a problem until one works; both are logged', async () => {
  const { store, health, entries, write } = open();
  expect(health.problems()).toEqual([]);
  // SQLite refuses to make the file larger, as where the disk is full.
  const pages = Number(store.database.pragma('page_count', { simple: true }));
  store.database.pragma(`max_page_count = ${pages}`);
  const error = await thrownBy(() => write('x'.repeat(100_000)));
  expect(error.code).toBe('STORAGE_FULL');
  expect(health.problems()).toMatchObject([
    { code: 'storage-full', message: expect.stringContaining('Free some space') },
  ]);
  store.database.pragma('max_page_count = 1000000');
  await vi.waitFor(() => expect(health.problems()).toEqual([]));
  expect(entries.map(({ event }) => event)).toEqual(['storage.failing', 'storage.recovered']);
  expect(entries[1]?.fields).toMatchObject({ reason: 'storage-full', refused: 1 });
});

test('what a job refuses for reasons of its own is no problem of the disk', async () => {
  const { store, health, entries } = open();
  const refused = store.commits.run(() => {
    throw new Error('not now');
  });
  await expect(refused).rejects.toThrow('not now');
  expect(health.problems()).toEqual([]);
  expect(entries).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'a database that is moved away is lost, also while nobody writes',
  async () => {
    const { store, health, entries } = open();
    renameSync(store.database.name, `${store.database.name}.moved`);
    expect(health.problems()).toMatchObject([{ code: 'database-lost' }]);
    renameSync(`${store.database.name}.moved`, store.database.name);
    expect(health.problems()).toEqual([]);
    renameSync(store.database.name, `${store.database.name}.moved`);
    await vi.waitFor(() => expect(entries.map(({ event }) => event)).toContain('storage.failing'));
    renameSync(`${store.database.name}.moved`, store.database.name);
  },
);

test('a file that cannot be written is a problem', async () => {
  const { store, health, write } = open();
  store.database.pragma('query_only = ON');
  await expect(write('x')).rejects.toMatchObject({ code: 'WORKSPACE_READ_ONLY' });
  expect(health.problems()).toMatchObject([{ code: 'read-only' }]);
  store.database.pragma('query_only = OFF');
  await vi.waitFor(() => expect(health.problems()).toEqual([]));
});
