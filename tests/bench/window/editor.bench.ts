import type { Page } from 'playwright';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import type { Bench } from '../bench.ts';
import { median } from '../compare.ts';
import { withBareEditor } from '../peers/bare-editor.ts';

const ROUNDS = 7;
/** A line of the sample script that opens at the first start. */
const FIRST_TEXT = 'TagValueManager';

/** Bytes per second of a connection of 10 Mbit/s, and its delay in ms. */
const SLOW_CONNECTION = { downloadThroughput: 1_250_000, uploadThroughput: 1_250_000, latency: 20, offline: false };

/** Ms from the start of the navigation until the text is there. It is checked in every frame of the page. */
async function timeOfText(page: Page, selector: string): Promise<number> {
  const shown = await page.waitForFunction(
    ([within, text]) => {
      const there = [...document.querySelectorAll(within)].some((line) => line.textContent.includes(text));
      return there ? performance.now() : null;
    },
    [selector, FIRST_TEXT] as const,
    { polling: 'raf', timeout: 30_000 },
  );
  return Number(await shown.jsonValue());
}

/** The median time to the first text in pages with a cold cache, in ms. */
async function untilText(selector: string, { slowly = false } = {}): Promise<number> {
  const workbench = await startBrowserWorkbench({ ownBrowser: true });
  try {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const window = await workbench.open();
      const { page } = window;
      // A new profile for each round, so nothing of the page is cached.
      const context = await workbench.browser.newContext({ storageState: await page.context().storageState() });
      const cold = await context.newPage();
      if (slowly) {
        const network = await context.newCDPSession(cold);
        await network.send('Network.enable');
        await network.send('Network.emulateNetworkConditions', SLOW_CONNECTION);
      }
      await cold.goto(page.url(), { waitUntil: 'commit' });
      const time = await timeOfText(cold, selector);
      // The first round warms up the browser and the disk.
      if (round > 0) times.push(time);
      await context.close();
      await window.close();
    }
    return median(times);
  } finally {
    await workbench.close();
  }
}

export const benches: Bench[] = [
  {
    area: 'editor',
    name: 'the first text of a script is there, from a cold cache',
    unit: 'ms',
    goal: { atMost: 1_000 },
    async run() {
      const figure = await untilText('.view-line, [data-plain-text]');
      return { figure, detail: `median of ${ROUNDS} page loads in Chromium` };
    },
  },
  {
    area: 'editor',
    name: 'the first text of a script in Monaco, from a cold cache',
    unit: 'ms',
    goal: { atMost: 1_000 },
    async run() {
      const figure = await untilText('.view-line');
      return { figure, detail: `median of ${ROUNDS} page loads in Chromium` };
    },
  },
  {
    area: 'editor',
    name: 'the first text of a script in Monaco, from a cold cache over 10 Mbit/s',
    unit: 'ms',
    goal: { atMost: 3_000 },
    async run() {
      const figure = await untilText('.view-line', { slowly: true });
      return { figure, detail: `median of ${ROUNDS} page loads in Chromium` };
    },
  },
  {
    area: 'editor',
    name: 'the first text of a script in Monaco, after a reload',
    unit: 'ms',
    goal: { atMost: 700 },
    async run() {
      const workbench = await startBrowserWorkbench({ ownBrowser: true });
      try {
        const { page } = await workbench.open();
        const times: number[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          await page.reload({ waitUntil: 'commit' });
          const time = await timeOfText(page, '.view-line');
          // The first round fills the cache of compiled code.
          if (round > 0) times.push(time);
          await page.waitForTimeout(1_000);
        }
        return {
          figure: median(times),
          detail: `median of ${ROUNDS} reloads, longest ${Math.max(...times).toFixed(0)} ms`,
        };
      } finally {
        await workbench.close();
      }
    },
  },
  {
    area: 'editor',
    name: 'the first text of a script in Monaco, after a reload, against Monaco alone on a page',
    unit: '×',
    goal: { atMost: 1.5 },
    async run() {
      return withBareEditor(async (workbench, url) => {
        const context = await workbench.browser.newContext({ viewport: { width: 1440, height: 900 } });
        const pages = { bare: await context.newPage(), ours: (await workbench.open()).page };
        await pages.bare.goto(url);
        const times = { ours: new Array<number>(), bare: new Array<number>() };
        for (let round = 0; round <= ROUNDS; round += 1) {
          for (const side of ['bare', 'ours'] as const) {
            await pages[side].bringToFront();
            await pages[side].reload({ waitUntil: 'commit' });
            const time = await timeOfText(pages[side], '.view-line');
            // The first rounds fill the cache of compiled code.
            if (round > 0) times[side].push(time);
            await pages[side].waitForTimeout(1_000);
          }
        }
        const ratios = times.ours.map((time, round) => time / (times.bare[round] ?? Number.NaN));
        const both = `${median(times.ours).toFixed(0)} against ${median(times.bare).toFixed(0)} ms`;
        return { figure: median(ratios), detail: `${both}, medians of ${ROUNDS} reloads in turns` };
      });
    },
  },
];
