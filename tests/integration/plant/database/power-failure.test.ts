import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import { finishWriteIntents } from '../../../../src-main/storage/plant/recovery.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { programsOf } from '../../../support/product/processes.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { startChild } from '../../storage/child.ts';
import { sampled, scaled } from '../../../support/run/scale.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { dbTag, openPlant, plainTag, plantWorkspace, runSql } from './plant-workspace.ts';

/*
 * * Sets over workspace.db and plant.db, killed in the middle. Afterwards both files must contain the same Sets,
 * including every acknowledged one.
 */

const CAUSES_CHILD = import.meta.resolve('./children/acknowledged-causes.ts');
const CHILD = import.meta.resolve('./children/keep-setting.ts');
const SETTINGS = { 'db.statementMs': 5_000, 'db.maxRows': 10_000 };

/** Opens the workspace as the product does at its start, and returns the last number in each part. */
async function look(directory: string) {
  const store = openWorkspaceStore(directory);
  const plant = openPlant(directory, SETTINGS);
  const logged: string[] = [];
  try {
    const open = store.intents.all().length;
    await finishWriteIntents({ ...store, plant, log: (message) => void logged.push(message) });
    const { tags } = tagsOver(store, { plant, log: (where) => void logged.push(where) });
    const [kept, read] = await tags.get({ paths: ['Plant.Count.Value', 'Db.Count.Value'] });
    if (read?.quality !== 'Good') logged.push(`plant.db reads ${read?.quality}: ${read?.reason}`);
    const rows = runSql(join(directory, 'plant.db'), 'SELECT n FROM counts ORDER BY n').map((row) =>
      Number(Object.values(row as object)[0]),
    );
    tags.close();
    return {
      open,
      storage: kept?.value ?? 0,
      plant: rows.at(-1) ?? 0,
      gaps: rows.some((n, at) => n !== at + 1),
      erp: store.outbox.count(),
      left: store.intents.all().length,
      logged,
    };
  } finally {
    await plant.close();
    store.close();
  }
}

async function prepared(mode: 'WAL' | 'DELETE' | 'PERSIST'): Promise<string> {
  const directory = join(temporaryFolder(), 'workspace');
  const store = openWorkspaceStore(directory);
  runSql(join(directory, 'plant.db'), `PRAGMA journal_mode = ${mode}`);
  runSql(join(directory, 'plant.db'), 'CREATE TABLE counts (n INTEGER PRIMARY KEY)');
  const plant = openPlant(directory, SETTINGS);
  const { tags } = tagsOver(store, { plant });
  await tags.definitions.save(plainTag('Plant.Count.Value', 'storage', 'Int'));
  await tags.definitions.save(plainTag('Erp.Count.Record', 'erp', 'Json'));
  await tags.definitions.save(
    dbTag('Db.Count.Value', 'Int', {
      readSql: 'SELECT count(*) FROM counts',
      writeSql: 'INSERT INTO counts VALUES (:value)',
    }),
  );
  tags.close();
  await plant.close();
  store.close();
  return directory;
}

const MODES = ['WAL', 'DELETE', 'PERSIST'] as const;
const STEPS = [
  ['intended', 0, 1],
  ['decided', 1, 1],
  ['finished', 1, 0],
] as const;

test.each(
  sampled(
    MODES.flatMap((mode) => STEPS.map((step) => [mode, ...step] as const)),
    2,
  ),
)('journal mode %s, killed when the Set is %s: all of it or nothing is stored', async (mode, step, kept, open) => {
  const directory = await prepared(mode);
  let from = 1;
  for (const last of [1, 4, 5]) {
    const child = startChild(CHILD, [directory, `${from}`, `${last}`, step]);
    const acknowledged = (await child.ended()).map(Number);
    const there = last - 1 + kept;
    expect(
      acknowledged.every((n) => n <= there),
      child.stderr(),
    ).toBe(true);
    const found = await look(directory);
    expect(found).toEqual({ open, storage: there, plant: there, gaps: false, erp: there, left: 0, logged: [] });
    from = there + 1;
    // The next round continues from the stored number.
    if (there < last) {
      await startChild(CHILD, [directory, `${from}`, `${last}`, '-']).ended();
      from = last + 1;
    }
  }
});

test.each(MODES)('journal mode %s, killed in a commit or at any moment: all of a Set or nothing', async (mode) => {
  const directory = await prepared(mode);
  let there = 0;
  for (let round = 0; round < scaled(2, 10); round += 1) {
    const deciding = round % 2 === 0;
    const last = deciding ? there + 2 : there + 10_000;
    const child = startChild(CHILD, [directory, `${there + 1}`, `${last}`, deciding ? 'deciding' : '-']);
    if (!deciding) {
      await child.line();
      setTimeout(() => child.process.kill('SIGKILL'), round * 3);
    }
    const acknowledged = (await child.ended()).map(Number);
    const found = await look(directory);
    there = found.plant;
    expect(found).toMatchObject({ storage: there, erp: there, gaps: false, left: 0, logged: [] });
    expect(there).toBeGreaterThanOrEqual(acknowledged.at(-1) ?? 0);
  }
});

