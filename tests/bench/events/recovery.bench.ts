import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { median } from '../compare.ts';
import { fillWithEvents, freePort, MANY } from './events-fixture.ts';
import { take } from '../http.ts';

const MAIN = resolve(import.meta.dirname, '../../../out/main/headless.js');
const ROUNDS = 7;
/** Changes before each kill: what the next start recovers from the write-ahead log. */
const CHANGES = 500;

/** Starts an instance and waits until its events API responds; resolves with the time that took, in ms. */
async function served(workspace: string, port: number): Promise<{ main: ChildProcess; ms: number }> {
  const began = performance.now();
  const args = ['serve', '--workspace', workspace, '--port', `${port}`, '--ui-port', '0', '--json'];
  const main = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const until = began + 60_000;
  while (performance.now() < until && main.exitCode === null) {
    const response = await take(`http://127.0.0.1:${port}/api/events?limit=1`).catch(() => null);
    if (response?.status === 200) return { main, ms: performance.now() - began };
    await pause(2);
  }
  throw new Error('the instance did not serve within a minute');
}

/** Disables events that no round before has disabled: retention deletes those, because they are old. */
async function change(url: string, round: number): Promise<void> {
  for (let n = 0; n < CHANGES; n += 1) {
    const id = 1 + (round * CHANGES + n) * Math.floor(MANY / CHANGES / (ROUNDS + 1));
    const init = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"Active":false}' };
    const { status } = await take(`${url}/api/events/${id}`, init);
    if (status !== 200) throw new Error(`PUT answered ${status}`);
  }
}

export const benches: Bench[] = [
  {
    area: 'recovery',
    name: 'killed with 1,000,000 events, until it serves again',
    unit: 'ms',
    goal: { atMost: 500 },
    async run() {
      const workspace = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
      let main: ChildProcess | null = null;
      try {
        await fillWithEvents(workspace, MANY);
        const port = await freePort();
        const times: number[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          const started = await served(workspace, port);
          main = started.main;
          // The first start also creates what a workspace has besides events.
          if (round > 0) times.push(started.ms);
          await change(`http://127.0.0.1:${port}`, round);
          main.kill('SIGKILL');
          await once(main, 'exit');
        }
        const bare = await bareStart();
        return {
          figure: median(times),
          detail: `median of ${ROUNDS} kills, slowest ${Math.max(...times).toFixed(0)} ms; an empty server of Node starts in ${bare.toFixed(0)} ms`,
        };
      } finally {
        main?.kill('SIGKILL');
        rmSync(workspace, { recursive: true, force: true });
      }
    },
  },
];

/** The minimum: Node that starts, listens, and responds. */
async function bareStart(): Promise<number> {
  const port = await freePort();
  const code = `require('node:http').createServer((_, r) => r.end('[]')).listen(${port}, '127.0.0.1')`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const server = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
    while ((await take(`http://127.0.0.1:${port}/`).catch(() => null)) === null) await pause(2);
    times.push(performance.now() - began);
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  return median(times);
}
