import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Cause } from '#domain/run/journal';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { RuleText } from '#domain/rule/rule';
import { startHostServer } from '../../../src-main/host/host-server.ts';
import { connectInstance, type InstanceClient } from '../../../src-main/host/instance-client.ts';
import { hostRuntime } from '../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../src-main/platform/files/programs.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import { openWorkbench } from '../../../src-main/workbench.ts';
import { RuleService } from '../../../src-main/events/rules/rule-service.ts';
import { EventStore } from '../../../src-main/events/store/event-store.ts';
import { RunJournal } from '../../../src-main/scripting/journal/run-journal.ts';
import { WhyReader } from '../../../src-main/scripting/journal/why.ts';
import { storageKind } from '../../../src-main/plant/tags/kinds/storage.ts';
import { TagService } from '../../../src-main/plant/tags/tag-service.ts';
import { PlantDatabase } from '../../../src-main/storage/plant/plant-database.ts';
import { JournalReader } from '../../../src-main/storage/journal/journal-reader.ts';
import { JournalWindows } from '../../../src-main/storage/journal/journal-windows.ts';
import type { WorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import type { Bench } from '../bench.ts';
import { compare, median, timesOf, type Side } from '../compare.ts';
import { againstUnrecorded, costOfStoring, GETS, ofWatches } from './recorded-runs.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const TAGS = 1_000;
const RULES = 100;
const pathOf = (n: number): string => `Plant.Area${n % 20}.Machine${n}.Value`;
const QUIET = createLog({ level: 'error' });
const log = (where: string, fault: unknown): void => console.error(where, fault);

async function inStore<T>(work: (store: WorkspaceStore, tags: TagService) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const store = openWorkspaceStore(folder);
  const tags = new TagService({ ...store, log, kinds: [storageKind(store)] });
  try {
    const definition = { kind: 'storage', type: 'Double', description: '', unit: '', settings: {} } as const;
    for (let n = 0; n < TAGS; n += 1) await tags.definitions.save({ ...definition, path: pathOf(n) });
    return await work(store, tags);
  } finally {
    tags.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const PLANT_SQL = {
  setUp: 'CREATE TABLE stored (id INTEGER PRIMARY KEY, value REAL); INSERT INTO stored VALUES (1, 0);',
  readSql: 'SELECT value FROM stored WHERE id = 1',
  writeSql: 'UPDATE stored SET value = :value WHERE id = 1',
};

/** The first tag is one whose value is in plant.db. */
async function inPlant<T>(work: (store: WorkspaceStore, tags: TagService) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const store = openWorkspaceStore(folder);
  const plant = new PlantDatabase({
    directory: folder,
    nodeBinary: hostRuntime(ROOT).node,
    hostFile: programFile('plant-host', ROOT),
    settings: { get: () => DEFAULT_SETTINGS },
  });
  const tags = new TagService({ ...store, plant, log });
  const { setUp, ...settings } = PLANT_SQL;
  try {
    await plant.setUp(setUp);
    const definition = { kind: 'db', type: 'Double', description: '', unit: '', settings } as const;
    await tags.definitions.save({ ...definition, path: pathOf(0) });
    return await work(store, tags);
  } finally {
    tags.close();
    await plant.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The rate of `work` with the journal, against the same without it, in turns. `work` resolves with how much it did; the
 * CPU time is that of this process.
 */
async function withAndWithout(enable: (on: boolean) => unknown, work: () => Promise<number>) {
  const cpuTimes = { with: [0], without: [0] };
  const side =
    (on: boolean): Side =>
    async (ms) => {
      await enable(on);
      const start = performance.now();
      const cpu = process.cpuUsage();
      let done = 0;
      while (performance.now() - start < ms) done += await work();
      const { user, system } = process.cpuUsage(cpu);
      cpuTimes[on ? 'with' : 'without'].push((user + system) / done);
      return (done * 1_000) / (performance.now() - start);
    };
  const { ratio, ours, peer } = await compare(side(true), side(false), { rounds: 15, ms: 300 });
  const micros = (rate: number): string => (1_000_000 / rate).toFixed(1);
  const [cpu, cpuWithout] = [cpuTimes.with, cpuTimes.without].map((all) => median(all.slice(1)));
  return {
    figure: ratio,
    detail: `${micros(ours)} µs each, without the journal ${micros(peer)} µs; CPU time ${cpu?.toFixed(1)} and ${cpuWithout?.toFixed(1)} µs`,
  };
}

const inStoreOnly = (store: WorkspaceStore) => (on: boolean) => {
  store.journal.enabled = on;
};

/** A tag that a nested script wrote, and then a million other writes, each in an entry of its own. */
async function fillJournal({ journal, commits }: WorkspaceStore): Promise<void> {
  const scope = { diagram: 'Overview', location: '' };
  const begin = (cause: Cause) =>
    journal.begin({
      script: { name: 'Line/Fill', version: 3 },
      tag: pathOf(0),
      ...scope,
      access: 'write',
      cause,
    });
  const inner = begin({ by: 'run', run: begin({ by: 'person' }), line: 3 });
  const write = (id: number, value: number, cause: Cause) =>
    journal.wrote([{ tag: { id }, write: { before: value - 1, written: { value } }, scope, cause }]);
  await commits.run(() => write(1, 1, { by: 'run', run: inner, line: 7 }));
  const others = Array.from({ length: 100 }, (): Cause => ({ by: 'person' }));
  for (let n = 0; n < 10_000; n += 1) {
    await commits.run(() => {
      for (const [place, cause] of others.entries()) write(2 + ((n + place * 7) % (TAGS - 1)), n, cause);
    });
  }
}

/** Opens and closes the workbench of a folder. */
async function opened(directory: string): Promise<void> {
  const workbench = await openWorkbench({
    directory,
    root: ROOT,
    createSample: false,
    oneShot: true,
    runsScripts: false,
    log: QUIET,
  });
  await workbench.close();
}

/** The times of each kind of work, in ms, in turns. */
async function inTurns(works: readonly (() => Promise<void>)[]): Promise<number[][]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < 21; round += 1) {
    for (const [place, work] of works.entries()) times[place]?.push(...(await timesOf(work, 1)));
  }
  return times.map((all) => all.slice(1));
}

/** A client of a workbench that is served over a WebSocket, as for windows and commands. */
async function overWebSocket<T>(work: (client: InstanceClient) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const workbench = await openWorkbench({
    directory,
    root: ROOT,
    createSample: false,
    oneShot: true,
    log: QUIET,
  });
  const router = createRouter(workbench.services, log);
  const server = await startHostServer({ router, files: null, port: 0, log });
  const connection = await connectInstance(server);
  try {
    const definition = { kind: 'storage', type: 'Double', description: '', unit: '', settings: {} } as const;
    await connection.client.tags.save({ ...definition, path: pathOf(0) });
    return await work(connection.client);
  } finally {
    connection.close();
    await server.close();
    await workbench.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const bySetting = (client: InstanceClient) => (on: boolean) =>
  client.settings.update({ 'journal.megabytes': on ? 200 : 0 });
const CONTEXT = { tagName: pathOf(0), tagScopeDiagram: null, tagScopeLocation: null };
/** Sets of one run. */
const SETS = 200;
const SETTING = `for (let n = 0; n < ${SETS}; n += 1) TagValueManager.Set([{ tag: '${pathOf(0)}', value: n }]);`;

const setBench = (name: string, sets: number, items: number): Bench => ({
  area: 'journal',
  name: `Set of ${name}: its rate with the journal, against without`,
  unit: '×',
  goal: { atLeast: 0.9 },
  run: () =>
    inStore((store, tags) => {
      let value = 0;
      const set = (lane: number) => {
        value += 1;
        const of = (n: number) => ({ tag: pathOf((lane * items + n) % TAGS), value: value + n });
        return tags.set({ items: Array.from({ length: items }, (_, n) => of(n)) });
      };
      return withAndWithout(inStoreOnly(store), async () => {
        await Promise.all(Array.from({ length: sets }, (_, lane) => set(lane)));
        return sets;
      });
    }),
});

const readBench = (name: string, enabled: boolean, atLeast: number, wanted: readonly string[][]): Bench => ({
  area: 'journal',
  name: `${name} in a run of a person, journal ${enabled ? 'on' : 'off'}: its rate, against a run that is not recorded`,
  unit: '×',
  goal: { atLeast },
  run: () => inStore((store) => againstUnrecorded(store, enabled, wanted)),
});

const watchBench = (sort: 'watch' | 'condition'): Bench => ({
  area: 'journal',
  name: `runs of a ${sort} that change nothing: their rate with the journal, against without`,
  unit: '×',
  goal: { atLeast: 0.95 },
  run: () => inStore((store) => ofWatches(store, sort)),
});

/** Parts of a capsule that the journal stores; only their size matters here. */
function contentOf20Reads() {
  const place = (n: number) => ({ call: n + 1, line: n + 1, clock: n });
  const value = (n: number) => ({ path: pathOf(n), value: n / 3, quality: 'Good', type: 'Double' });
  const reads = Array.from({ length: 20 }, (_, n) => ({
    kind: 'get',
    ...place(n),
    diagram: '',
    location: '',
    values: [value(n)],
  }));
  const body = Array.from(
    { length: 30 },
    (_, n) => `const value${n} = TagValueManager.Get(['${pathOf(n)}']).Value[0].Value;`,
  );
  const report = {
    status: 'ok',
    result: null,
    console: [],
    reads: reads.map((read) => ({ ...read.values[0], ...read })),
  };
  return { format: 'tagwright-capsule', script: { body }, calls: reads, report };
}

export const benches: Bench[] = [
  setBench('1 tag, one at a time in main', 1, 1),
  {
    area: 'journal',
    name: 'Set of 1 tag, one at a time by a script: its rate with the journal, against without',
    unit: '×',
    goal: { atLeast: 0.9 },
    run: () =>
      overWebSocket((client) =>
        withAndWithout(bySetting(client), async () => {
          const { status, error } = await client.runs.execute({ body: SETTING, context: CONTEXT, dryRun: false });
          if (status !== 'ok') throw new Error(error?.message);
          return SETS;
        }),
      ),
  },
  {
    area: 'journal',
    name: 'Set of 1 tag, one at a time by a client: its rate with the journal, against without',
    unit: '×',
    goal: { atLeast: 0.9 },
    run: () =>
      overWebSocket((client) => {
        let value = 0;
        return withAndWithout(bySetting(client), async () => {
          value += 1;
          await client.tags.set({ items: [{ tag: pathOf(0), value }] });
          return 1;
        });
      }),
  },
  {
    area: 'journal',
    name: 'Set of a DB tag, one at a time in main: its rate with the journal, against without',
    unit: '×',
    goal: { atLeast: 0.9 },
    run: () =>
      inPlant((store, tags) => {
        let value = 0;
        return withAndWithout(inStoreOnly(store), async () => {
          value += 1;
          await tags.set({ items: [{ tag: pathOf(0), value }] });
          return 1;
        });
      }),
  },
  readBench('Get of 2 tags', false, 0.97, GETS.ofTwo),
  readBench('Get of 2 tags', true, 0.85, GETS.ofTwo),
  readBench('Gets of one tag after another', true, 0.85, GETS.oneByOne),
  watchBench('watch'),
  watchBench('condition'),
  setBench('2 tags, 100 at a time', 100, 2),
  setBench('1,000 tags', 1, 1_000),
  {
    area: 'journal',
    name: `firing ${RULES} rules at once: its rate with the journal, against without`,
    unit: '×',
    goal: { atLeast: 0.9 },
    run: () =>
      inStore(async (store, tags) => {
        const events = new EventStore(store);
        const conditions = { run: () => Promise.reject(new Error('no condition is evaluated')) };
        const settings = { get: () => DEFAULT_SETTINGS };
        const rules = new RuleService({ store, events, settings, tags, conditions, log });
        const ids: number[] = [];
        for (let n = 0; n < RULES; n += 1) {
          const outputs = (['avg', 'max', 'last'] as const).map((reducer) => ({
            name: reducer,
            reducer,
            tag: pathOf(n),
          }));
          const rule: RuleText = {
            name: `Rule ${n}`,
            description: '',
            enabled: true,
            triggersEvents: true,
            tags: [pathOf(n)],
            sampling: { kind: 'onChange' },
            window: { kind: 'count', samples: 1 },
            outputs,
            condition: '',
          };
          ids.push((await rules.save(rule)).id);
        }
        rules.start();
        let value = 0;
        const newest = (): number => events.page({ limit: 1 })[0]?.AggregationEventId ?? 0;
        const result = await withAndWithout(inStoreOnly(store), async () => {
          const goal = newest() + RULES;
          value += 1;
          await tags.set({ items: Array.from({ length: RULES }, (_, n) => ({ tag: pathOf(n), value })) });
          while (newest() < goal) await turn();
          return RULES;
        });
        await rules.close();
        events.close();
        return result;
      }),
  },
  {
    area: 'journal',
    name: 'storing a run that read 20 tags: CPU time of the main thread, with its part of the commit',
    unit: 'ms',
    goal: { atMost: 0.05 },
    run: () =>
      inStore(async (store) => {
        const journal = new RunJournal(store.journal);
        const content = contentOf20Reads();
        const origin = () =>
          store.journal.begin({
            script: null,
            tag: 'T',
            diagram: '',
            location: '',
            access: 'run',
            cause: { by: 'person' },
          });
        const times: number[] = [];
        // The first rounds are slower, until the code is optimized.
        for (let round = 0; round < 100; round += 1) {
          const cpu = process.threadCpuUsage();
          for (let n = 0; n < 50; n += 1) journal.keep(origin(), JSON.stringify(content));
          await journal.flush();
          const { user, system } = process.threadCpuUsage(cpu);
          times.push((user + system) / 1_000 / 50);
        }
        const figure = median(times.slice(20));
        const first = median(times.slice(0, 20)) * 1_000;
        await journal.close();
        return {
          figure,
          detail: `${(figure * 1_000).toFixed(1)} µs, 50 runs at a time; the first 1,000 ${first.toFixed(1)} µs; a thread compresses them`,
        };
      }),
  },
  {
    area: 'journal',
    name: 'a run that reads 20 tags: CPU time of the main thread with the journal, minus that without',
    unit: 'ms',
    goal: { atMost: 0.1 },
    run: () => inStore((store) => costOfStoring(store)),
  },
  {
    area: 'journal',
    name: 'why of a tag that a nested script wrote, before 1,000,000 other entries',
    unit: 'ms',
    goal: { atMost: 100 },
    run: () =>
      inStore(async (store) => {
        await fillJournal(store);
        const { journal } = store;
        const why = new WhyReader(new JournalReader(store.database), new JournalWindows(store.database));
        const explain = (path: string) => () => {
          if (why.why({ kind: 'tag', path }).causes.length === 0) throw new Error(`${path} is not explained`);
        };
        const [first, last] = [await timesOf(explain(pathOf(0)), 9), await timesOf(explain(pathOf(500)), 9)];
        const detail = `the oldest entry: ${median(first).toFixed(1)} ms, a recent one: ${median(last).toFixed(1)} ms, journal of ${(journal.blocks.bytes / 1_048_576).toFixed(0)} MB`;
        return { figure: Math.max(median(first), median(last)), detail };
      }),
  },
  {
    area: 'journal',
    name: 'opening a workspace with 1,000,000 entries, against the same one with an empty journal',
    unit: '×',
    goal: { atMost: 1.1 },
    run: async () => {
      const folders = [true, false].map((isFull) => ({
        isFull,
        folder: mkdtempSync(join(tmpdir(), 'tagwright-bench-')),
      }));
      try {
        let megabytes = 0;
        for (const { isFull, folder } of folders) {
          const store = openWorkspaceStore(folder);
          if (isFull) await fillJournal(store);
          megabytes = Math.max(megabytes, store.journal.blocks.bytes / 1_048_576);
          store.close();
        }
        const [full = [], empty = []] = await inTurns(
          folders.map(
            ({ folder }) =>
              () =>
                opened(folder),
          ),
        );
        return {
          figure: median(full.map((ms, round) => ms / (empty[round] ?? 0))),
          detail: `${median(full).toFixed(1)} ms with ${megabytes.toFixed(0)} MB of entries, ${median(empty).toFixed(1)} ms without`,
        };
      } finally {
        for (const { folder } of folders) rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
