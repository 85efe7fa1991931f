import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Json } from '#domain/text/json';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { finishWriteIntents } from '../../../../src-main/storage/plant/recovery.ts';
import { BUSY_MS } from '../../../../src-main/storage/plant/plant-view.ts';
import { programsOf } from '../../../support/product/processes.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { dbTag, one, openPlant, plainTag, plantWorkspace, scriptedKind, write } from './plant-workspace.ts';

const LOG = `
  CREATE TABLE log (id INTEGER PRIMARY KEY, at TEXT, text TEXT NOT NULL CHECK (length(text) < 100));
  CREATE TABLE strict_ones (n INTEGER UNIQUE);
  CREATE TRIGGER no_more BEFORE INSERT ON strict_ones WHEN NEW.n = 13 BEGIN SELECT RAISE(ROLLBACK, 'thirteen'); END;`;

async function plant(options: Parameters<typeof plantWorkspace>[1] = {}) {
  const made = await plantWorkspace(LOG, options);
  const { tags } = made;
  await tags.definitions.save(
    dbTag('Db.Log.Entry', 'String', {
      readSql: 'SELECT text FROM log ORDER BY id DESC LIMIT 1',
      writeSql: 'INSERT INTO log (at, text) VALUES (:tagName, :value)',
    }),
  );
  await tags.definitions.save(dbTag('Db.Log.Count', 'Int', { readSql: 'SELECT count(*) FROM log' }));
  await tags.definitions.save(dbTag('Db.Strict.Value', 'Int', { writeSql: 'INSERT INTO strict_ones VALUES (:value)' }));
  for (const path of ['Plant.A.Value', 'Plant.B.Value']) {
    await tags.definitions.save({
      path,
      kind: 'storage',
      type: 'Int',
      description: '',
      unit: '',
      settings: { initial: 0 },
    });
  }
  await tags.definitions.save(plainTag('Erp.Out.Record', 'erp', 'Json'));
  const count = () => made.sql('SELECT count(*) AS n FROM log')[0];
  const intents = () => made.store.intents.all();
  return { ...made, count, intents };
}

