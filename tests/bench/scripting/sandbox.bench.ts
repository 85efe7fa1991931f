import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunContext } from '../../../src-preload/domain/run/run.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { scriptHostFile } from '../../../src-main/platform/files/paths.ts';
import type { HostCalls, ScriptRun } from '../../../src-main/scripting/sandbox/script-run.ts';
import { ScriptHostPool } from '../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { openWorkbench } from '../../../src-main/workbench.ts';
import type { Bench } from '../bench.ts';
import { scriptHostsOf } from '../../support/product/processes.ts';
import { compare, median, repeating, timesOf, type Side } from '../compare.ts';
import { COMPUTING, COMPUTING_BRIEFLY } from '../peers/computing.ts';
import { startPeer } from '../peers/peer.ts';
import { startPingPong } from '../peers/ping-pong.ts';
import { shownByHand } from '../peers/shown-by-hand.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const TRIVIAL = 'return 1 + 1;';
const WAITING = "return ApiValueManager.Fetch('http://127.0.0.1:1/', 'get');";
/** Concurrent runs: enough to keep every host busy. */
const LANES = 6;
const PAGE_BYTES = 4_096;
const START_MS = 10_000;
/** Tags that a script reads one after another. */
const READ_TAGS = 20;
const PRINTED_KEYS = 40_000;

const context: RunContext = { tagName: 'Bench.Line.Script.Value', tagScopeDiagram: null, tagScopeLocation: null };
const noTags: HostCalls = {
  get: () => ({ values: [], qualities: [], types: [] }),
  set: () => ({ values: [], qualities: [], types: [] }),
};

function jobOf(body: string, signal?: AbortSignal): ScriptRun {
  const limits = { scriptMs: 5_000, totalMs: 120_000, memoryMb: 128, consoleEntries: 1_000 };
  const sizes = { resultBytes: 16 * 1_048_576, bodyBytes: 1_048_576 };
  return { body, context, limits: { ...limits, ...sizes }, calls: noTags, ...(signal && { signal }) };
}

