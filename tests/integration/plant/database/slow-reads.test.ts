import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { thrownBy } from '../../../support/thrown-by.ts';
import { sampled } from '../../../support/run/scale.ts';
import {
  dbTag,
  ENDLESS,
  HOURS,
  legalSelect,
  one,
  plantWorkspace,
  runOf,
  write,
  type PlantWorkspace,
} from './plant-workspace.ts';

async function endlessTags({ tags }: Pick<PlantWorkspace, 'tags'>, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, number) => `Db.Slow${number}.Value`);
  for (const [number, path] of paths.entries()) {
    await tags.definitions.save(dbTag(path, 'Int', { readSql: `${ENDLESS} WHERE x > -${number}` }));
  }
  await tags.definitions.save(dbTag('Db.Quick.Value', 'Int', { readSql: 'SELECT 7' }));
  return paths;
}

/** A workspace whose statements may run for hours, with endless tags. */
async function endless(count: number) {
  const workspace = await plantWorkspace();
  workspace.settings['db.statementMs'] = HOURS;
  return { ...workspace, paths: await endlessTags(workspace, count), end: new AbortController() };
}

describe('a Get of many slow DB tags', () => {
  test('does not read tags that cannot start in time, and says why', async () => {
    const { plant, settings } = await plantWorkspace();
    // Its process has started.
    await plant.read([{ sql: 'SELECT 1' }]);
    settings['db.statementMs'] = 500;
    const statements = Array.from({ length: 2_000 }, (_, number) => ({
      sql: legalSelect(number),
    }));
    const results = await plant.read(statements);
    expect(results[0]).toMatchObject({ rows: [[100_000]] });
    expect(results.at(-1)).toEqual({
      error: {
        fault: 'time',
        message: 'it was not run: the DB tags of one read take at most 3,000 ms in total (6 × setting db.statementMs)',
      },
    });
    const firstUnread = results.findIndex((result) => 'error' in result);
    expect(results.slice(firstUnread).every((result) => 'error' in result)).toBe(true);
  });

  test('ends with its run', async () => {
    const { tags, paths, end } = await endless(3);
    const values = runOf({ tags }, end).get(paths, DEFAULT_SCOPE);
    await delay(300);
    end.abort();
    for (const value of await values) {
      expect(value).toMatchObject({
        quality: 'BadNotConnected',
        reason: 'the run or client that requested it has ended',
      });
    }
    expect(await one(tags, 'Db.Quick.Value')).toMatchObject({ value: 7 });
  });

  test('ends with the client that requested it', async () => {
    const { tags, paths, end } = await endless(2);
    const values = tags.get({ paths }, end.signal);
    const watch = tags.watch({ paths }, end.signal);
    const watched = watch.next();
    await delay(300);
    end.abort();
    expect(await values).toMatchObject([{ quality: 'BadNotConnected' }, { quality: 'BadNotConnected' }]);
    await watched;
    await watch.return();
  });

  test.each([false, true])('after a Set (dry run: %s) ends with its run', async (dryRun) => {
    const workspace = await plantWorkspace('CREATE TABLE t (v)');
    const { tags, settings, sql } = workspace;
    const [slow = ''] = await endlessTags(workspace, 1);
    await tags.definitions.save(dbTag('Db.T.Value', 'Int', { writeSql: 'INSERT INTO t VALUES (:value)' }));
    const end = new AbortController();
    const session = runOf(workspace, end, { dryRun });
    await session.set([write('Db.T.Value', 1)], DEFAULT_SCOPE);
    settings['db.statementMs'] = HOURS;
    const values = session.get([slow], DEFAULT_SCOPE);
    await delay(300);
    end.abort();
    expect(await values).toMatchObject([{ quality: 'BadNotConnected' }]);
    await tags.set({ items: [write('Db.T.Value', 2)] });
    expect(sql('SELECT v FROM t ORDER BY v')).toEqual(dryRun ? [{ v: 2 }] : [{ v: 1 }, { v: 2 }]);
  });

  test('leaves readers for other runs, however many Gets its run makes', async () => {
    const { tags, paths, end } = await endless(8);
    const session = runOf({ tags }, end);
    const slow = paths.map((path) => session.get([path], DEFAULT_SCOPE));
    await delay(500);
    expect(await one(tags, 'Db.Quick.Value')).toMatchObject({ value: 7 });
    end.abort();
    for (const values of slow) expect(await values).toMatchObject([{ quality: 'BadNotConnected' }]);
  });

  test('waits for a reader no longer than its time limit', async () => {
    const workspace = await plantWorkspace();
    const { settings, plant } = workspace;
    settings['db.statementMs'] = HOURS;
    const end = new AbortController();
    const busy = Array.from({ length: 4 }, () => plant.read([{ sql: ENDLESS }], { signal: end.signal }));
    await delay(500);
    settings['db.statementMs'] = 50;
    const [result] = await plant.read([{ sql: 'SELECT 1' }]);
    expect(result).toMatchObject({ error: { fault: 'time', message: expect.stringContaining('300 ms in total') } });
    end.abort();
    await Promise.all(busy);
  });
});

