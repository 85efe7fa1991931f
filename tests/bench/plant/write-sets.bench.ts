import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TagDefinition } from '#domain/tag/tag';
import { hostRuntime, productRoot } from '../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../src-main/platform/files/programs.ts';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { PlantDatabase } from '../../../src-main/storage/plant/plant-database.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { TagService } from '../../../src-main/plant/tags/tag-service.ts';
import type { Bench } from '../bench.ts';
import { compare, repeating } from '../compare.ts';

const COUNT = 10_000;
const ROWS = 500;

interface Plant {
  folder: string;
  tags: TagService;
}

async function withPlant<T>(work: (plant: Plant) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const store = openWorkspaceStore(folder);
  const root = productRoot();
  const settings = { 'db.statementMs': 5_000, 'db.maxRows': 10_000 };
  const plant = new PlantDatabase({
    directory: folder,
    nodeBinary: hostRuntime(root).node,
    hostFile: programFile('plant-host', root),
    settings: { get: () => settings },
  });
  const tags = new TagService({ ...store, plant, log: (where, fault) => console.error(where, fault) });
  try {
    await plant.setUp(`
      CREATE TABLE measured (id INTEGER PRIMARY KEY, name TEXT NOT NULL, value REAL NOT NULL);
      WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${ROWS})
      INSERT INTO measured SELECT x, 'measured ' || x, x * 1.5 FROM c;`);
    return await work({ folder, tags });
  } finally {
    tags.close();
    await plant.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const base = { type: 'Double', description: '', unit: '' } as const;
const sqlOf = (n: number) => `SELECT value FROM measured WHERE id = ${(n % ROWS) + 1}`;

/** A third each of storage, machine and DB tags. Each DB tag has different SQL. */
function mixed(n: number): TagDefinition {
  const path = `Bench.Mixed.T${n}.Value`;
  if (n % 3 === 0) return { ...base, path, kind: 'storage', settings: { initial: n } };
  if (n % 3 === 1) {
    return { ...base, path, kind: 'machine', settings: { signal: { kind: 'ramp', min: 0, max: n, periodMs: 60_000 } } };
  }
  return { ...base, path, kind: 'db', settings: { readSql: sqlOf(n) } };
}

const storageTag = (n: number): TagDefinition => ({
  ...base,
  path: `Bench.Set.T${n}.Value`,
  kind: 'storage',
  settings: {},
});

const importAll = (tags: TagService, definitions: TagDefinition[]) =>
  tags.definitions.import({ format: 'json', text: JSON.stringify(definitions) });

export const benches: Bench[] = [
  {
    area: 'tags',
    name: '10,000 storage, machine and DB tags in one Get, against 10,000 reads by bare SQLite in the same process',
    unit: '×',
    goal: { atLeast: 0.5 },
    run: () =>
      withPlant(async ({ folder, tags }) => {
        const definitions = Array.from({ length: COUNT }, (_, n) => mixed(n));
        await importAll(tags, definitions);
        const paths = definitions.map(({ path }) => path);
        const bad = (await tags.get({ paths })).filter(({ quality }) => quality !== 'Good');
        if (bad.length > 0) throw new Error(`${bad.length} of ${COUNT} tags cannot be read: ${JSON.stringify(bad[0])}`);
        // The peer keeps its statements prepared, and has no tags, qualities or limits.
        const database = new DatabaseSync(join(folder, 'plant.db'), { readOnly: true });
        const statements = Array.from({ length: ROWS }, (_, n) => database.prepare(sqlOf(n)));
        const rates = await compare(
          repeating(() => tags.get({ paths })),
          repeating(() => paths.map((_, n) => statements[n % ROWS]?.get())),
        );
        database.close();
        return {
          figure: rates.ratio,
          detail: `${(1_000 / rates.ours).toFixed(1)} ms a Get, ${(1_000 / rates.peer).toFixed(1)} ms bare SQLite`,
        };
      }),
  },
  {
    area: 'tags',
    name: 'a Set of 10,000 storage tags, against the same rows in one transaction of bare SQLite',
    unit: '×',
    goal: { atLeast: 0.5 },
    run: () =>
      withPlant(async ({ folder, tags }) => {
        const definitions = Array.from({ length: COUNT }, (_, n) => storageTag(n));
        await importAll(tags, definitions);
        let round = 0;
        const set = () => {
          round += 1;
          return tags.set({ items: definitions.map(({ path }, n) => ({ tag: path, value: n + round })) });
        };
        // The same table in a separate file, with the same schema and durability.
        const peer = openDatabase(join(folder, 'peer.db'));
        peer.exec(`
          WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${COUNT})
          INSERT INTO tags (id, path, kind, type, description, unit, settings)
          SELECT x, 'Bench.T' || x || '.Value', 'storage', 'Double', '', '', '{}' FROM c`);
        const put = peer.prepare(
          'INSERT INTO storage_values (tag_id, diagram, location, value, written_at) VALUES (?, ?, ?, ?, ?) ' +
            'ON CONFLICT DO UPDATE SET value = excluded.value, written_at = excluded.written_at',
        );
        const all = peer.transaction((at: string) => {
          for (let n = 0; n < COUNT; n += 1) put.run(n + 1, '', '', JSON.stringify(n + round), at);
        });
        const rates = await compare(
          repeating(set),
          repeating(() => {
            round += 1;
            all.immediate(new Date().toISOString());
          }),
        );
        peer.close();
        return {
          figure: rates.ratio,
          detail: `${(1_000 / rates.ours).toFixed(1)} ms a Set, ${(1_000 / rates.peer).toFixed(1)} ms bare SQLite`,
        };
      }),
  },
];