async function untilIdle(pool: ScriptHostPool, hosts: number): Promise<void> {
  const until = performance.now() + START_MS;
  while (pool.status().idle < hosts) {
    if (performance.now() > until) throw new Error(`no ${hosts} script hosts came up; run "npm run build" first`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
}

async function withPool<T>(count: number, work: (pool: ScriptHostPool) => Promise<T>, spare = false): Promise<T> {
  const pool = new ScriptHostPool({ hostFile: scriptHostFile(ROOT), nodeBinary: process.execPath, count, spare });
  pool.start();
  await untilIdle(pool, count + (spare ? 1 : 0));
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

function running(pool: ScriptHostPool, body: string): Side {
  return repeating(async () => {
    const { status } = await pool.run(jobOf(body));
    if (status !== 'ok') throw new Error(`a run of the bench ended with ${status}`);
  }, LANES);
}

function runsAgainst(name: string, file: string, count: number, goal: number): Bench {
  return {
    area: 'sandbox',
    name,
    unit: '×',
    goal: { atLeast: goal },
    run: () =>
      withPool(count, async (pool) => {
        const peer = await startPeer(file);
        try {
          const { ratio, ours, peer: theirs } = await compare(running(pool, TRIVIAL), peer.side);
          return { figure: ratio, detail: `${ours.toFixed(0)} runs/s against ${theirs.toFixed(0)}/s` };
        } finally {
          peer.close();
        }
      }),
  };
}

/** Gets of a script, one after another in an endless loop, against a ping-pong that has no work. */
function getsAgainst(name: string, goal: number, getsOf: (paths: readonly string[]) => string[][]): Bench {
  return {
    area: 'sandbox',
    name,
    unit: '×',
    goal: { atLeast: goal },
    async run() {
      const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
      const log = createLog({ level: 'error' });
      const workbench = await openWorkbench({ directory, root: ROOT, createSample: false, log });
      const pingPong = startPingPong();
      try {
        const { tags, runs } = workbench.services;
        const paths = Array.from({ length: READ_TAGS }, (_, index) => `Bench.Line.Tag${index}.Value`);
        const definitions = paths.map((path) => ({
          path,
          kind: 'storage',
          type: 'Double',
          settings: { initial: 1.5 },
        }));
        await tags.definitions.import({ format: 'json', text: JSON.stringify(definitions) });
        const wanted = getsOf(paths);
        const gets: Side = async (ms) => {
          const body = `const wanted = ${JSON.stringify(wanted)};
            const start = Date.now(); let gets = 0;
            while (Date.now() - start < ${ms}) for (let i = 0; i < 60; i += 1, gets += 1) {
              if (TagValueManager.Get(wanted[i % wanted.length]).Value[0].Value !== 1.5) throw new Error('not read');
            }
            return gets * 1000 / (Date.now() - start);`;
          const report = await runs.execute({ body, context, dryRun: false });
          if (report.status !== 'ok') throw new Error(JSON.stringify(report.error));
          return Number(report.result);
        };
        // Long rounds, because each is a run in a fresh realm, where every guest function has to warm up.
        const { ratio, ours, peer } = await compare(gets, pingPong.side, { rounds: 7, ms: 2_000 });
        return { figure: ratio, detail: `${ours.toFixed(0)} calls/s against ${peer.toFixed(0)}/s` };
      } finally {
        pingPong.close();
        await workbench.close();
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}

/** How much a second process gains on this machine when the only work is short computations in fresh contexts. */
async function bareScaling(): Promise<number> {
  const [one, other] = await Promise.all([1, 2].map(() => startPeer('computing-context.ts')));
  if (one === undefined || other === undefined) throw new Error('the bare processes did not start');
  try {
    const both: Side = async (ms) => (await Promise.all([one.side(ms), other.side(ms)])).reduce((a, b) => a + b);
    return (await compare(both, one.side, { rounds: 5, ms: 1_000 })).ratio;
  } finally {
    one.close();
    other.close();
  }
}

/** Resident memory of a process, in bytes. */
function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
}

export const benches: Bench[] = [
  runsAgainst('fresh-realm runs, pool of 2, against a new isolate for every run', 'isolate-per-run.ts', 2, 3),
  runsAgainst('fresh-realm runs, pool of 2, against bare fresh contexts in one process', 'fresh-context.ts', 2, 0.8),
  runsAgainst('fresh-realm runs, one host, against bare fresh contexts in one process', 'fresh-context.ts', 1, 0.9),
  {
    area: 'sandbox',
    name: 'two hosts against one, runs that compute for about 20 ms',
    unit: '×',
    goal: { atLeast: 1.6 },
    run: () =>
      withPool(2, (two) =>
        withPool(1, async (one) => {
          const scaling = (body: string) => compare(running(two, body), running(one, body), { rounds: 5, ms: 1_000 });
          const { ratio, ours, peer } = await scaling(COMPUTING);
          const rates = `${ours.toFixed(0)} runs/s against ${peer.toFixed(0)}/s`;
          const brief = (await scaling(COMPUTING_BRIEFLY)).ratio.toFixed(2);
          const bare = (await bareScaling()).toFixed(2);
          return { figure: ratio, detail: `${rates}; of about 2 ms ${brief} ×, where two bare processes do ${bare} ×` };
        }),
      ),
  },
  getsAgainst('Get of 2 tags against a bare framed ping-pong', 0.85, (paths) => [paths.slice(0, 2)]),
  getsAgainst('reads of one tag after another against a bare framed ping-pong', 3, (paths) =>
    paths.map((path) => [path]),
  ),
  {
    area: 'sandbox',
    name: 'runs with 50 scripts that wait, against the same runs alone',
    unit: '×',
    goal: { atLeast: 0.9 },
    run: () =>
      withPool(2, (alone) =>
        withPool(2, async (beside) => {
          const stop = new AbortController();
          const calls: HostCalls = { ...noTags, api: () => new Promise(() => undefined) };
          const waiting = Array.from({ length: 50 }, () => beside.run({ ...jobOf(WAITING, stop.signal), calls }));
          while ((beside.status().waiting ?? 0) < waiting.length) await new Promise((wake) => setTimeout(wake, 20));
          const pids = scriptHostsOf(process.pid);
          const resident = median(pids.map(residentBytes)) / 1_048_576;
          const { ratio, ours, peer } = await compare(running(beside, TRIVIAL), running(alone, TRIVIAL));
          stop.abort();
          await Promise.all(waiting);
          const rates = `${ours.toFixed(0)} runs/s against ${peer.toFixed(0)}/s`;
          return { figure: ratio, detail: `${rates}; a host takes ${resident.toFixed(0)} MB` };
        }),
      ),
  },
  {
    area: 'sandbox',
    name: 'the next result after a host was killed, with the spare',
    unit: 'ms',
    goal: { atMost: 10 },
    run: () =>
      withPool(
        1,
        async (pool) => {
          const times: number[] = [];
          for (let round = 0; round < 9; round += 1) {
            await untilIdle(pool, 2);
            const stop = new AbortController();
            const endless = pool.run(jobOf('for (;;);', stop.signal));
            await new Promise((wake) => setTimeout(wake, 50));
            stop.abort();
            times.push(...(await timesOf(() => pool.run(jobOf(TRIVIAL)), 1)));
            await endless;
          }
          return {
            figure: median(times),
            detail: `median of ${times.length}; slowest ${Math.max(...times).toFixed(1)} ms`,
          };
        },
        true,
      ),
  },
  {
    area: 'sandbox',
    name: 'resident memory of an idle host',
    unit: 'MB',
    goal: { atMost: 60 },
    run: () =>
      withPool(1, async (pool) => {
        await pool.run(jobOf(TRIVIAL));
        const bytes = Math.max(...scriptHostsOf(process.pid).map(residentBytes));
        return { figure: bytes / 1_048_576, detail: 'the larger host, after one run' };
      }),
  },
  {
    area: 'sandbox',
    name: 'console.log of an object with 40,000 keys',
    unit: 'ms',
    goal: { atMost: 50 },
    run: () =>
      withPool(1, async (pool) => {
        const body = `const object = Object.fromEntries(Array.from({ length: ${PRINTED_KEYS} }, (_, i) => ['key' + i, i]));
          const shownByHand = ${shownByHand.toString()};
          const since = Date.now(); console.log(object);
          const then = Date.now(); shownByHand(object);
          return [then - since, Date.now() - then];`;
        const printing: number[] = [];
        const byHand: number[] = [];
        for (let round = 0; round < 15; round += 1) {
          const { status, result } = await pool.run(jobOf(body));
          if (status !== 'ok' || !Array.isArray(result)) throw new Error(`a run of the bench ended with ${status}`);
          printing.push(Number(result[0]));
          byHand.push(Number(result[1]));
        }
        const detail = `median of ${printing.length}; listing the keys and formatting 100 by hand: ${median(byHand)} ms`;
        return { figure: median(printing), detail };
      }),
  },
];
