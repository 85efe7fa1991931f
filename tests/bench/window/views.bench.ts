import type { Page } from 'playwright';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import type { Bench } from '../bench.ts';
import { median } from '../compare.ts';

const ROUNDS = 12;
/** Rounds that fetch the views and draw them for the first time. */
const WARMING = 2;

/** What a view shows first, by its key. Row 1 of a grid is its header. */
const FIRST_ROWS = [
  ['1', '[role="tree"][aria-label="Scripts by group"] [role="treeitem"]'],
  ['2', '[role="grid"][aria-label="Tags"] [role="row"]:nth-of-type(2)'],
  ['3', '[role="grid"][aria-label="Rules"] [role="row"]:nth-of-type(2)'],
  ['4', '[role="grid"][aria-label="Events"] [role="row"]:nth-of-type(2)'],
  ['5', '[role="grid"][aria-label="Mocks"] [role="row"]:nth-of-type(2)'],
  ['6', '[role="grid"][aria-label="Diagrams"] [role="row"]:nth-of-type(2)'],
  ['7', 'main input'],
  ['8', '[role="tree"][aria-label="Results of the search"] [role="treeitem"]'],
] as const;

/** Ms from the key event in the page to the frame after the one that draws the first row. */
async function switchTo(page: Page, key: string, row: string): Promise<number> {
  await page.evaluate((selector) => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Control') return;
      window.removeEventListener('keydown', listen, { capture: true });
      const look = () => {
        const isThere = [...document.querySelectorAll(selector)].some((element) => element.checkVisibility());
        requestAnimationFrame(isThere ? () => performance.measure('switched', { start: event.timeStamp }) : look);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener('keydown', listen, { capture: true });
    performance.clearMeasures('switched');
  }, row);
  await page.keyboard.press(`Control+${key}`);
  const measured = await page.waitForFunction(() => performance.getEntriesByName('switched')[0]?.duration ?? null);
  return Number(await measured.jsonValue());
}

export const benches: Bench[] = [
  {
    area: 'views',
    name: 'from the key to the painted first row, between views that were opened before: the slowest view',
    unit: 'ms',
    goal: { atMost: 100 },
    async run() {
      const workbench = await startBrowserWorkbench({ ownBrowser: true });
      try {
        const { page } = await workbench.open();
        // The view Search has rows only for a search.
        await page.keyboard.press('Control+Shift+F');
        await page.getByRole('searchbox', { name: 'Search for' }).fill('Speed');
        await page.getByRole('tree', { name: 'Results of the search' }).getByRole('treeitem').first().waitFor();
        const times = new Map<string, number[]>(FIRST_ROWS.map(([key]) => [key, []]));
        for (let round = 0; round < ROUNDS + WARMING; round += 1) {
          for (const [key, row] of FIRST_ROWS) {
            const ms = await switchTo(page, key, row);
            if (round >= WARMING) times.get(key)?.push(ms);
          }
        }
        const all = [...times.values()];
        const each = [...times].map(([key, of]) => `Ctrl+${key} ${median(of).toFixed(0)} ms`).join(', ');
        return {
          figure: Math.max(...all.map(median)),
          detail: `medians of ${ROUNDS}: ${each}; longest ${Math.max(...all.flat()).toFixed(0)} ms`,
        };
      } finally {
        await workbench.close();
      }
    },
  },
];
