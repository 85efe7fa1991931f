import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { sampled } from '../support/scale.ts';
import { sharedWindow } from '../support/shared-window.ts';
import { chooseTheme, editorIsThere, THEMES } from './steps.ts';

/** The folder of the pictures, for review; ignored by Git. */
const FOLDER = resolve(import.meta.dirname, '../artifacts/screens');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
];

/** The views of the activity bar, so that new views are tested automatically. */
async function viewNames(page: Page): Promise<string[]> {
  const buttons = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
  return buttons.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? ''));
}

/** Opens a view by its shortcut, so that the picture contains no tooltip, and waits until the view is complete. */
async function showView(page: Page, name: string, keys: string): Promise<void> {
  await page.keyboard.press(keys);
  const main = page.getByRole('main', { name, exact: true });
  await expect.poll(async () => (await main.innerText()).trim().length).toBeGreaterThan(0);
  await expect.poll(() => main.getByRole('progressbar').count()).toBe(0);
}

/** Elements that are wider than the window. */
function tooWide(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The visible toolbars whose parts do not fit in one row. */
function wrapped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main:not([hidden]) header')].flatMap((bar) => {
      const middles = [...bar.querySelectorAll('button, input')]
        .map((part) => part.getBoundingClientRect())
        .filter(({ height }) => height > 0)
        .map(({ top, height }) => top + height / 2);
      const isWrapped = Math.max(...middles) - Math.min(...middles) > 10;
      return isWrapped ? [bar.textContent] : [];
    }),
  );
}

describe('every view', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));

  test.for(sampled(THEMES, 1))(
    'in theme %s: axe finds nothing, nothing is cut off, and a picture is saved',
    async (theme) => {
      const { page } = await shared();
      await chooseTheme(page, theme);
      await page.keyboard.press('Control+1');
      await editorIsThere(page);
      const names = await viewNames(page);
      expect(names).toContain('Tags');
      const found: string[] = [];
      for (const [index, name] of names.entries()) {
        await showView(page, name, `Control+${index + 1}`);
        found.push(...(await accessibilityFindings(page, name)));
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await expect
            .poll(() => tooWide(page), { message: `${name} is wider than a window of ${size.width} px` })
            .toBeLessThanOrEqual(0);
          const file = `${name.toLowerCase().replaceAll(' ', '-')}-${theme}-${size.width}x${size.height}.png`;
          await page.screenshot({ path: resolve(FOLDER, file) });
        }
      }
      expect(found).toEqual([]);
    },
  );

  test('toolbars of the events list and of a Diagram stay in one row in a small window', async () => {
    const { page } = await shared();
    await page.setViewportSize({ width: 1024, height: 700 });
    await showView(page, 'Events', 'Control+4');
    await page.getByRole('button', { name: 'Create test events' }).waitFor();
    expect(await wrapped(page)).toEqual([]);
    await showView(page, 'Diagrams', 'Control+6');
    await page.getByRole('grid', { name: 'Diagrams' }).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'Open in new window' }).waitFor();
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'Add a part' }).waitFor();
    expect(await wrapped(page)).toEqual([]);
  });
});
