import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRouterClient } from '@orpc/server';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import { openWorkbench } from '../../../src-main/workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { DebugClient } from '../../support/scripting/debug-client.ts';
import { isRunning, scriptHostsOf } from '../../support/product/processes.ts';
import type { Bench } from '../bench.ts';
import { compare, median, repeating, timesOf } from '../compare.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const ROUNDS = 9;
const QUESTIONS = 200;
const STEPS = 50;
const BODY = `const list = [1, 2, 3];
let sum = 0;
for (let turn = 0; turn < 100_000; turn += 1) {
  sum += list[turn % 3];
}
return sum;
`;

const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? NaN;

async function withClient<T>(work: (client: InstanceClient) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const workbench = await openWorkbench({
    directory,
    root: ROOT,
    createSample: false,
    oneShot: true,
    log: createLog({ level: 'error' }),
  });
  try {
    return await work(createRouterClient(createRouter(workbench.services, () => undefined)));
  } finally {
    await workbench.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A run that is paused at its first line. */
async function paused(client: InstanceClient): Promise<DebugClient> {
  const debug = await DebugClient.open(client);
  await debug.launch({ body: BODY, stopOnEntry: true });
  await debug.ok('configurationDone');
  await debug.stopped();
  return debug;
}

/** Each of its steps from the loop on changes a variable. */
const STEPPED = `const list = [1, 2, 3];
let sum = 0;
let last = 0;
let turn = 0;
for (;;) {
  turn += 1;
  sum += list[turn % 3];
  last = sum;
}
`;
/** The steps before all of its lines change variables, and more: they warm up the page. */
const FIRST_STEPS = 15;
/** A frame is painted when it is ready: the clock of a screen would add up to 16.7 ms to each step. */
const NO_FRAME_CLOCK = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/**
 * In the page: from the key of each step until its variables are in the document, and until they are painted, ms. Steps
 * that change no variable are omitted.
 */
async function timesOfSteps(steps: number): Promise<{ written: number; painted: number }[]> {
  const tree = document.querySelector('[role="tree"][aria-label="Variables"]');
  const text = () => tree?.textContent ?? '';
  const key = { key: 'F10', code: 'F10', bubbles: true, cancelable: true };
  const times: { written: number; painted: number }[] = [];
  for (let step = 0; step < steps; step += 1) {
    const [start, before] = [performance.now(), text()];
    const written = new Promise<number>((done) => {
      setTimeout(() => done(NaN), 1_000);
      const observer = new MutationObserver(() => {
        if (text() === before) return;
        observer.disconnect();
        done(performance.now() - start);
      });
      if (tree) observer.observe(tree, { subtree: true, childList: true, characterData: true });
    });
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', key));
    const shown = await written;
    if (Number.isNaN(shown)) continue;
    await new Promise<void>((done) => void requestAnimationFrame(() => setTimeout(done, 0)));
    times.push({ written: shown, painted: performance.now() - start });
    await new Promise<void>((done) => void setTimeout(done, 30));
  }
  return times;
}

/** Executes 10,000 statements, and notes as many values. */
const NOTED = `let sum = 0;
for (let turn = 0; turn < 5_000; turn += 1) {
  const order = { id: turn, bottles: [turn, 2] };
  sum += order.bottles[0];
}
return sum;
`;

const TAG = 'Plant.Tank.Level.Value';
/** What plain runs do: they compute, or call. */
const PLAIN = {
  computes: 'let sum = 0; for (let turn = 0; turn < 3_000_000; turn += 1) sum += turn % 7; return sum;',
  calls: `let sum = 0; for (let turn = 0; turn < 200; turn += 1) sum += TagValueManager.Get(['${TAG}']).Value[0].Value; return sum;`,
};

/** Repeats a plain run. */
async function plainRuns(client: InstanceClient, body: string) {
  const settings = { initial: 12 };
  await client.tags.save({ path: TAG, kind: 'storage', type: 'Double', description: '', unit: '', settings });
  const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
  return repeating(async () => {
    const { status } = await client.runs.execute({ body, context, dryRun: true });
    if (status !== 'ok') throw new Error(`a plain run ended with ${status}`);
  });
}

export const benches: Bench[] = [
  {
    area: 'debugger',
    name: 'plain runs next to a paused run, and without the debugger',
    unit: '×',
    goal: { atLeast: 0.99 },
    run: () =>
      withClient((debugged) =>
        withClient(async (never) => {
          const debug = await paused(debugged);
          // Many short rounds: a percent is less than what others do to one of them.
          const ratios: { name: string; ratio: number }[] = [];
          for (const [name, body] of Object.entries(PLAIN)) {
            const sides = [await plainRuns(debugged, body), await plainRuns(never, body)] as const;
            ratios.push({ name, ratio: (await compare(...sides, { rounds: 100, ms: 120 })).ratio });
          }
          await debug.ok('disconnect');
          return {
            figure: Math.min(...ratios.map(({ ratio }) => ratio)),
            detail: `one that ${ratios.map(({ name, ratio }) => `${name}: ${ratio.toFixed(3)} ×`).join(', one that ')}`,
          };
        }),
      ),
  },
  {
    area: 'debugger',
    name: 'Show values of 10,000 statements',
    unit: 'ms',
    goal: { atMost: 2_000 },
    run: () =>
      withClient(async (client) => {
        const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
        const request = { body: NOTED, context, dryRun: true };
        const shown = async () => {
          const { report, executed } = await client.debug.values(request);
          if (report.status !== 'ok' || executed < 10_000) throw new Error(`it executed ${executed} statements`);
        };
        const [first = NaN] = await timesOf(shown, 1);
        const times = await timesOf(shown, ROUNDS);
        const plain = await timesOf(() => client.runs.execute(request), ROUNDS);
        return {
          figure: median(times),
          detail: `median of ${ROUNDS}, the first with the start of its host ${first.toFixed(0)} ms; a plain run ${median(plain).toFixed(1)} ms`,
        };
      }),
  },
  {
    area: 'debugger',
    name: 'from launch to the stop at the first line',
    unit: 'ms',
    goal: { atMost: 100 },
    run: () =>
      withClient(async (client) => {
        const times: number[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          const start = performance.now();
          const debug = await paused(client);
          times.push(performance.now() - start);
          await debug.ok('disconnect');
          // As a person does not start the next one at once.
          await pause(500);
        }
        const [first = 0, ...others] = times;
        return {
          figure: median(others),
          detail: `median of ${ROUNDS}, slowest ${Math.max(...others).toFixed(0)} ms; the first ${first.toFixed(0)} ms`,
        };
      }),
  },
  {
    area: 'debugger',
    name: 'an expression in a paused frame',
    unit: 'ms',
    goal: { atMost: 10 },
    run: () =>
      withClient(async (client) => {
        const debug = await paused(client);
        const times = await timesOf(() => debug.evaluate('1 + 1'), QUESTIONS);
        await debug.ok('disconnect');
        return { figure: percentile95(times), detail: `p95 of ${QUESTIONS}, median ${median(times).toFixed(2)} ms` };
      }),
  },
  {
    area: 'debugger',
    name: 'from the end of a paused run to the end of its process',
    unit: 'ms',
    goal: { atMost: 20 },
    run: () =>
      withClient(async (client) => {
        const times: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const debug = await paused(client);
          const hosts = scriptHostsOf(process.pid);
          const start = performance.now();
          const ended = debug.ok('terminate');
          // One is the spare, which stays.
          while (hosts.every(isRunning)) await pause(1);
          times.push(performance.now() - start);
          await ended;
          await debug.ok('disconnect');
        }
        return { figure: median(times), detail: `median of ${ROUNDS}, slowest ${Math.max(...times).toFixed(1)} ms` };
      }),
  },
  {
    area: 'debugger',
    name: 'a step in the window, from the key to the painted variables',
    unit: 'ms',
    goal: { atMost: 15 },
    async run() {
      const workbench = await startBrowserWorkbench({ ownBrowser: true, flags: NO_FRAME_CLOCK });
      try {
        const { page } = await workbench.open();
        await workbench.saveScript('Bench/Stepped', STEPPED);
        await page.getByRole('treeitem', { name: 'Stepped' }).click();
        await page.locator('.view-line').filter({ hasText: 'list[turn' }).waitFor();
        await page.locator('button[aria-label="Debug"]:not([aria-disabled="true"])').waitFor();
        await page.keyboard.press('F10');
        const variables = page.getByRole('region', { name: 'Debugger' }).getByRole('tree', { name: 'Variables' });
        await variables.getByRole('treeitem', { name: /^list/ }).waitFor();
        await page.evaluate(timesOfSteps, FIRST_STEPS);
        const times = await page.evaluate(timesOfSteps, STEPS);
        if (times.length < STEPS) throw new Error(`${STEPS - times.length} steps changed no variable`);
        const painted = times.map((one) => one.painted);
        const written = times.map((one) => one.written);
        return {
          figure: percentile95(painted),
          detail:
            `p95 of ${times.length} steps, median ${median(painted).toFixed(1)} ms, without the clock of a screen, which ` +
            `adds up to 16.7 ms; in the document after ${percentile95(written).toFixed(1)} ms (p95), median ` +
            `${median(written).toFixed(1)} ms`,
        };
      } finally {
        await workbench.close();
      }
    },
  },
];
