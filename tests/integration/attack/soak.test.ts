import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commandOf, descendantsOf } from '../../support/product/processes.ts';
import { builtProduct } from '../../support/product/product.ts';
import { randomFrom, SEED } from '../../support/run/random.ts';
import { scaled } from '../../support/run/scale.ts';
import { CORPUS } from './corpus/index.ts';
import type { ServedInstance } from '../../support/product/served-instance.ts';
import { startInstance } from '../../support/product/served-instance.ts';
import { Poller } from './poller.ts';

/**
 * Mixed load on a live instance: scripts, including hostile ones, rules that fire, external tools that list, disable
 * and delete, and script hosts killed with SIGKILL at random times. Afterwards everything must be accounted for.
 * `SOAK_MINUTES` sets the duration.
 */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? scaled(0.1, 1.5));
const TAG = 'Bottling.Settings.Display.Title.Value';
const STATUSES = new Set(['ok', 'error', 'timeout', 'memory', 'crashed', 'cancelled']);

beforeAll(builtProduct, 180_000);

test('under mixed load nothing is lost and every run ends', { timeout: MINUTES * 60_000 + 600_000 }, async () => {
  const counts: Record<string, number> = {};
  const faults: string[] = [];
  const count = (what: string, by = 1) => (counts[what] = (counts[what] ?? 0) + by);
  const fault = (what: string) => {
    count('faults');
    if (faults.length < 50) faults.push(what);
  };
  const instance = await startInstance({ ui: true });
  const { eventsApi } = instance;
  const client = await instance.client();
  await client.settings.update({
    'limits.scriptMs': 300,
    'limits.memoryMb': 64,
    'limits.totalMs': 20_000,
    'limits.resultMb': 1,
    'api.mode': 'offline',
  });
  const [rule] = await client.rules.list();
  const poller = new Poller(eventsApi);
  const until = performance.now() + MINUTES * 60_000;
  const over = () => performance.now() >= until;
  const draw = randomFrom(SEED);
  const random = (below: number) => Math.floor(draw() * below);
  const memory: number[] = [];
  /** Events that a tool has deleted. */
  const deleted = new Set<number>();

  await Promise.all([goodRuns(), goodRuns(), attacks(), firings(), tools(), kills(), watchMemory()]);
  await poller.stop();
  for (const problem of poller.problems) fault(`events API: ${problem}`);
  await accountFor(instance);
  const { code, err } = await instance.close();
  if (code !== 0) fault(`the instance ended with ${code}: ${err.slice(0, 500)}`);
  printCounts();
  expect(faults).toEqual([]);

  /** Ordinary scripts. Their results must be correct whatever else happens, unless their host was killed. */
  async function goodRuns(): Promise<void> {
    for (let round = 0; !over(); round += 1) {
      const report = await instance.run(
        `const before = TagValueManager.Get(['${TAG}']).Value.length;
      TagValueManager.Set([{ tag: '${TAG}', value: 'round ${round}' }]);
      let sum = 0; for (let i = 0; i < 20000; i++) sum += i;
      return [before, sum];`,
      );
      count(`runs that ended ${report.status}`);
      if (report.status === 'ok' && JSON.stringify(report.result) !== '[1,199990000]') {
        fault(`a run returned ${JSON.stringify(report.result)}`);
      }
      // Its host may have been killed; and on a busy machine, 300 ms may not be enough.
      if (!['ok', 'crashed', 'timeout'].includes(report.status))
        fault(`a good run ended ${report.status}: ${report.error?.message}`);
      await wait(5);
    }
  }

  async function attacks(): Promise<void> {
    const corpus = Object.values(CORPUS).flat();
    while (!over()) {
      const attack = corpus[random(corpus.length)];
      if (!attack) continue;
      const { status } = await instance.run(attack.body);
      count(`attacks that ended ${status}`);
      if (!STATUSES.has(status)) fault(`"${attack.name}" ended ${status}`);
    }
  }

  async function firings(): Promise<void> {
    if (!rule) return;
    while (!over()) {
      try {
        const { fired } = await client.rules.fire({ id: rule.id, times: 1 + random(20) });
        count('rows and events of rules', fired);
      } catch (thrown) {
        fault(`firing: ${String(thrown)}`);
      }
      await wait(50);
    }
  }

  /** Lists a page of events, disables some and deletes others, as an external tool does. */
  async function tools(): Promise<void> {
    while (!over()) {
      const response = await fetch(`${eventsApi}/api/events?limit=20`);
      const page: { AggregationEventId: number }[] = JSON.parse(await response.text());
      for (const event of page) {
        const url = `${eventsApi}/api/events/${event.AggregationEventId}`;
        const gone = random(2) === 0;
        const body = JSON.stringify({ ...event, Active: false });
        const done = gone
          ? await fetch(url, { method: 'DELETE' })
          : await fetch(url, { method: 'PUT', body, headers: { 'Content-Type': 'application/json' } });
        if (!done.ok && done.status !== 404) fault(`${gone ? 'DELETE' : 'PUT'} answered ${done.status}`);
        if (gone && done.ok) deleted.add(event.AggregationEventId);
        count(gone ? 'events deleted' : 'events disabled');
      }
      await wait(20);
    }
  }

  /**
   * Kills a script host with SIGKILL about every second, but not before a run has ended since the last one: on a busy
   * machine, it could kill each host while it starts, and main would report that no host can be started.
   */
  async function kills(): Promise<void> {
    const done = () => counts['runs that ended ok'] ?? 0;
    for (let before = -1; !over();) {
      await wait(300 + random(1_500));
      if (done() === before) continue;
      before = done();
      const hosts = descendantsOf(instance.pid).filter((pid) => commandOf(pid).includes('--permission'));
      const victim = hosts[random(hosts.length)];
      if (victim === undefined) continue;
      try {
        process.kill(victim, 'SIGKILL');
        count('hosts killed');
      } catch {
        // It had already ended.
      }
    }
  }

  async function watchMemory(): Promise<void> {
    while (!over()) {
      memory.push(instance.memoryMb());
      await wait(1_000);
    }
  }

  /**
   * Every event has its row, every row has its event unless a tool deleted it, nothing is duplicated, and the file is
   * intact.
   */
  async function accountFor({ workspace }: ServedInstance): Promise<void> {
    const database = new Database(join(workspace, 'workspace.db'), { readonly: true });
    try {
      const integrity = String(database.pragma('integrity_check', { simple: true }));
      if (integrity !== 'ok') fault(integrity);
      const one = (sql: string, ...args: string[]) =>
        database
          .prepare<string[], number>(sql)
          .pluck()
          .get(...args) ?? 0;
      const rules = await client.rules.list();
      // Read in one transaction, because rules continue.
      database.exec('BEGIN');
      for (const { name, resultTable, triggersEvents } of rules) {
        const orphans = one(
          `SELECT count(*) FROM events WHERE result_table_name = ? AND result_table_record_id NOT IN (SELECT id FROM "${resultTable}")`,
          resultTable,
        );
        if (orphans > 0) fault(`${name}: ${orphans} events without their row`);
        const rows = one(`SELECT count(*) FROM "${resultTable}"`);
        const events = one('SELECT count(*) FROM events WHERE result_table_name = ?', resultTable);
        count('rows at the end', rows);
        if (triggersEvents && rows !== events + deleted.size) {
          fault(`${name}: ${rows} rows, ${events} events and ${deleted.size} that tools deleted`);
        }
        if (!triggersEvents && events > 0) fault(`${name}: ${events} events of a rule that triggers none`);
        const doubled = one(
          'SELECT count(*) - count(DISTINCT result_table_record_id) FROM events WHERE result_table_name = ?',
          resultTable,
        );
        if (doubled > 0) fault(`${name}: ${doubled} rows with more than one event`);
      }
    } finally {
      database.close();
    }
  }

  function printCounts(): void {
    const half = Math.floor(memory.length / 2);
    const mean = (some: readonly number[]) =>
      Math.round(some.reduce((sum, one) => sum + one, 0) / Math.max(1, some.length));
    const lines = Object.entries(counts)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, many]) => `${what.padEnd(40)} ${many.toLocaleString('en')}`);
    console.info(
      [
        `Soak of ${MINUTES} minutes on ${process.platform} ${process.arch}, Node ${process.version}, seed ${SEED}`,
        ...lines,
        `requests of the poller answered          ${poller.answered.toLocaleString('en')}, slowest ${Math.round(poller.slowestMs)} ms`,
        `memory of main, first and second half    ${mean(memory.slice(0, half))} MB, ${mean(memory.slice(half))} MB`,
      ].join('\n'),
    );
  }
});
