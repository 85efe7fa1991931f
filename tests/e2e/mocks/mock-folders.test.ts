import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { remoteServer } from '../../support/services/remote-server.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { THEMES, chooseTheme, dialogGone, dialogThere, focusIn, undo } from '../steps.ts';

describe('folders of mocks', () => {
  let workbench: BrowserWorkbench;
  let page: Page;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'mocks', reducedMotion: 'reduce' }));
  let imports = 0;
  beforeEach(async () => {
    const { mocks } = await workbench.client();
    imports += 1;
    const marker = `Import ${imports}`;
    const body = { name: 'Plain', request: { url: 'https://erp.example/plain' } };
    await mocks.import({
      format: 'tagwright',
      replace: true,
      text: JSON.stringify([
        body,
        { ...body, name: 'Stock', folder: 'ERP' },
        { ...body, name: 'Order', folder: 'ERP/Orders' },
        { ...body, name: 'Cancel', folder: 'ERP/Orders', enabled: false },
        { ...body, name: marker },
      ]),
    });
    ({ page } = await shared());
    await page.getByRole('searchbox', { name: 'Filter mocks' }).fill('');
    // The list still has the mocks of the test before until it has this one.
    await row(marker).waitFor();
    const { id } = (await mocks.list()).mocks.find((mock) => mock.name === marker) ?? {};
    await mocks.delete({ ids: [id ?? 0] });
    await row(marker).waitFor({ state: 'detached' });
    await row('Cancel').waitFor();
  });

  const grid = () => page.getByRole('treegrid', { name: 'Mocks' });
  const row = (name: string) =>
    grid()
      .getByRole('row')
      .filter({ has: page.getByText(name, { exact: true }) });
  const name = () => page.getByRole('form', { name: 'Mock', exact: true }).getByRole('textbox', { name: 'Name' });
  const pane = () => page.getByRole('region', { name: 'Folder' });
  /** The names of the rows. */
  const shown = () =>
    grid()
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.slice(1).map((one) => {
          const cells = [...one.querySelectorAll('[role="gridcell"]')];
          const folder = cells.length === 1 ? cells[0]?.querySelector('span[title]')?.textContent : undefined;
          return folder ?? cells[3]?.textContent ?? '';
        }),
      );
  const folders = async () => {
    const { mocks } = await (await workbench.client()).mocks.list();
    return Object.fromEntries(mocks.map((mock) => [mock.name, mock.folder ?? '']));
  };
  const enabled = async () => {
    const { mocks } = await (await workbench.client()).mocks.list();
    return mocks.filter((mock) => mock.enabled).map((mock) => mock.name);
  };

  test('are walked through, collapsed, switched and found by keys', async () => {
    await row('Plain').click();
    await expect.poll(() => name().inputValue()).toBe('Plain');
    await page.keyboard.press('ArrowDown');
    await pane().getByText('3 mocks, 1 disabled.').waitFor();
    await expect.poll(() => row('ERP').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => name().inputValue()).toBe('Stock');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(shown).toEqual(['Plain', 'ERP', 'Stock', 'Orders']);
    expect(await row('Orders').getAttribute('aria-level')).toBe('2');
    await page.keyboard.press('E');
    await expect.poll(enabled).toEqual(['Plain', 'Stock', 'Order', 'Cancel']);
    await expect.poll(() => row('ERP').getByRole('checkbox').isChecked()).toBe(true);
    await page.keyboard.press('E');
    await expect.poll(enabled).toEqual(['Plain', 'Stock']);
    await undo(page, 'Disabled 2 mocks');
    await expect.poll(enabled).toEqual(['Plain', 'Stock', 'Order', 'Cancel']);
    await page.keyboard.press('Control+F');
    await focusIn(page.getByRole('searchbox', { name: 'Filter mocks' }));
    await page.keyboard.type('cancel');
    await expect.poll(shown).toEqual(['ERP', 'Orders', 'Cancel']);
    await page.keyboard.press('Escape');
    await expect.poll(shown).toEqual(['Plain', 'ERP', 'Stock', 'Orders']);
    await row('Orders').dblclick();
    await expect.poll(shown).toContain('Order');
  });

  test('stay collapsed after a reload, until a mock in them is opened', async () => {
    const { page: other, close } = await workbench.open({ view: 'mocks', reducedMotion: 'reduce' });
    const tree = other.getByRole('treegrid', { name: 'Mocks' });
    const order = tree.getByText('Order', { exact: true });
    await tree.getByRole('row').filter({ hasText: 'Orders' }).locator('[data-toggle]').click();
    await order.waitFor({ state: 'detached' });
    await other.reload();
    await tree.getByText('Orders', { exact: true }).waitFor();
    expect(await order.count()).toBe(0);
    await other.keyboard.press('Control+Shift+F');
    const search = other.getByRole('searchbox', { name: 'Search for' });
    await focusIn(search);
    await search.fill('erp.example/plain');
    await other
      .getByRole('treeitem')
      .filter({ hasText: 'Order' })
      .first()
      .locator('xpath=following-sibling::*[1]')
      .click();
    await order.waitFor();
    await close();
  });

  test('are renamed with everything in them, and that is undone', async () => {
    await row('ERP').click();
    await page.keyboard.press('F2');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Rename or move “ERP”' }));
    const field = dialog.getByRole('textbox');
    await field.fill('a/'.repeat(10));
    await dialog.getByText('At most 10 levels of folders.').waitFor();
    await field.fill(' MES / Plant 2');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await expect
      .poll(folders)
      .toEqual({ Plain: '', Stock: 'MES/Plant 2', Order: 'MES/Plant 2/Orders', Cancel: 'MES/Plant 2/Orders' });
    await pane().getByRole('heading', { name: 'MES / Plant 2' }).waitFor();
    await focusIn(grid());
    await undo(page, 'Renamed “ERP” to “MES/Plant 2”');
    await expect.poll(folders).toEqual({ Plain: '', Stock: 'ERP', Order: 'ERP/Orders', Cancel: 'ERP/Orders' });
    await pane().getByRole('heading', { name: 'ERP', exact: true }).waitFor();
  });

  test('are deleted with their mocks, and restored', async () => {
    await row('Orders').click();
    await page.keyboard.press('Delete');
    await expect.poll(shown).toEqual(['Plain', 'ERP', 'Stock']);
    await undo(page, 'Deleted 2 mocks');
    await expect.poll(folders).toEqual({ Plain: '', Stock: 'ERP', Order: 'ERP/Orders', Cancel: 'ERP/Orders' });
  });

  test('take mocks by key, by menu, from the editor and by dragging', async () => {
    await row('Plain').click();
    await row('Stock').click({ modifiers: ['Control'] });
    await page.keyboard.press('M');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Move 2 mocks' }));
    await focusIn(dialog.getByRole('combobox', { name: 'Folder' }));
    await page.keyboard.type('Line 1');
    expect(await accessibilityFindings(page, 'a move', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await expect.poll(folders).toMatchObject({ Plain: 'Line 1', Stock: 'Line 1' });
    await undo(page, 'Moved 2 mocks to “Line 1”');
    await expect.poll(folders).toMatchObject({ Plain: '', Stock: 'ERP' });
    await expect.poll(shown).toEqual(['Plain', 'ERP', 'Stock', 'Orders', 'Order', 'Cancel']);

    await row('Order').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move out of the folder' }).click();
    await expect.poll(folders).toMatchObject({ Order: '' });
    await expect.poll(shown).toEqual(['Plain', 'Order', 'ERP', 'Stock', 'Orders', 'Cancel']);
    await row('Cancel').click();
    await page.getByRole('combobox', { name: 'Folder' }).fill('ERP/Done');
    await page.keyboard.press('Control+S');
    await expect.poll(folders).toMatchObject({ Cancel: 'ERP/Done' });
    await row('Done').waitFor();

    await row('Order').dragTo(row('Done'));
    await expect.poll(folders).toMatchObject({ Order: 'ERP/Done' });
    await expect.poll(shown).toEqual(['Plain', 'ERP', 'Stock', 'Done', 'Order', 'Cancel']);
    await row('Done').dragTo(row('Plain'));
    await expect.poll(folders).toEqual({ Plain: '', Stock: 'ERP', Order: 'Done', Cancel: 'Done' });
  });

  test('have new mocks, and mocks move only among those of their folder', async () => {
    await row('Orders').click();
    await page.keyboard.press('Alt+N');
    await focusIn(name());
    await page.keyboard.type('New in Orders');
    await expect.poll(() => page.getByRole('combobox', { name: 'Folder' }).inputValue()).toBe('ERP/Orders');
    await row('● new').waitFor();
    await page.getByRole('textbox', { name: 'URL pattern' }).fill('https://erp.example/new');
    await page.keyboard.press('Control+S');
    await expect.poll(folders).toMatchObject({ 'New in Orders': 'ERP/Orders' });
    await row('● new').waitFor({ state: 'detached' });
    await row('New in Orders').click();
    await focusIn(grid());
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(shown).toEqual(['Plain', 'ERP', 'Stock', 'Orders', 'Order', 'New in Orders', 'Cancel']);
  });

  test('take recorded mocks; the choice follows a renamed folder', async () => {
    const client = await workbench.client();
    const chosen = async () => (await client.mocks.list()).recordFolder;
    const end = await remoteServer((_asked, response) => void response.end('{}'));
    await page.getByRole('switch', { name: 'Record live calls' }).press('Space');
    await page.getByRole('button', { name: 'Into no folder' }).press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Folder for recorded mocks' }));
    const field = dialog.getByRole('combobox', { name: 'Folder' });
    await focusIn(field);
    expect(await accessibilityFindings(page, 'folder for recorded mocks')).toEqual([]);
    await page.keyboard.type('a/b/c/d/e/f/g/h/i/j/k');
    await dialog.getByText('At most 10 levels of folders').waitFor();
    await field.fill('ERP/Recorded');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await page.getByRole('button', { name: 'Into ERP/Recorded' }).waitFor();
    expect(await chosen()).toBe('ERP/Recorded');
    await workbench.saveScript('Mocks/Record', `return ApiValueManager.Fetch('${end.base}/level', 'get').StatusCode;`);
    await workbench.tagwright('run', '--script', 'Mocks/Record', '--json');
    await row('Recorded').waitFor();
    await page.getByText('1 mock recorded').waitFor();

    await row('ERP').click();
    await page.keyboard.press('F2');
    const rename = await dialogThere(page.getByRole('dialog'));
    await rename.getByRole('textbox').fill('SAP');
    await page.keyboard.press('Enter');
    await dialogGone(rename);
    await expect.poll(chosen).toBe('SAP/Recorded');
    await page.getByRole('button', { name: 'Into SAP/Recorded' }).waitFor();
    await undo(page, 'Renamed “ERP” to “SAP”');
    await expect.poll(chosen).toBe('ERP/Recorded');
    await page.getByRole('switch', { name: 'Record live calls' }).press('Space');
    await client.settings.reset({ keys: ['api.recordFolder'] });
    await page.getByRole('button', { name: 'Into ' }).waitFor({ state: 'detached' });
  });

  test('have no finding of axe in any theme', async () => {
    for (const theme of sampled(THEMES, 1)) {
      // oxlint-disable no-await-in-loop -- one window
      await chooseTheme(page, theme);
      await row('ERP').click();
      await pane().waitFor();
      expect(await accessibilityFindings(page, 'folders')).toEqual([]);
      // oxlint-enable no-await-in-loop
    }
  });
});