describe('a Set over both files', () => {
  test('is written completely, and leaves no intent', async () => {
    const { tags, store, sql, intents } = await plant();
    await tags.set({
      items: [write('Plant.A.Value', 1), write('Db.Log.Entry', 'one'), write('Erp.Out.Record', { n: 1 })],
    });
    expect((await one(tags, 'Plant.A.Value')).value).toBe(1);
    expect((await one(tags, 'Db.Log.Entry')).value).toBe('one');
    expect(store.outbox.count()).toBe(1);
    expect(sql('SELECT at, text FROM log')).toEqual([{ at: 'Db.Log.Entry', text: 'one' }]);
    expect(intents()).toEqual([]);
  });

  test.each<[string, string, Json, RegExp]>([
    ['a constraint', 'Db.Log.Entry', 'x'.repeat(100), /CHECK constraint failed/],
    ['a value of a wrong type', 'Plant.B.Value', 'x', /cannot be converted to Int/],
    ['a missing tag', 'Plant.C.Value', 1, /did you mean/],
    ['a trigger that rolls back', 'Db.Strict.Value', 13, /thirteen/],
  ])('is rejected as a whole for %s', async (_what, tag, value, reason) => {
    const { tags, store, count, intents } = await plant();
    const items = [write('Plant.A.Value', 1), write('Db.Log.Entry', 'one'), write('Erp.Out.Record', { n: 1 })];
    const error = await thrownBy(() => tags.set({ items: [...items, write(tag, value)] }));
    expect(error.code).toBe('WRITE_REFUSED');
    expect(error.message).toMatch(reason);
    expect((await one(tags, 'Plant.A.Value')).value).toBe(0);
    expect([store.outbox.count(), count(), intents()]).toEqual([0, { n: 0 }, []]);
    await tags.set({ items });
    expect(count()).toEqual({ n: 1 });
  });

  test('is always seen completely or not at all by a Get', async () => {
    const reads: Promise<number[]>[] = [];
    const look = async () => {
      const values = await tags.get({
        paths: ['Plant.A.Value', 'Db.Log.Entry', 'Plant.Counted.Value', 'Plant.A.Value'],
      });
      return values.map(({ value }) => Number(value));
    };
    let requests = 0;
    const kinds = [scriptedKind({ onRead: () => ++requests })];
    const { tags } = await plant({ onCommitStep: () => void reads.push(look()), kinds });
    await tags.definitions.save(plainTag('Plant.Counted.Value', 'script', 'Int'));
    // By then, the processes have started.
    await tags.set({ items: [write('Plant.A.Value', 0), write('Db.Log.Entry', '0')] });
    await Promise.all([...reads.splice(0), look()]);
    for (let n = 1; n <= 10; n += 1) {
      const setting = tags.set({ items: [write('Plant.A.Value', n), write('Db.Log.Entry', `${n}`)] });
      reads.push(look());
      await setting;
    }
    expect(reads).toHaveLength(50);
    const seen = await Promise.all(reads);
    const before = requests - seen.length;
    for (const [first, inPlant, other, last] of seen) {
      expect([inPlant, last]).toEqual([first, first]);
      expect(other).toBeGreaterThan(before);
    }
    // A tag that executes something is read once by each Get.
    expect(requests).toBe(before + reads.length);
  });

  test('with 1,000 items of plant.db is one transaction', async () => {
    const { tags, count } = await plant();
    const items = Array.from({ length: 1_000 }, (_, n) => write('Db.Log.Entry', `${n}`));
    await thrownBy(() => tags.set({ items: [...items, write('Db.Log.Entry', null)] }));
    expect(count()).toEqual({ n: 0 });
    await tags.set({ items });
    expect(count()).toEqual({ n: 1_000 });
  });

  test('that another program blocks is rejected with the reason, and writes nothing', async () => {
    const { tags, file, count } = await plant();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    try {
      const error = await thrownBy(() => tags.set({ items: [write('Plant.A.Value', 1), write('Db.Log.Entry', 'x')] }));
      expect(error.message).toContain('database is locked');
      expect((await one(tags, 'Db.Log.Count')).value).toBe(0);
      expect((await one(tags, 'Plant.A.Value')).value).toBe(0);
    } finally {
      other.close();
    }
    await tags.set({ items: [write('Db.Log.Entry', 'x')] });
    expect(count()).toEqual({ n: 1 });
  });

  test('takes turns with concurrent Sets, and all are stored', async () => {
    const { tags, count } = await plant();
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        tags.set({ items: [write('Db.Log.Entry', `${n}`), write('Plant.A.Value', n), write('Db.Log.Entry', 'too')] }),
      ),
    );
    expect(count()).toEqual({ n: 100 });
  });

  test('is not interrupted by changes of definitions', async () => {
    const { tags, store } = await plant();
    const sets = Array.from({ length: 20 }, (_, n) =>
      tags
        .set({ items: [write('Db.Log.Entry', `${n}`), write('Plant.A.Value', n)] })
        .then(() => 'written')
        .catch((thrown: unknown) => String(thrown)),
    );
    await tags.definitions.delete({ paths: ['Plant.A.Value'] });
    const ends = await Promise.all(sets);
    expect(ends.filter((end) => end !== 'written' && !/tag does not exist|changed in the meantime/.test(end))).toEqual(
      [],
    );
    expect(store.intents.all()).toEqual([]);
  });
});

