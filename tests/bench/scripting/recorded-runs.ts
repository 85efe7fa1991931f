import { scriptHostFile } from '../../../src-main/platform/files/paths.ts';
import { resolve } from 'node:path';
import type { NestedScript } from '#domain/run/script-evaluator';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { CapsuleRecorder } from '../../../src-main/scripting/capsules/capsule-recorder.ts';
import { RunCounts } from '../../../src-main/scripting/journal/run-counts.ts';
import { RunJournal } from '../../../src-main/scripting/journal/run-journal.ts';
import { RunService } from '../../../src-main/scripting/runs/run-service.ts';
import { RunTree } from '../../../src-main/scripting/runs/run-tree.ts';
import { ScriptHostPool } from '../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { storageKind } from '../../../src-main/plant/tags/kinds/storage.ts';
import { TagService } from '../../../src-main/plant/tags/tag-service.ts';
import type { WorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { JournalReader } from '../../../src-main/storage/journal/journal-reader.ts';
import { compare, median, type Side } from '../compare.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const READ_TAGS = 20;
const PATHS = Array.from({ length: READ_TAGS }, (_, index) => `Bench.Line.Tag${index}.Value`);
const context = { tagName: 'Bench.Line.Script.Value', tagScopeDiagram: null, tagScopeLocation: null };
/** Gets of a script, one after another. */
export const GETS = { ofTwo: [PATHS.slice(0, 2)], oneByOne: PATHS.map((path) => [path]) } as const;

interface Services {
  /** Runs that a person starts, with the journal and without. */
  recorded: RunService;
  unrecorded: RunService;
  journal: RunJournal;
  tree: RunTree;
}

async function withServices<T>(store: WorkspaceStore, work: (services: Services) => Promise<T>): Promise<T> {
  const hostFile = scriptHostFile(ROOT);
  const hosts = new ScriptHostPool({ hostFile, nodeBinary: process.execPath, count: 2, spare: true });
  hosts.start();
  const settings = { get: () => DEFAULT_SETTINGS };
  const counted: { runs: RunCounts | null } = { runs: null };
  const tree = new RunTree({ runner: hosts, settings, journal: store.journal, counted });
  const log = (where: string, fault: unknown): void => console.error(where, fault);
  const tags = new TagService({ ...store, log, kinds: [storageKind(store)], evaluator: tree.outside });
  const journal = new RunJournal(store.journal);
  const recorder = new CapsuleRecorder({
    tree,
    tags,
    settings,
    secrets: () => [],
    journal,
    version: 'bench',
  });
  const { kept } = recorder;
  const reader = new JournalReader(store.database);
  const counts = new RunCounts({ ...store, reader, runs: journal, sample: (script) => recorder.sample(script) });
  counted.runs = counts;
  try {
    for (const path of PATHS) {
      const definition = { path, kind: 'storage', type: 'Double', description: '', unit: '' } as const;
      await tags.definitions.save({ ...definition, settings: { initial: 1.5 } });
    }
    const recorded = new RunService({ tree, tags, kept });
    return await work({ recorded, unrecorded: new RunService({ tree, tags }), journal, tree });
  } finally {
    await counts.close();
    await journal.close();
    tags.close();
    await hosts.close();
  }
}

/** The rate of the Gets of a run that a person starts, against a run that is never recorded, in turns. */
export const againstUnrecorded = (store: WorkspaceStore, enabled: boolean, wanted: readonly string[][]) =>
  withServices(store, async ({ recorded, unrecorded, journal }) => {
    const gets =
      (runs: RunService): Side =>
      async (ms) => {
        const body = `const wanted = ${JSON.stringify(wanted)};
        const start = Date.now(); let gets = 0;
        while (Date.now() - start < ${ms}) for (let i = 0; i < 60; i += 1, gets += 1) {
          if (TagValueManager.Get(wanted[i % wanted.length]).Value[0].Value !== 1.5) throw new Error('not read');
        }
        return gets * 1000 / (Date.now() - start);`;
        const { status, result, error } = await runs.execute({ body, context, dryRun: false });
        if (status !== 'ok') throw new Error(error?.message);
        // The other side does not pay for it.
        await journal.flush();
        return Number(result);
      };
    store.journal.enabled = enabled;
    try {
      const { ratio, ours, peer } = await compare(gets(recorded), gets(unrecorded), { rounds: 25, ms: 300 });
      return { figure: ratio, detail: `${ours.toFixed(0)} calls/s against ${peer.toFixed(0)}/s` };
    } finally {
      store.journal.enabled = true;
    }
  });

/** Runs of one round. */
const RUNS = 50;
const ROUNDS = 80;

/** The CPU time of main that a run takes with the journal, minus that without it, in turns. The run reads 20 tags. */
export const costOfStoring = (store: WorkspaceStore) =>
  withServices(store, async ({ recorded, journal }) => {
    const body = `let sum = 0;
for (const path of ${JSON.stringify(PATHS)}) sum += TagValueManager.Get([path]).Value[0].Value;
return sum;`;
    const microsOf = async (isOn: boolean): Promise<number> => {
      store.journal.enabled = isOn;
      const cpu = process.threadCpuUsage();
      for (let n = 0; n < RUNS; n += 1) {
        const { status, error } = await recorded.execute({ body, context, dryRun: false });
        if (status !== 'ok') throw new Error(error?.message);
      }
      await journal.flush();
      const { user, system } = process.threadCpuUsage(cpu);
      return (user + system) / RUNS;
    };
    const pairs: { with: number; without: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      pairs.push({ with: await microsOf(true), without: await microsOf(false) });
    }
    store.journal.enabled = true;
    // The first rounds are slower, until the code is optimized.
    const measured = pairs.slice(20);
    const [on, off] = [measured.map((one) => one.with), measured.map((one) => one.without)].map(median);
    return {
      figure: median(measured.map((one) => one.with - one.without)) / 1_000,
      detail: `${on?.toFixed(1)} µs with the journal, ${off?.toFixed(1)} µs without, ${RUNS} runs at a time`,
    };
  });

/** The rate of the shortest runs of a watch, or of a condition, with the journal, against without it, in turns. */
export const ofWatches = (store: WorkspaceStore, sort: 'watch' | 'condition') =>
  withServices(store, async ({ tree }) => {
    const calls = () => ({ get: () => [], set: () => ({ values: [], before: [] }) });
    const place = { chain: [context.tagName], calls };
    const script: NestedScript =
      sort === 'watch'
        ? {
            ...place,
            sort: 'tag',
            body: 'return 1',
            context,
            origin: { script: { name: 'Line/Level', version: 1 }, cause: { by: 'read', of: 'watch' } },
          }
        : {
            ...place,
            sort: 'calculations',
            body: 'return tagValue.map((value) => value > 1)',
            context: { ...context, tagValue: [0] },
            origin: { script: null, rule: { id: 1, name: 'Level' }, cause: { by: 'rule' } },
          };
    const cpuTimes = { on: [0], off: [0] };
    const side =
      (isOn: boolean): Side =>
      async (ms) => {
        store.journal.enabled = isOn;
        const start = performance.now();
        const cpu = process.threadCpuUsage();
        let runs = 0;
        for (; performance.now() - start < ms; runs += 1) {
          const { status, error } = await tree.outside.run(script);
          if (status !== 'ok') throw new Error(error?.message);
        }
        const { user, system } = process.threadCpuUsage(cpu);
        cpuTimes[isOn ? 'on' : 'off'].push((user + system) / runs);
        return (runs * 1_000) / (performance.now() - start);
      };
    const { ratio, ours, peer } = await compare(side(true), side(false), { rounds: 25, ms: 300 });
    const [on, off] = [cpuTimes.on, cpuTimes.off].map((all) => median(all.slice(1)));
    store.journal.enabled = true;
    return {
      figure: ratio,
      detail: `${ours.toFixed(0)} runs/s against ${peer.toFixed(0)}/s; CPU time of main ${on?.toFixed(1)} and ${off?.toFixed(1)} µs each`,
    };
  });
