import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import type { Bench } from './bench.ts';
import { median } from './compare.ts';

const ROUNDS = 7;
/** A line of the sample script that opens at the first start. */
const FIRST_TEXT = 'TagValueManager';

/** Time from the start of the navigation until the condition holds, in ms. It is checked in every frame of the page. */
async function untilText(selector: string): Promise<number> {
  const workbench = await startBrowserWorkbench({ ownBrowser: true });
  try {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const window = await workbench.open();
      const { page } = window;
      // A new profile for each round, so nothing of the page is cached.
      const context = await workbench.browser.newContext({ storageState: await page.context().storageState() });
      const cold = await context.newPage();
      await cold.goto(page.url(), { waitUntil: 'commit' });
      const shown = await cold.waitForFunction(
        ([within, text]) => {
          const there = [...document.querySelectorAll(within)].some((line) => line.textContent.includes(text));
          return there ? performance.now() : null;
        },
        [selector, FIRST_TEXT] as const,
        { polling: 'raf', timeout: 30_000 },
      );
      // The first round warms up the browser and the disk.
      if (round > 0) times.push(Number(await shown.jsonValue()));
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
];
