import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { RunReport } from '../../../src-preload/domain/run/run.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import type { Workbench } from '../../../src-main/workbench.ts';
import { openWorkbench } from '../../../src-main/workbench.ts';
import type { Bench } from '../bench.ts';
import { scriptHostsOf } from '../../support/product/processes.ts';
import { compare, median, repeating, timesOf } from '../compare.ts';
import { longestTurn } from '../process/longest-turn.ts';
import { startBenchRemoteServer } from '../peers/remote-server.ts';
import { startPingPong } from '../peers/ping-pong.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const context = { tagName: 'Bench.Line.Script.Value', tagScopeDiagram: null, tagScopeLocation: null };
const ROUNDS = 7;
const WAITING = 20;
/** Rows of about 85 bytes: a response that a thread searches for secrets, and one that main does. */
const ROWS = { long: 360_000, short: 12_000 };

async function run(workbench: Workbench, body: string): Promise<RunReport> {
  const report = await workbench.services.runs.execute({ body, context, dryRun: false });
  if (report.status !== 'ok')
    throw new Error(`a run of the bench ended with ${report.status}: ${report.error?.message}`);
  return report;
}

/** Calls per second of a script that only makes calls, for this many ms. */
async function fetchRate(workbench: Workbench, url: string, ms: number): Promise<number> {
  const body = `const start = Date.now(); let calls = 0;
    while (Date.now() - start < ${ms}) for (let i = 0; i < 20; i += 1, calls += 1) {
      if (!ApiValueManager.Fetch('${url}', 'get').Success) throw new Error('a call failed');
    }
    return calls * 1000 / (Date.now() - start);`;
  const { result } = await run(workbench, body);
  await isStored(workbench);
  return Number(result);
}

/** What the runs saw is stored: the other side of a comparison does not pay for it. */
const isStored = (workbench: Workbench) => workbench.services.capsules.runs({ script: null, limit: 1 });

