import { join } from 'node:path';
import Database from 'better-sqlite3';
import { fc } from '../../support/run/random.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CommitQueue } from '../../../src-main/storage/commit-queue.ts';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { turnsDuring } from '../../support/turns.ts';
import { thrownBy } from '../../support/thrown-by.ts';

function open() {
  const file = join(temporaryFolder(), 'workspace.db');
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  const insert = database.prepare<[string, string]>('INSERT INTO script_groups (name, name_key) VALUES (?, ?)');
  const names = database.prepare<[], string>('SELECT name FROM script_groups ORDER BY id').pluck();
  const add = (name: string) => insert.run(name, name);
  return { file, database, add, names: () => names.all(), commits: new CommitQueue(database, new FakeClock()) };
}

test('jobs of one turn are one commit, acknowledged after it', async () => {
  const { file, add, commits } = open();
  const other = new Database(file, { readonly: true });
  onTestFinished(() => void other.close());
  const seenByOthers = () => other.prepare<[], number>('SELECT count(*) FROM script_groups').pluck().get();
  const seen: unknown[] = [];
  let count = 0;
  commits.onCommit(() => (count += 1));

  const jobs = ['a', 'b', 'c'].map(async (name) => {
    const { changes } = await commits.run(() => {
      seen.push(seenByOthers());
      return add(name);
    });
    seen.push(seenByOthers());
    return changes;
  });
  expect(await Promise.all(jobs)).toEqual([1, 1, 1]);
  expect(seen).toEqual([0, 0, 0, 3, 3, 3]);
  expect(count).toBe(1);
  expect(commits.lastCommitAt).toBe('2026-08-01T10:15:00.000Z');

  await commits.run(() => add('d'));
  expect(count).toBe(2);
});

test('only a transaction of unsynced jobs alone does not wait for the disk', async () => {
  const { database, add, names, commits } = open();
  const NORMAL = 1;
  const FULL = 2;
  const level = () => database.pragma('synchronous', { simple: true });
  const job = (name: string, fails = false) => {
    const found = level();
    add(name);
    if (fails) throw new Error('no');
    return found;
  };
  expect(await commits.runUnsynced(() => job('alone'))).toBe(NORMAL);
  expect(await Promise.all([commits.runUnsynced(() => job('a')), commits.runUnsynced(() => job('b'))])).toEqual([
    NORMAL,
    NORMAL,
  ]);
  expect(await Promise.all([commits.runUnsynced(() => job('c')), commits.run(() => job('d'))])).toEqual([FULL, FULL]);
  await expect(commits.runUnsynced(() => job('undone', true))).rejects.toThrow('no');
  expect(await commits.runUnsynced(() => job('e'))).toBe(NORMAL);
  commits.sync();
  expect(await commits.run(() => job('f'))).toBe(FULL);
  expect([level(), names()]).toEqual([FULL, ['alone', 'a', 'b', 'c', 'd', 'e', 'f']]);
});

test('a job that throws is undone alone and rejects with its exception', async () => {
  const { add, names, commits } = open();
  const fault = new Error('no');
  const results = await Promise.allSettled([
    commits.run(() => add('before')),
    commits.run(() => {
      add('undone');
      throw fault;
    }),
    commits.run(() => add('after')),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: fault });
  expect(names()).toEqual(['before', 'after']);
});