test('if the writer of plant.db dies during a commit, the Set reports its outcome', async () => {
  let kill = false;
  const { tags, sql, store } = await plantWorkspace('CREATE TABLE counts (n INTEGER PRIMARY KEY)', {
    onCommitStep: (step) => {
      if (kill && step === 'deciding')
        for (const pid of programsOf(process.pid, 'storage/plant', 'writer')) process.kill(pid, 'SIGKILL');
    },
  });
  await tags.definitions.save(plainTag('Plant.N.Value', 'storage', 'Int'));
  await tags.definitions.save(dbTag('Db.N.Value', 'Int', { writeSql: 'INSERT INTO counts VALUES (:value)' }));
  for (let n = 1; n <= 12; n += 1) {
    kill = n % 2 === 0;
    const items = ['Plant.N.Value', 'Db.N.Value'].map((tag) => ({ tag, value: n }));
    const written = await tags.set({ items }).then(
      () => true,
      (thrown: unknown) => {
        // The process may also receive the signal in the middle of the next Set.
        expect(String(thrown)).toMatch(/plant\.db was not written|plant\.db: the process that runs the SQL ended/);
        return false;
      },
    );
    const [value] = await tags.get({ paths: ['Plant.N.Value'] });
    expect(value?.value === n).toBe(written);
    expect(sql(`SELECT n FROM counts WHERE n = ${n}`)).toHaveLength(written ? 1 : 0);
    expect(store.intents.all()).toEqual([]);
  }
});

test.each(
  MODES.flatMap((mode): [string, (typeof MODES)[number], string[] | null, (number | null)[]][] => [
    ['kept, by a crash', mode, null, [3, 2, 1]],
    ['undone back to the first intent, by a power cut', mode, ['1', 'intended'], [null, 1]],
    ['undone back to the second Set, by a power cut', mode, ['2', 'decided'], [null, 2, 1]],
    ['undone back to the last Set, by a power cut', mode, ['3', 'decided'], [3, 2, 1]],
  ]),
)('what did not wait for the disk is %s (%s): every Set has its cause', async (_how, mode, undone, causes) => {
  const directory = await prepared(mode);
  const copies = temporaryFolder();
  const child = startChild(CAUSES_CHILD, [directory, copies, '3', ...(undone ?? [])]);
  await child.ended();
  if (undone) {
    rmSync(join(directory, 'workspace.db-shm'));
    for (const name of ['workspace.db', 'workspace.db-wal']) copyFileSync(join(copies, name), join(directory, name));
  }
  const found = await look(directory);
  expect(found, child.stderr()).toMatchObject({ open: 1, plant: 3, gaps: false, left: 0, logged: [] });
  const store = openWorkspaceStore(directory);
  const entries = [...new JournalReader(store.database).newest()].filter((entry) => entry.kind === 'write');
  expect(entries.flatMap(({ writes }) => writes.map(({ after }) => after))).toEqual(causes);
  expect(entries.map(({ isAgain = false }) => isAgain)).toEqual(causes.map((value) => value === null));
  store.close();
});

test.each(MODES)('journal mode %s, killed at any moment: every DB value has its cause, once', async (mode) => {
  const directory = await prepared(mode);
  for (let round = 0; round < scaled(2, 10); round += 1) {
    const before = (await look(directory)).plant;
    const child = startChild(CAUSES_CHILD, [directory, '', '1000000', '0', '', `${before + 1}`]);
    await child.line();
    setTimeout(() => child.process.kill('SIGKILL'), 20 + round * 7);
    await child.ended();
    const { plant, logged } = await look(directory);
    const store = openWorkspaceStore(directory);
    const entries = [...new JournalReader(store.database).newest()]
      .filter((entry) => entry.kind === 'write')
      .toReversed();
    store.close();
    const values = entries.flatMap(({ isAgain, writes }) => (isAgain ? [] : writes.map(({ after }) => Number(after))));
    // Killed between the commit of plant.db and the update of its intent, the last Set has a cause without a value.
    const known = values.at(-1) ?? 0;
    expect([plant - known, entries.at(-1)?.isAgain === true, logged]).toEqual([plant - known, known < plant, []]);
    expect(plant - known).toBeLessThanOrEqual(1);
    expect(new Set(values).size).toBe(values.length);
    expect(plant).toBeGreaterThan(before);
  }
});

describe('a replaced plant.db whose predecessor left its log after a crash', () => {
  /** Five rows that only the log contains, and the files of plant.db. */
  async function crashed() {
    const directory = await prepared('WAL');
    await startChild(CHILD, [directory, '1', '5', '-']).ended();
    const file = join(directory, 'plant.db');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    expect(existsSync(`${file}-log.json`)).toBe(true);
    return { directory, file, mine: join(directory, 'mine.db') };
  }
  const row = (n: number) => `CREATE TABLE counts (n INTEGER PRIMARY KEY); INSERT INTO counts VALUES (${n})`;
  const counts = (file: string) => runSql(file, 'SELECT n FROM counts');

  test('is complete after the instance closes, without a log', async () => {
    const { directory, file } = await crashed();
    expect(await look(directory)).toMatchObject({ plant: 5, storage: 5, gaps: false });
    expect(['-wal', '-log.json'].filter((suffix) => existsSync(file + suffix))).toEqual([]);
  });

  test.each(['WAL', 'DELETE'])('is read and stays unchanged, with journal mode %s', async (mode) => {
    const { directory, file, mine } = await crashed();
    runSql(mine, `PRAGMA journal_mode = ${mode}`);
    runSql(mine, row(77));
    renameSync(mine, file);
    expect(await look(directory)).toMatchObject({ plant: 77, storage: 5 });
    expect(counts(file)).toEqual([{ n: 77 }]);
    expect(runSql(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  test('keeps its own log', async () => {
    const { directory, file, mine } = await crashed();
    const open = new DatabaseSync(mine);
    open.exec(`PRAGMA journal_mode = WAL; ${row(78)}`);
    for (const suffix of ['', '-wal']) copyFileSync(mine + suffix, `${file}.new${suffix}`);
    open.close();
    rmSync(`${file}-shm`);
    for (const suffix of ['-wal', '']) renameSync(`${file}.new${suffix}`, file + suffix);
    expect(await look(directory)).toMatchObject({ plant: 78, storage: 5 });
    expect(counts(file)).toEqual([{ n: 78 }]);
  });
});
