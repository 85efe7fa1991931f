import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import type { Bench } from './bench.ts';
import { median } from './compare.ts';

const ROUNDS = 30;
/** Switches that fetch the views and draw them for the first time. */
const WARMING = 4;

export const benches: Bench[] = [
  {
    area: 'views',
    name: 'from the key to the painted view, between views that were opened before',
    unit: 'ms',
    goal: { atMost: 100 },
    async run() {
      const workbench = await startBrowserWorkbench({ ownBrowser: true });
      try {
        const { page } = await workbench.open();
        // From the key event in the page to the second frame after it, when the first one has been painted.
        await page.evaluate(() => {
          const listen = ({ key, timeStamp: start }: KeyboardEvent) => {
            if (key === 'Control') return;
            requestAnimationFrame(() => requestAnimationFrame(() => performance.measure('switched', { start })));
          };
          window.addEventListener('keydown', listen, { capture: true });
        });
        for (let round = 1; round <= ROUNDS + WARMING; round += 1) {
          await page.keyboard.press(round % 2 === 0 ? 'Control+1' : 'Control+2');
          await page.waitForFunction((count) => performance.getEntriesByName('switched').length >= count, round);
        }
        const all = await page.evaluate(() => performance.getEntriesByName('switched').map(({ duration }) => duration));
        const times = all.slice(WARMING);
        return { figure: median(times), detail: `median of ${ROUNDS}, longest ${Math.max(...times).toFixed(0)} ms` };
      } finally {
        await workbench.close();
      }
    },
  },
];