test('hooks of committed jobs run after the COMMIT, those of undone jobs never', async () => {
  const { database, add, names, commits } = open();
  const seen: unknown[] = [];
  const job = (name: string, fails = false) => {
    commits.afterCommit(() => seen.push([name, database.inTransaction, names().length]));
    add(name);
    if (fails) throw new Error('no');
  };
  const results = await Promise.allSettled([
    commits.run(() => job('first')).then(() => seen.push('first continues')),
    commits.run(() => job('undone', true)),
    commits.run(() => job('last')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual([['first', false, 2], ['last', false, 2], 'first continues']);

  await expect(commits.run(() => job('alone', true))).rejects.toThrow('no');
  await commits.runInSteps(function* () {
    job('stepped');
    yield;
  });
  expect(seen.slice(3)).toEqual([['stepped', false, 3]]);
  expect(() => commits.afterCommit(() => {})).toThrow('outside of a job');
});

test('for any interleaving, exactly the acknowledged jobs are stored, in order', async () => {
  const step = fc.record({
    outcome: fc.constantFrom('ok', 'throws before', 'throws after', 'breaks a constraint', 'returns a promise'),
    after: fc.constantFrom('same turn', 'microtask', 'next turn', 'flush'),
    inSteps: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const database = new Database(':memory:');
      database.exec('CREATE TABLE kept (n INTEGER PRIMARY KEY) STRICT');
      const insert = database.prepare<[number]>('INSERT INTO kept (n) VALUES (?)');
      // Every step is a separate turn.
      const commits = new CommitQueue(database, undefined, 0);
      const acknowledged: number[] = [];
      const pending: Promise<void>[] = [];
      for (const [n, { outcome, after, inSteps }] of steps.entries()) {
        const job = (): unknown => {
          if (outcome === 'throws before') throw new Error(outcome);
          insert.run(n);
          if (outcome === 'throws after') throw new Error(outcome);
          if (outcome === 'breaks a constraint') insert.run(n);
          return outcome === 'returns a promise' ? Promise.reject(new Error(outcome)) : n;
        };
        const promise =
          inSteps && outcome !== 'returns a promise'
            ? commits.runInSteps(function* () {
                yield;
                job();
                yield;
              })
            : commits.run(job);
        pending.push(
          promise.then(
            () => void acknowledged.push(n),
            () => expect(outcome).not.toBe('ok'),
          ),
        );
        if (after === 'microtask') await Promise.resolve();
        if (after === 'next turn') await new Promise((resolve) => setImmediate(resolve));
        if (after === 'flush') commits.flush();
      }
      await Promise.all(pending);
      const kept = database.prepare<[], number>('SELECT n FROM kept ORDER BY rowid').pluck().all();
      expect(kept).toEqual(acknowledged);
      expect(kept).toEqual([...steps.keys()].filter((n) => steps[n]?.outcome === 'ok'));
      commits.close();
      database.close();
    }),
    { numRuns: 200 },
  );
});

test('when COMMIT fails, the turn is undone, every job rejects, and the next works', async () => {
  const { database, add, names, commits } = open();
  const results = await Promise.allSettled([
    commits.run(() => add('lost')),
    commits.run(() => {
      database.pragma('defer_foreign_keys = ON');
      database.exec(
        `INSERT INTO scripts (group_id, name, name_key, description, body, version, saved_at) VALUES (99, '', '', '', '', 1, '')`,
      );
    }),
  ]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  await commits.run(() => add('kept'));
  expect(names()).toEqual(['kept']);
});

test('a job without disk space is rejected with STORAGE_FULL, and nothing is stored', async () => {
  const { database, add, names, commits } = open();
  database.pragma(`max_page_count = ${String(database.pragma('page_count', { simple: true }))}`);
  const error = await thrownBy(() => commits.run(() => add('x'.repeat(1_000_000))));
  expect(error.code).toBe('STORAGE_FULL');
  expect(error.message).toMatch(/workspace\.db" is full|disk that holds .* is full; nothing was written/);
  expect(error.message).not.toMatch(/SQLITE|database or disk/);

  database.pragma('max_page_count = 1000000');
  await commits.run(() => add('room again'));
  expect(names()).toEqual(['room again']);
});

test('a program that locks the file is named as the reason; waiting jobs are rejected', async () => {
  const { file, database, add, names, commits } = open();
  database.pragma('busy_timeout = 10');
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const error = await thrownBy(() => commits.run(() => add('a')));
  expect(error.code).toBe('UNAVAILABLE');
  expect(error.message).toContain('Another program is writing');
  other.exec('ROLLBACK');
  await commits.run(() => add('b'));
  expect(names()).toEqual(['b']);
});

test('close commits waiting jobs and accepts no more', async () => {
  const { add, names, commits } = open();
  const waiting = commits.run(() => add('a'));
  commits.close();
  expect(names()).toEqual(['a']);
  await waiting;
  expect((await thrownBy(() => commits.run(() => add('b')))).code).toBe('UNAVAILABLE');
});

test('a job cannot flush; a job that it enqueues runs in a later turn', async () => {
  const { add, names, commits } = open();
  await expect(commits.run(() => commits.flush())).rejects.toThrow('inside a job');
  let later: Promise<unknown> = Promise.resolve();
  await commits.run(() => {
    later = commits.run(() => add('later'));
    add('first');
  });
  await later;
  expect(names()).toEqual(['first', 'later']);
});

test('a job of many steps is one transaction that others neither see nor join', async () => {
  const { file, database, add, names } = open();
  const commits = new CommitQueue(database, new FakeClock(), 0);
  const other = new Database(file, { readonly: true });
  onTestFinished(() => void other.close());
  const seenByOthers = () => other.prepare<[], string>('SELECT name FROM script_groups ORDER BY id').pluck().all();
  const seen: unknown[] = [];
  const large = commits.runInSteps(function* () {
    for (const name of ['a', 'b', 'c']) {
      add(name);
      yield;
      seen.push(seenByOthers());
    }
    return 'done';
  });
  const order: string[] = [];
  const before = commits.run(() => order.push('asked later'));
  void large.then(() => order.push('large'));
  const turns = await turnsDuring(() => large);
  await before;
  expect(await large).toBe('done');
  expect(turns).toBeGreaterThan(2);
  expect(seen).toEqual([[], [], []]);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(order).toEqual(['large', 'asked later']);
});

test('a job of many steps that fails halfway writes nothing, and the next ones run', async () => {
  const { database, add, names } = open();
  const commits = new CommitQueue(database, new FakeClock(), 0);
  const large = commits.runInSteps(function* () {
    add('a');
    yield;
    add('a');
  });
  const after = commits.run(() => add('b'));
  await expect(large).rejects.toThrow('UNIQUE');
  await after;
  expect(names()).toEqual(['b']);
});

test('close ends a job of many steps and commits it', async () => {
  const { database, add, names } = open();
  const commits = new CommitQueue(database, new FakeClock(), 0);
  const large = commits.runInSteps(function* () {
    for (const name of ['a', 'b', 'c']) {
      add(name);
      yield;
    }
  });
  await new Promise((resolve) => setImmediate(resolve));
  commits.close();
  await large;
  expect(names()).toEqual(['a', 'b', 'c']);
  expect((await thrownBy(() => commits.runInSteps(function* () {}))).code).toBe('UNAVAILABLE');
});

test('hooks before the commit follow all jobs, in the transaction', async () => {
  const { database, add, names, commits } = open();
  const steps: string[] = [];
  const job = (name: string) => () => {
    steps.push(name);
    commits.beforeCommit(() => {
      steps.push(`last of ${name}`);
      commits.beforeCommit(() => {
        steps.push(`after all, ${database.inTransaction}`);
        add(`${name} at the end`);
      });
    });
  };
  const results = await Promise.allSettled([
    commits.run(job('a')),
    commits.run(() => {
      job('undone')();
      throw new Error('no');
    }),
    commits.run(job('b')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const end = ['last of a', 'last of b', 'after all, true', 'after all, true'];
  expect(steps).toEqual(['a', 'undone', 'b', ...end]);
  expect(names()).toEqual(['a at the end', 'b at the end']);
  await commits.runInSteps(function* () {
    yield;
    job('c')();
  });
  expect(names()).toContain('c at the end');
  expect(() => commits.beforeCommit(() => {})).toThrow('outside of a job');
});

test('a hook before the commit that throws undoes the transaction', async () => {
  const { add, names, commits } = open();
  const fault = new Error('no');
  const results = await Promise.allSettled([
    commits.run(() => add('a')),
    commits.run(() =>
      commits.beforeCommit(() => {
        throw fault;
      }),
    ),
  ]);
  expect(results).toMatchObject([{ reason: fault }, { reason: fault }]);
  expect(names()).toEqual([]);
  await commits.run(() => add('b'));
  expect(names()).toEqual(['b']);
});

describe('a late job', () => {
  /** The names in the order of their rows, and the number of commits. */
  function late() {
    const opened = open();
    let count = 0;
    opened.commits.onCommit(() => (count += 1));
    const failures: string[] = [];
    const later = (name: string, ms = 60_000) =>
      opened.commits.runLate(
        () => opened.add(name),
        ms,
        (fault) => void failures.push(String(fault)),
      );
    return { ...opened, later, failures, count: () => count };
  }

  test('is done in the transaction of the next job, before it', async () => {
    const { commits, add, names, later, count } = late();
    later('late');
    expect([commits.hasLate, commits.isIdle]).toEqual([true, true]);
    const next = commits.run(() => add('next'));
    expect([commits.hasLate, commits.isIdle]).toEqual([false, false]);
    await next;
    expect([names(), count()]).toEqual([['late', 'next'], 1]);
  });

  test('is done before a job of many steps', async () => {
    const { commits, add, names, later } = late();
    later('late');
    await commits.runInSteps(function* () {
      add('first');
      yield;
      add('second');
    });
    expect(names()).toEqual(['late', 'first', 'second']);
  });

  test('is done alone after its time, by flush and sync, and on close', async () => {
    const { commits, names, later } = late();
    later('by time', 1);
    await vi.waitFor(() => expect(names()).toEqual(['by time']));
    later('by flush');
    commits.flush();
    later('by sync');
    commits.sync();
    later('by close');
    commits.close();
    expect(names()).toEqual(['by time', 'by flush', 'by sync', 'by close']);
    expect(later('too late').take()).toBe(false);
  });

  test('can be taken back until then', async () => {
    const { commits, add, names, later } = late();
    const [taken, done] = [later('taken'), later('done')];
    expect([taken.take(), taken.take()]).toEqual([true, false]);
    await commits.run(() => add('next'));
    expect([done.take(), names()]).toEqual([false, ['done', 'next']]);
  });

  test('that fails is undone alone, and reported', async () => {
    const { commits, add, names, failures } = late();
    commits.runLate(
      () => {
        add('late');
        throw new Error('no');
      },
      60_000,
      (fault) => void failures.push(String(fault)),
    );
    await commits.run(() => add('next'));
    expect([names(), failures]).toEqual([['next'], ['Error: no']]);
  });
});
