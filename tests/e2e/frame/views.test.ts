import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { focusIn, goTo, nextTurn } from '../steps.ts';

/** Views that were visible before, which keep their rows and their layout. */
describe('a hidden view', () => {
  let workbench: BrowserWorkbench;
  let page: Page;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'tags' }));
  beforeEach(async () => {
    ({ page } = await shared());
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, 'Tags');
    await tags().getByRole('row').nth(5).waitFor();
  });

  const tags = () => page.getByRole('grid', { name: 'Tags', exact: true });

  test('shows its former rows in the first frame after the key', async () => {
    const row = tags().getByRole('row').nth(3);
    await row.evaluate((element) => element.setAttribute('data-seen-before', ''));
    await goTo(page, 'Settings');
    const before = page.locator('[data-seen-before]');
    expect(await before.count()).toBe(1);
    expect(await before.isVisible()).toBe(false);
    await page.evaluate(() => {
      const look = () => {
        const isThere = document.querySelector('[data-seen-before]')?.checkVisibility() === true;
        document.documentElement.dataset['firstFrame'] = String(isThere);
      };
      window.addEventListener('keydown', ({ key }) => key === '2' && requestAnimationFrame(look), { capture: true });
    });
    await page.keyboard.press('Control+2');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['firstFrame'])).toBe('true');
  });

  test('shows what changed in the meantime', async () => {
    const path = 'Bench.Hidden.Value';
    const client = await workbench.client();
    await client.tags.import({ format: 'json', text: JSON.stringify([{ path, kind: 'storage', type: 'Int' }]) });
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill(path);
    const row = tags().getByRole('row', { name: path });
    await client.tags.set({ items: [{ tag: path, value: 1 }] });
    const value = row.getByRole('gridcell').nth(1);
    await expect.poll(() => value.textContent()).toBe('1');
    await goTo(page, 'Settings');
    await client.tags.set({ items: [{ tag: path, value: 2 }] });
    await goTo(page, 'Tags');
    await expect.poll(() => value.textContent()).toBe('2');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('');
  });

  test('has rows for a window that became higher', async () => {
    await page.setViewportSize({ width: 1440, height: 500 });
    await nextTurn(page);
    await goTo(page, 'Settings');
    await page.setViewportSize({ width: 1440, height: 1_400 });
    await goTo(page, 'Tags');
    const isFilled = () =>
      tags().evaluate((grid) => {
        const { left, bottom } = grid.getBoundingClientRect();
        return document.elementFromPoint(left + 40, bottom - 40)?.closest('[role="row"]') !== null;
      });
    await expect.poll(isFilled).toBe(true);
  });

  test('gets no focus, no pointer, and is no landmark', async () => {
    await goTo(page, 'Settings');
    const settings = page.getByRole('region', { name: 'All settings' });
    await focusIn(settings);
    expect(await page.getByRole('main').count()).toBe(1);
    const under = () => {
      const around = document.elementFromPoint(700, 450)?.closest('main');
      return around?.getAttribute('aria-label') ?? null;
    };
    expect(await page.evaluate(under)).toBe('Settings');
    const visited = new Set<string>();
    for (const key of ['F6', 'F6', 'F6', 'F6', 'F6', 'F6', 'Tab', 'Tab', 'Shift+F6', 'Shift+F6']) {
      await page.keyboard.press(key);
      visited.add(
        await page.evaluate(() => document.activeElement?.closest('main')?.getAttribute('aria-label') ?? 'frame'),
      );
    }
    expect([...visited].toSorted()).toEqual(['Settings', 'frame']);
  });
});