test('many statements that fail with long messages keep shortened reasons', async () => {
  const { plant, logged } = await plantWorkspace();
  const sql = (number: number) => `SELECT ${'x'.repeat(9_000)}${number}`;
  const results = await plant.read(Array.from({ length: 2_000 }, (_, number) => ({ sql: sql(number) })));
  const messages = results.map((result) => ('error' in result ? result.error.message : ''));
  expect(messages[0]).toHaveLength('no such column: '.length + 9_001);
  expect(messages.every((message) => message.startsWith('no such column: xxx'))).toBe(true);
  expect(messages.join('').length).toBeLessThan(2_000_000);
  expect(plant.violations).toBe(0);
  expect(logged).toEqual([]);
});

describe('a statement that uses too much memory', () => {
  /** The memory of one statement is kept until it ends: 50 of 64 MB. */
  const LARGE = `SELECT ${Array.from({ length: 50 }, () => 'length(zeroblob(64000000) || zeroblob(1))').join(' + ')}`;
  const TOO_MUCH = /^the process that runs the SQL used more than 1,024 MB of memory and was ended/;

  const inAGet = async () => {
    const { tags, settings } = await plantWorkspace();
    settings['db.statementMs'] = 60_000;
    await tags.definitions.save(dbTag('Db.Large.Value', 'Int', { readSql: LARGE }));
    await tags.definitions.save(dbTag('Db.Quick.Value', 'Int', { readSql: 'SELECT 7' }));
    const [large, quick] = await tags.get({ paths: ['Db.Large.Value', 'Db.Quick.Value'] });
    expect(large).toMatchObject({ quality: 'BadOutOfMemory', reason: expect.stringMatching(TOO_MUCH) });
    expect(quick).toMatchObject({ value: 7 });
  };

  const inASet = async () => {
    const { tags, settings, sql } = await plantWorkspace('CREATE TABLE t (v)');
    settings['db.statementMs'] = 60_000;
    await tags.definitions.save(dbTag('Db.T.Value', 'Int', { writeSql: 'INSERT INTO t VALUES (:value)' }));
    await tags.definitions.save(dbTag('Db.Large.Value', 'Int', { writeSql: `INSERT INTO t ${LARGE} + :value` }));
    const error = await thrownBy(() => tags.set({ items: [write('Db.T.Value', 1), write('Db.Large.Value', 1)] }));
    expect(error.message).toContain('used more than 1,024 MB of memory');
    await tags.set({ items: [write('Db.T.Value', 2)] });
    expect(sql('SELECT v FROM t')).toEqual([{ v: 2 }]);
  };

  const effects: [string, () => Promise<void>][] = [
    ['ends with its process, and the other tags of its Get are read', inAGet],
    ['undoes its Set', inASet],
  ];
  // Filling the memory takes seconds of processor time.
  // oxlint-disable-next-line vitest/expect-expect -- each check has its own
  test.each(sampled(effects, 1))('%s', (_, check) => check(), 60_000);
});
