import { expect, onTestFinished, test } from 'vitest';
import { ClosingJobs } from '../../../../src-main/events/rules/firing/firing.ts';
import { openStore } from '../../../support/services/open-store.ts';

function open() {
  const store = openStore();
  onTestFinished(() => store.close());
  const { database, commits } = store;
  database.exec('CREATE TABLE rows (text TEXT UNIQUE) STRICT');
  const insert = database.prepare<[string]>('INSERT INTO rows VALUES (?)');
  const rows = () => database.prepare<[], string>('SELECT text FROM rows ORDER BY rowid').pluck().all();
  return { store, jobs: new ClosingJobs(commits), insert, rows };
}

/** A rule that counts its calls. */
function ruleRun() {
  const calls = { kept: 0, failed: 0 };
  return {
    calls,
    run: {
      settling: 0,
      settle: () => [],
      kept: () => void (calls.kept += 1),
      failed: () => void (calls.failed += 1),
    },
  };
}

test('windows that close in one turn are one transaction, stored in order', async () => {
  const { store, jobs, insert, rows } = open();
  let commits = 0;
  store.commits.onCommit(() => (commits += 1));
  const { run, calls } = ruleRun();
  const results = ['a', 'b', 'c'].map((text) => jobs.run(run, null, () => insert.run(text).changes));
  expect(run.settling).toBe(3);
  expect(await Promise.all(results)).toEqual([1, 1, 1]);
  expect({ commits, ...calls, settling: run.settling }).toEqual({ commits: 1, kept: 3, failed: 0, settling: 0 });
  expect(rows()).toEqual(['a', 'b', 'c']);
});

test('a failing one fails alone, and is undone; the others are stored', async () => {
  const { jobs, insert, rows } = open();
  const [good, bad] = [ruleRun(), ruleRun()];
  const results = await Promise.allSettled([
    jobs.run(good.run, null, () => insert.run('a').changes),
    jobs.run(bad.run, null, () => {
      insert.run('half');
      throw new Error('no');
    }),
    jobs.run(good.run, null, () => insert.run('b').changes),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { message: 'no' } });
  expect(rows()).toEqual(['a', 'b']);
  expect(good.calls.kept).toBe(2);
  expect(bad.calls).toEqual({ kept: 0, failed: 2 });
  expect([good.run.settling, bad.run.settling]).toEqual([0, 0]);
});

test('a single one that fails stores nothing, and the next ones are accepted', async () => {
  const { jobs, insert, rows } = open();
  const { run, calls } = ruleRun();
  await expect(
    jobs.run(run, null, () => {
      insert.run('half');
      insert.run('half');
    }),
  ).rejects.toThrow(/UNIQUE/);
  expect({ rows: rows(), ...calls, settling: run.settling }).toEqual({ rows: [], kept: 0, failed: 1, settling: 0 });
  await jobs.run(run, null, () => insert.run('after'));
  expect(rows()).toEqual(['after']);
});

test('after the queue is closed, all are rejected, and none waits', async () => {
  const { store, jobs, insert } = open();
  const { run } = ruleRun();
  store.commits.close();
  const results = await Promise.allSettled(['a', 'b'].map((text) => jobs.run(run, null, () => insert.run(text))));
  expect(results).toMatchObject([{ reason: { code: 'UNAVAILABLE' } }, { reason: { code: 'UNAVAILABLE' } }]);
  expect(run.settling).toBe(0);
});