describe('a dry run', () => {
  test('sees its writes to plant.db, over several calls, and saves nothing', async () => {
    const { tags, count } = await plant();
    const session = tags.session({ dryRun: true });
    const read = async () =>
      (await session.get(['Db.Log.Entry', 'Db.Log.Count'], DEFAULT_SCOPE)).map(({ value }) => value);
    expect(await read()).toEqual([null, 0]);
    await session.set([write('Db.Log.Entry', 'one'), write('Plant.A.Value', 1)], DEFAULT_SCOPE);
    expect(await read()).toEqual(['one', 1]);
    await session.set([write('Db.Log.Entry', 'two')], DEFAULT_SCOPE);
    expect(await read()).toEqual(['two', 2]);
    await thrownBy(() =>
      session.set([write('Db.Log.Entry', 'three'), write('Db.Log.Entry', 'x'.repeat(100))], DEFAULT_SCOPE),
    );
    expect(await read()).toEqual(['two', 2]);
    expect(count()).toEqual({ n: 0 });
    expect((await one(tags, 'Db.Log.Count')).value).toBe(0);
  });

  test('is rejected where a commit would be: deferred foreign keys', async () => {
    const { tags, db, sql } = await plant();
    sql(`CREATE TABLE product (code TEXT PRIMARY KEY);
      CREATE TABLE batch (id INTEGER PRIMARY KEY, product TEXT REFERENCES product (code) DEFERRABLE INITIALLY DEFERRED);
      PRAGMA foreign_keys = OFF; INSERT INTO batch (product) VALUES ('lost before');`);
    await tags.definitions.save(
      dbTag('Db.Batch.Product', 'String', { writeSql: 'INSERT INTO batch (product) VALUES (:value)' }),
    );
    await tags.definitions.save(
      dbTag('Db.Product.Code', 'String', { writeSql: 'INSERT INTO product VALUES (:value)' }),
    );
    const complete = [write('Db.Batch.Product', 'cola'), write('Db.Product.Code', 'cola')];
    const broken = [write('Db.Batch.Product', 'water')];
    for (const dryRun of [true, false]) {
      const session = tags.session({ dryRun });
      const error = await thrownBy(() => session.set(broken, DEFAULT_SCOPE));
      expect(error).toMatchObject({
        code: 'WRITE_REFUSED',
        message: expect.stringContaining('plant.db was not written: FOREIGN KEY constraint failed'),
        data: { failures: [{ tag: 'Db.Batch.Product', index: 0 }] },
      });
      const several = [...complete, write('Db.Batch.Product', 'milk'), write('Db.Batch.Product', 'tea')];
      const places = await thrownBy(() => session.set(several.slice(2), DEFAULT_SCOPE));
      expect(places.message).toMatch(/^Nothing was written: 2 of 2 items rejected: tags\[0\] "Db\.Batch\.Product": /);
      expect(places.data['failures']).toMatchObject([{ index: 0 }, { index: 1 }]);
      await session.set(complete, DEFAULT_SCOPE);
      await session.set([write('Db.Batch.Product', 'cola')], DEFAULT_SCOPE);
    }
    expect(sql('SELECT product FROM batch')).toEqual([
      { product: 'lost before' },
      { product: 'cola' },
      { product: 'cola' },
    ]);
    const tried = await thrownBy(() => db.try({ sql: `INSERT INTO batch (product) VALUES ('no')`, mode: 'write' }));
    expect(tried.message).toContain('a row of "batch" refers to a row of "product" that does not exist');
    expect(sql('SELECT count(*) AS n FROM batch')).toEqual([{ n: 3 }]);
  });

  test('blocks nothing between its calls', async () => {
    const { tags, count } = await plant();
    const session = tags.session({ dryRun: true });
    await session.set([write('Db.Log.Entry', 'dry')], DEFAULT_SCOPE);
    await tags.set({ items: [write('Db.Log.Entry', 'wet')] });
    expect(count()).toEqual({ n: 1 });
    expect((await session.get(['Db.Log.Count'], DEFAULT_SCOPE))[0]?.value).toBe(2);
  });
});

/** The process that writes to plant.db is killed during a commit, and another program immediately locks the file. */
describe.runIf(process.platform === 'linux')('a Set whose process dies during the commit', () => {
  async function broken() {
    let other: DatabaseSync | null = null;
    const made = await plant({
      onCommitStep: (step) => {
        if ((step !== 'intended' && step !== 'deciding') || other !== null) return;
        const [writer] = programsOf(process.pid, made.file, 'writer');
        if (writer === undefined) throw new Error('no process writes to plant.db');
        // Otherwise it could commit and respond before it is killed.
        process.kill(writer, step === 'intended' ? 'SIGSTOP' : 'SIGKILL');
        if (step === 'intended') return;
        other = new DatabaseSync(made.file, { timeout: 30_000 });
        other.exec('BEGIN IMMEDIATE');
      },
    });
    const items = [write('Plant.A.Value', 1), write('Db.Log.Entry', 'one')];
    const ends: string[] = [];
    void made.tags.set({ items }).then(
      () => ends.push('written'),
      (thrown: unknown) => ends.push(String(thrown)),
    );
    await vi.waitFor(() => expect(other).not.toBeNull());
    await delay(BUSY_MS + 1_000);
    // Still undetermined.
    expect(ends).toEqual([]);
    expect(made.intents()).toHaveLength(1);
    return { ...made, ends, release: () => other?.close() };
  }

  test('ends when the file can be read again, and both files agree', async () => {
    const { tags, ends, release, count, intents } = await broken();
    release();
    await vi.waitFor(() => expect(ends).toHaveLength(1));
    const kept = ends[0] === 'written' ? 1 : 0;
    expect((await one(tags, 'Plant.A.Value')).value).toBe(kept);
    expect(count()).toEqual({ n: kept });
    expect(intents()).toEqual([]);
    await tags.set({ items: [write('Db.Log.Entry', 'two')] });
    expect(count()).toEqual({ n: kept + 1 });
  });

  test('is completed by the next start if the instance ends before', async () => {
    const { plant: database, ends, release, count, intents, store, directory, settings, logged } = await broken();
    await database.close();
    await vi.waitFor(() => expect(ends).toHaveLength(1));
    expect(ends[0]).toMatch(/the next start will determine it/);
    expect(intents()).toHaveLength(1);
    release();
    const next = openPlant(directory, settings);
    await finishWriteIntents({ ...store, plant: next, log: (message) => void logged.push(message) });
    await next.close();
    expect(intents()).toEqual([]);
    const [row] = store.database.prepare('SELECT count(*) AS n FROM storage_values').all();
    expect(row).toEqual(count());
    expect(logged).toEqual([]);
  });
});
