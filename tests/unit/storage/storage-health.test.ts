import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../src-main/platform/log.ts';
import type { StorageHealthParts } from '../../../src-main/storage/storage-health.ts';
import { StorageHealth } from '../../../src-main/storage/storage-health.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

function open(more: Partial<StorageHealthParts> = {}) {
  const store = openWorkspaceStore(temporaryFolder());
  onTestFinished(() => store.close());
  const entries: { event: string; level: string; fields: Record<string, unknown> }[] = [];
  const log = createLog({ format: 'json', write: (line) => entries.push(JSON.parse(line)) });
  const health = new StorageHealth({ ...store, log, lookMs: 20, ...more });
  onTestFinished(() => health.close());
  const write = (value: string) => store.commits.run(() => store.settings.put('api.allowedHosts', value));
  return { store, health, entries, write };
}

test('writes rejected by a full disk are a problem until one works; both are logged', async () => {
  const { store, health, entries, write } = open();
  expect(health.problems()).toEqual([]);
  // SQLite cannot enlarge the file, as on a full disk.
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

test('a job that fails for its own reasons is not a disk problem', async () => {
  const { store, health, entries } = open();
  const refused = store.commits.run(() => {
    throw new Error('not now');
  });
  await expect(refused).rejects.toThrow('not now');
  expect(health.problems()).toEqual([]);
  expect(entries).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'a database that is moved away is detected, even without writes',
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

test('a disk with a few pages left is full before a write fails', async () => {
  let free = 8_192;
  const { store, health, entries } = open({ freeBytes: async () => free });
  await vi.waitFor(() => expect(health.problems()).toMatchObject([{ code: 'storage-full' }]));
  free = 50_000_000;
  // Tries a write, which needs more than a page.
  await vi.waitFor(() => expect(health.problems()).toEqual([]));
  expect(entries.map(({ event }) => event)).toEqual(['storage.failing', 'storage.recovered']);
  await health.close();
  expect(readdirSync(dirname(store.database.name))).not.toContain('storage-trial.tmp');
});

/** The state of plant.db that its processes report. */
class FakePlant {
  readonly path = join(temporaryFolder(), 'plant.db');
  works = false;
  #listener: (sqlite: number) => void = () => undefined;

  constructor() {
    writeFileSync(this.path, '');
  }

  onFileFault(listener: (sqlite: number) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }
  async tryOut(): Promise<void> {
    if (!this.works) throw new Error('it does not work');
  }
  fail(sqlite: number): void {
    this.#listener(sqlite);
  }
}

test.each([
  ['plant-full', 13],
  ['plant-full', 4_874],
  ['plant-read-only', 8],
  ['plant-read-only', 14],
  ['plant-error', 10 | (3 << 8)],
])('plant.db: %s (%i) is a problem until it works again', async (code, sqlite) => {
  const plant = new FakePlant();
  const { health, entries } = open({ plant });
  plant.fail(sqlite);
  plant.fail(sqlite);
  expect(health.problems()).toMatchObject([{ code, message: expect.stringContaining('plant.db') }]);
  plant.works = true;
  await vi.waitFor(() => expect(health.problems()).toEqual([]));
  expect(entries.map(({ event }) => event)).toEqual(['storage.failing', 'storage.recovered']);
  expect(entries[1]?.fields).toMatchObject({ reason: code, refused: 2 });
});

test('a damaged plant.db is a problem until another file is in its place', async () => {
  const plant = new FakePlant();
  const { health } = open({ plant });
  plant.works = true;
  plant.fail(11);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(health.problems()).toMatchObject([{ code: 'plant-damaged' }]);
  writeFileSync(`${plant.path}.whole`, '');
  renameSync(`${plant.path}.whole`, plant.path);
  await vi.waitFor(() => expect(health.problems()).toEqual([]));
});

test('an invalid statement is not a problem of plant.db, but a missing file is', () => {
  const plant = new FakePlant();
  const { health } = open({ plant });
  for (const sqlite of [0, 1, 5, 19, 267]) plant.fail(sqlite);
  expect(health.problems()).toEqual([]);
  rmSync(plant.path);
  expect(health.problems()).toMatchObject([{ code: 'plant-lost' }]);
  writeFileSync(plant.path, '');
  expect(health.problems()).toEqual([]);
});
