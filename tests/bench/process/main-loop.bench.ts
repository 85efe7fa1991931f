import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import type { Bench } from '../bench.ts';
import { fillWithEvents } from '../events/events-fixture.ts';
import { take } from '../http.ts';
import type { LoopSeen } from '../servers/loop-probe.ts';

const EVENTS = 1_000_000;
/** Each changes once a second. */
const SIGNALS = 5_000;
const FOR_MS = 30_000;
const MAIN = resolve(import.meta.dirname, '../../../out/main/headless.js');
const PROBE = resolve(import.meta.dirname, '../servers/loop-probe.ts');

const path = (n: number) => `Plant.Line${n % 50}.Signal${n}.Value`;
const PATHS = Array.from({ length: SIGNALS }, (_, n) => path(n));
const CONTEXT = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const READS = `TagValueManager.Get(${JSON.stringify(PATHS.slice(0, 40))})`;

/** A repeated user action, until the signal aborts. */
async function everyMs(ms: number, signal: AbortSignal, work: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    await work(round);
    await pause(ms, undefined, { signal }).catch(() => {});
  }
}

async function followed(stream: Promise<AsyncIterable<unknown>>): Promise<void> {
  try {
    for await (const value of await stream) void value;
  } catch {
    // It ends with the watch.
  }
}

async function fill(client: InstanceClient): Promise<void> {
  const settings = { signal: { kind: 'sine', min: 0, max: 100, periodMs: 60_000 }, noise: 1, updateMs: 1_000 };
  for (let done = 0; done < SIGNALS; done += 100) {
    const saved = PATHS.slice(done, done + 100).map((one) =>
      client.tags.save({ path: one, kind: 'machine', type: 'Double', description: '', unit: '', settings }),
    );
    await Promise.all(saved);
  }
  await client.rules.save({
    name: 'Every second',
    description: '',
    enabled: true,
    triggersEvents: true,
    tags: PATHS.slice(0, 3),
    sampling: { kind: 'onChange' },
    window: { kind: 'tumbling', everyMs: 1_000 },
    outputs: [{ name: 'average', reducer: 'avg', tag: path(0) }],
    condition: '',
  });
}

/** An hour of work by a plant engineer and by polling tools, compressed into half a minute. */
async function plantHour(
  client: InstanceClient,
  api: string,
  remoteServer: string,
  signal: AbortSignal,
): Promise<void> {
  const run = (body: string, live = false) => client.runs.execute({ body, context: CONTEXT, dryRun: live, live });
  await Promise.all([
    followed(client.tags.watch({ paths: PATHS }, { signal })),
    followed(client.events.changes(undefined, { signal })),
    everyMs(150, signal, (n) => run(`// typed: ${'x'.repeat(n % 80)}\nreturn ${READS}.Success;`, true)),
    everyMs(250, signal, () => run(`return ApiValueManager.Fetch('${remoteServer}', 'get', '').StatusCode;`)),
    everyMs(200, signal, (n) =>
      client.events.window({ newestFirst: true, offset: (n * 7_919) % (EVENTS - 100), limit: 100 }),
    ),
    everyMs(1_000, signal, () => take(`${api}/api/events?limit=1000`)),
    everyMs(15_000, signal, () => take(`${api}/api/events`)),
    everyMs(2_000, signal, async (n) => {
      const body = `return ${n};\n${'// a line of a script of some length\n'.repeat(500)}`;
      const group = `Saved ${process.pid}`;
      await client.scripts.save({ group, name: `Script ${n}`, description: '', body });
    }),
    pause(FOR_MS / 3).then(() => client.backups.create()),
  ]);
}

const messageOf = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

async function watched(): Promise<LoopSeen> {
  const workspace = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  await fillWithEvents(workspace, EVENTS);
  const args = ['--import', PROBE, MAIN, 'serve', '--workspace', workspace, '--port', '0', '--ui-port', '0', '--json'];
  const main = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const remoteServer = createServer((_request, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1');
  try {
    await once(main.stdout ?? main, 'data');
    const connection = await connectInstance(JSON.parse(await readFile(join(workspace, 'instance.json'), 'utf8')));
    const { client } = connection;
    await fill(client);
    const { url } = await client.eventsApi.status();
    const address = remoteServer.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const began = messageOf(main);
    main.send('begin');
    await began;
    await plantHour(client, url ?? '', `http://127.0.0.1:${port}/`, AbortSignal.timeout(FOR_MS));
    const seen = messageOf(main);
    main.send('end');
    const reply: LoopSeen = JSON.parse(JSON.stringify(await seen));
    connection.close();
    return reply;
  } finally {
    remoteServer.close();
    main.kill('SIGKILL');
    await once(main, 'exit');
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** How many of the turns with the most work, and of the longest turns, are reported. */
const REPORTED = 12;
const round = (ms: number) => Math.round(ms);

export const benches: Bench[] = [
  {
    area: 'main-loop',
    name: `the longest work of main at a stretch, in the mix of a plant with ${EVENTS.toLocaleString('en')} events`,
    unit: 'ms',
    goal: { atMost: 20 },
    run: async () => {
      const { p50, p99, max, blocks } = await watched();
      const byWork = blocks.toSorted((a, b) => b.workMs - a.workMs);
      const figure = byWork[0]?.workMs ?? 0;
      const delays = `delay of the event loop p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} ms`;
      // The turns that determine the figure, then the longest by the clock.
      const reported = new Set([
        ...byWork.slice(0, REPORTED),
        ...blocks.toSorted((a, b) => b.ms - a.ms).slice(0, REPORTED),
      ]);
      const longer = [...reported].map(
        ({ ms, workMs, queuedMs, waitMs, what }) =>
          `\n        ${round(ms)} ms: ${round(workMs)} work, ${round(queuedMs)} without a processor, ${round(waitMs)} waiting; ${what}`,
      );
      return { figure, detail: `${delays}; ${blocks.length} turns over 15 ms${longer.join('')}` };
    },
  },
];