/** A workbench in live mode, a server in a separate process, and the bare client for comparison. */
async function withRemoteServer<T>(work: (parts: { workbench: Workbench; base: string; agent: Agent }) => Promise<T>) {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const remoteServer = await startBenchRemoteServer();
  const agent = new Agent();
  const workbench = await openWorkbench({
    directory,
    root: ROOT,
    createSample: false,
    eventsPort: 0,
    log: createLog({ level: 'error' }),
  });
  try {
    await workbench.services.settings.update({ 'api.mode': 'live', 'limits.memoryMb': 512 });
    return await work({ workbench, base: remoteServer.base, agent });
  } finally {
    await workbench.close();
    await agent.close();
    remoteServer.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const memoryMb = (pid: number | 'self') =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

const residentMb = () => process.memoryUsage.rss() / 1_048_576;

export const benches: Bench[] = [
  {
    area: 'outbound',
    name: 'a Fetch of 1 kB as a whole against a bare request of undici',
    unit: '×',
    goal: { atMost: 1.7 },
    run: () =>
      withRemoteServer(async ({ workbench, base, agent }) => {
        const url = `${base}/small`;
        const text = async () => (await request(url, { dispatcher: agent })).body.text();
        const relay = startPingPong(text);
        try {
          const { ratio, ours, peer } = await compare((ms) => fetchRate(workbench, url, ms), repeating(text));
          const least = await compare(relay.side, repeating(text), { rounds: 3 });
          const times = `${(1e6 / ours).toFixed(0)} against ${(1e6 / peer).toFixed(0)} µs a call`;
          const floor = `asked for by another process over a pipe the bare request takes ${(1 / least.ratio).toFixed(2)} ×`;
          return { figure: 1 / ratio, detail: `${times}; ${floor}` };
        } finally {
          relay.close();
        }
      }),
  },
  {
    area: 'outbound',
    name: 'time of a GetImage of 8 MB as a multiple of a bare request of undici',
    unit: '×',
    goal: { atMost: 3 },
    run: () =>
      withRemoteServer(async ({ workbench, base, agent }) => {
        const url = `${base}/image`;
        const ours = async () => void (await run(workbench, `return ApiValueManager.GetImage('${url}').Success`));
        const bare = async () => void (await (await request(url, { dispatcher: agent })).body.arrayBuffer());
        const found = await ratioOf(ours, bare, () => isStored(workbench));
        const read = `return JSON.parse(ApiValueManager.GetImage('${url}').ResponseObject).ImageData.length`;
        const parsed: number[] = [];
        for (let round = 0; round < 3; round += 1) {
          parsed.push(...(await timesOf(() => run(workbench, read), 1)));
          await isStored(workbench);
        }
        return {
          ...found,
          detail: `${found.detail}; ${median(parsed).toFixed(0)} ms with its list of bytes read and parsed`,
        };
      }),
  },
  {
    area: 'outbound',
    name: 'memory that GetImage of 8 MB takes in main and in its host',
    unit: 'MB',
    goal: { atMost: 200 },
    run: () =>
      withRemoteServer(async ({ workbench, base }) => {
        await run(workbench, 'return 1');
        const before = residentMb();
        let peak = before;
        const timer = setInterval(() => (peak = Math.max(peak, residentMb())), 2);
        const body = `const { Base64Image } = { Base64Image: ApiValueManager.GetImage('${base}/image').Success };
          return Base64Image;`;
        await run(workbench, body);
        clearInterval(timer);
        const hosts = scriptHostsOf(process.pid);
        const inHost = Math.max(...hosts.map(memoryMb)) - Math.min(...hosts.map(memoryMb));
        const inMain = peak - before;
        return {
          figure: inMain + inHost,
          detail: `${inMain.toFixed(0)} MB in main, ${inHost.toFixed(0)} MB in the host`,
        };
      }),
  },
  {
    area: 'outbound',
    name: 'the longest turn of main because of a text response of 30 MB to a script, which is also stored in the journal',
    unit: 'ms',
    goal: { atMost: 20 },
    run: () =>
      withRemoteServer(async ({ workbench, base, agent }) => {
        const read = async () => {
          await run(workbench, `return ApiValueManager.Fetch('${base}/text', 'get').ResponseObject.length`);
          await isStored(workbench);
        };
        // The least that a process does which passes the response on: into a pipe of another one.
        const passed = async () => {
          const sink = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] });
          await pipeline((await request(`${base}/text`, { dispatcher: agent })).body, sink.stdin);
          await once(sink, 'exit');
        };
        await read();
        const turns: number[] = [];
        const bare: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          turns.push(await longestTurn(read));
          bare.push(await longestTurn(passed));
        }
        await workbench.services.secrets.set({ name: 'BENCH', value: 'a secret of the bench' });
        await run(workbench, `return ApiValueManager.Fetch('${base}/small?{{secret:BENCH}}', 'get').Success`);
        const masked = median(await timesOf(read, 3));
        const maskedTurn = await longestTurn(read);
        const detail =
          `passed on by hand: ${median(bare).toFixed(1)} ms; with a secret to mask: ${maskedTurn.toFixed(1)} ms, ` +
          `${masked.toFixed(0)} ms for the whole run`;
        return { figure: median(turns), detail };
      }),
  },
  {
    area: 'outbound',
    name: 'the longest turn of main because of a text response of 30 MB that is recorded as a mock',
    unit: 'ms',
    goal: { atMost: 20 },
    run: () =>
      withRemoteServer(async ({ workbench, base, agent }) => {
        const { settings, mocks } = workbench.services;
        await settings.update({ 'api.record': true });
        let recorded = mocks.list().mocks.length;
        const record = async () => {
          recorded += 1;
          await run(workbench, `return ApiValueManager.Fetch('${base}/text?n=${recorded}', 'get').Success`);
          while (mocks.list().mocks.length < recorded) await pause(20);
          await isStored(workbench);
        };
        const received = async () => void (await (await request(`${base}/text`, { dispatcher: agent })).body.text());
        await record();
        const turns: number[] = [];
        const bare: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          turns.push(await longestTurn(record));
          bare.push(await longestTurn(received));
        }
        return { figure: median(turns), detail: `received as text by hand: ${median(bare).toFixed(1)} ms` };
      }),
  },
  {
    area: 'outbound',
    name: 'the longest turn of main because a text response of 30 MB is searched for secrets before a Set',
    unit: 'ms',
    goal: { atMost: 20 },
    run: () =>
      withRemoteServer(async ({ workbench, base }) => {
        const path = 'Bench.Line.Length.Value';
        const tag = {
          path,
          kind: 'storage' as const,
          type: 'String' as const,
          description: '',
          unit: '',
          settings: {},
        };
        await workbench.services.tags.definitions.save(tag);
        const search = async (rows: number, every: number) => {
          const fetched = `ApiValueManager.Fetch('${base}/tokens?rows=${rows}&every=${every}', 'get').ResponseObject`;
          await run(workbench, `TagValueManager.Set([{ tag: '${path}', value: 'is ' + ${fetched}.length }]);`);
          await isStored(workbench);
        };
        /** @param every how many rows have one token */
        const turnOf = async (rows: number, every = rows) => {
          await search(rows, every);
          const turns: number[] = [];
          for (let round = 0; round < ROUNDS; round += 1) turns.push(await longestTurn(() => search(rows, every)));
          return median(turns);
        };
        const figure = await turnOf(ROWS.long);
        const short = await turnOf(ROWS.short);
        const many = await turnOf(ROWS.long, 3);
        const detail =
          `of 1 MB, which main searches: ${short.toFixed(1)} ms; of 30 MB with ${Math.ceil(ROWS.long / 3)} tokens: ` +
          `${many.toFixed(1)} ms`;
        return { figure, detail };
      }),
  },
  {
    area: 'outbound',
    name: 'the longest turn of main because of a payload of 30 MB of JSON to an API',
    unit: 'ms',
    goal: { atMost: 30 },
    run: () =>
      withRemoteServer(async ({ workbench, base, agent }) => {
        await workbench.services.settings.update({ 'limits.resultMb': 32, 'limits.scriptMs': 60_000 });
        const row = '{"path":"Plant.Line1.Filler.Level","text":"gr\u00fcn 50%"}';
        const rows = (mb: number) => `Array(${Math.ceil((mb * 1_048_576) / row.length)}).fill(${JSON.stringify(row)})`;
        const send = `ApiValueManager.Fetch('${base}/received', 'post', '[' + ${rows(30)}.join(',') + ']')`;
        const received = async (path: string) =>
          void (await (await request(`${base}${path}`, { dispatcher: agent })).body.arrayBuffer());
        /** The least that a process does which passes a payload on: from a pipe of another one. */
        const sent = async () => {
          const source = spawn('head', ['-c', String(30 * 1_048_576), '/dev/zero'], {
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          const to = { dispatcher: agent, method: 'POST', body: source.stdout } as const;
          await (await request(`${base}/received`, to)).body.text();
        };
        const turnsOf = async (body: string, bare: () => Promise<void>) => {
          const work = async () => {
            await run(workbench, body);
            await isStored(workbench);
          };
          await work();
          await bare();
          const turns: number[] = [];
          const least: number[] = [];
          for (let round = 0; round < ROUNDS; round += 1) {
            turns.push(await longestTurn(work));
            least.push(await longestTurn(bare));
          }
          return [median(turns), median(least)] as const;
        };
        const shown = ([ours, least]: readonly [number, number], how: string) =>
          `${ours.toFixed(1)} ms, ${(ours / least).toFixed(1)} × ${how}`;
        const [figure, least] = await turnsOf(`return ${send}.Success`, sent);
        // As many short rows would be more parts than a result may have.
        const items = `Array(30_000).fill(null).map(() => ({ path: 'Plant.Line1', text: 'gr\u00fcn 50%\\n'.repeat(50) }))`;
        const result = await turnsOf(`return ${items}`, sent);
        const status = (path: string) => `return ApiValueManager.Fetch('${base}${path}', 'get').StatusCode`;
        const page = await turnsOf(status('/error'), () => received('/error'));
        const html = await turnsOf(status('/page'), () => received('/page'));
        const detail =
          `${(figure / least).toFixed(1)} × passing bytes on by hand; a result of 15 MB: ${shown(result, 'that')}; ` +
          `an error page of 15 MB of JSON: ${shown(page, 'a bare request')}; of HTML: ${shown(html, 'that')}`;
        return { figure, detail };
      }),
  },
  {
    area: 'outbound',
    name: `a script while ${WAITING} others wait for slow calls, against alone`,
    unit: '×',
    goal: { atMost: 1.5 },
    run: () =>
      withRemoteServer(async ({ workbench, base }) => {
        const work = 'let sum = 0; for (let i = 0; i < 3_000_000; i += 1) sum += i % 7; return sum;';
        const runOnce = async () => void (await run(workbench, work));
        await timesOf(runOnce, 5);
        const alone = median(await timesOf(runOnce, 15));
        const stop = new AbortController();
        const waiting = Array.from({ length: WAITING }, () =>
          workbench.services.runs.execute(
            { body: `ApiValueManager.Fetch('${base}/slow', 'get')`, context, dryRun: false },
            stop.signal,
          ),
        );
        const until = performance.now() + 4_000;
        while (workbench.services.calls.list({}).calls.length < 0 || performance.now() < until - 1_500) {
          await new Promise((wake) => setTimeout(wake, 20));
        }
        const beside = median(await timesOf(runOnce, 15));
        stop.abort();
        await Promise.all(waiting);
        return { figure: beside / alone, detail: `${beside.toFixed(1)} ms with them, ${alone.toFixed(1)} ms alone` };
      }),
  },
];

/** The times of one call of each side in turns; `after` each of ours is not part of its time. */
async function ratioOf(
  ours: () => Promise<void>,
  bare: () => Promise<void>,
  after: () => Promise<unknown> = async () => {},
) {
  await ours();
  await after();
  await bare();
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a = 0] = await timesOf(ours, 1);
    await after();
    const [b = 0] = await timesOf(bare, 1);
    rounds.push({ ours: a, bare: b });
  }
  const [one, other] = [median(rounds.map((r) => r.ours)), median(rounds.map((r) => r.bare))];
  const figure = median(rounds.map((round) => round.ours / round.bare));
  return { figure, detail: `${one.toFixed(1)} against ${other.toFixed(1)} ms` };
}
