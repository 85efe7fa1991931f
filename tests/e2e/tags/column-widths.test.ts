import { expect, onTestFinished, test } from 'vitest';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';

test('columns are as wide as their contents, and a chosen width stays', async () => {
  const workbench = await startBrowserWorkbench();
  onTestFinished(() => workbench.close());
  const { page, close } = await workbench.open({ view: 'tags', viewport: { width: 1920, height: 900 } });
  const grid = page.getByRole('grid', { name: 'Tags', exact: true });
  const head = grid.getByRole('columnheader', { name: 'Quality', exact: true });
  const width = async () => Math.round((await head.boundingBox())?.width ?? 0);
  /** Texts of a column that do not fit. */
  const cut = (name: string) =>
    grid.evaluate((table, column) => {
      const place = [...table.querySelectorAll('[data-column]')].findIndex((one) => one.textContent === column);
      const cells = [...table.querySelectorAll('[role="row"]')].flatMap((row) => row.children[place] ?? []);
      return cells
        .filter((cell) => [cell, ...cell.querySelectorAll('*')].some((one) => one.scrollWidth > one.clientWidth))
        .map((cell) => cell.textContent);
    }, name);
  await grid.getByText('UncertainInitialValue').first().waitFor();
  await expect.poll(() => cut('Quality')).toEqual([]);
  await expect.poll(() => cut('Unit')).toEqual([]);
  await head.focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => cut('Quality')).not.toEqual([]);
  const chosen = await width();
  await page.reload();
  await grid.getByText('UncertainInitialValue').first().waitFor();
  await expect.poll(width).toBe(chosen);
  await close();
});
