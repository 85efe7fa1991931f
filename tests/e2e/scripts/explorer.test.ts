import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  dialogGone,
  dialogThere,
  editorHasFocus,
  editorIsThere,
  editorText,
  focusIn,
  goTo,
  heldNotice,
  newScript,
  openScript,
  pickInPalette,
  renameTo,
  runToEnd,
  typeAhead,
  undo,
} from '../steps.ts';

describe('the explorer, by keyboard', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    await workbench.saveScript('Keys/Zebra', 'return "zebra";');
    window = await shared();
    await goTo(window.page, 'Scripts');
    await window.page.getByRole('searchbox', { name: 'Filter scripts' }).fill('');
    await editorIsThere(window.page);
  });

  const scripts = async () => {
    const library = await (await workbench.client()).scripts.list();
    return library.scripts.map(({ group, name }) => `${group}/${name}`);
  };

  const tree = () => window.page.getByRole('tree', { name: 'Scripts by group' });
  const toTree = async () => {
    await window.page.keyboard.press('Control+Shift+E');
    await focusIn(tree());
  };

  test('find by typing, open, rename, move, duplicate, delete and undo', async () => {
    const { page } = window;
    const { keyboard } = page;
    await toTree();
    await typeAhead(page, 'zeb', () => tree().locator('[data-active="true"]').getAttribute('aria-label'));
    await keyboard.press('Enter');
    await expect.poll(() => editorText(page)).toContain('return "zebra";');

    await toTree();
    await renameTo(page, 'Okapi');
    await expect.poll(scripts).toContain('Keys/Okapi');
    await page.getByRole('tab', { name: 'Okapi', selected: true }).waitFor();
    await page.getByRole('treeitem', { name: 'Okapi', selected: true }).waitFor();

    await toTree();
    await keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Move to another group…' }).press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog'));
    await page.getByRole('combobox', { name: 'To group' }).fill('Elsewhere');
    await page.getByRole('button', { name: 'Move' }).press('Enter');
    await dialogGone(dialog);
    await expect.poll(scripts).toContain('Elsewhere/Okapi');

    await page.getByRole('treeitem', { name: 'Elsewhere', expanded: true }).waitFor();
    await page.getByRole('treeitem', { name: 'Okapi', selected: true }).waitFor();
    await toTree();
    await keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter');
    await page.getByRole('tab', { name: 'Okapi copy', selected: true }).waitFor();
    await page.getByRole('treeitem', { name: 'Okapi copy', selected: true }).waitFor();
    expect(await scripts()).toContain('Elsewhere/Okapi copy');

    await toTree();
    await keyboard.press('Delete');
    const notice = await heldNotice(page, 'Deleted “Okapi copy”');
    expect(await accessibilityFindings(page, 'a notice')).toEqual([]);
    expect(await scripts()).not.toContain('Elsewhere/Okapi copy');
    await keyboard.press('Alt+T');
    await focusIn(page.locator('.fui-ToastContainer').filter({ hasText: 'Okapi copy' }));
    await keyboard.press('Tab');
    await focusIn(notice.getByRole('button', { name: 'Undo' }));
    await keyboard.press('Enter');
    await focusIn(tree());
    // The focus stays where the user moves it while the notice fades out.
    const filter = page.getByRole('searchbox', { name: 'Filter scripts' });
    await filter.focus();
    await notice.waitFor({ state: 'detached' });
    await focusIn(filter);
    await expect.poll(scripts).toContain('Elsewhere/Okapi copy');

    // Enter on the notice itself runs its action; held, it does not act on the tree as well.
    await toTree();
    await keyboard.press('Delete');
    await heldNotice(page, 'Deleted “Okapi copy”');
    await keyboard.press('Alt+T');
    await focusIn(page.locator('.fui-ToastContainer').filter({ hasText: 'Okapi copy' }));
    await tree().evaluate((element) => {
      Object.assign(globalThis, { reached: 0 });
      element.addEventListener('keydown', () => Object.assign(globalThis, { reached: 1 }));
    });
    for (let held = 0; held < 4; held += 1) await keyboard.down('Enter');
    await keyboard.up('Enter');
    await focusIn(tree());
    await expect.poll(scripts).toContain('Elsewhere/Okapi copy');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'reached'))).toBe(0);
  });

  test('the filter shows matching scripts, and a message if there are none', async () => {
    const { page } = window;
    await page.getByRole('searchbox', { name: 'Filter scripts' }).fill('zeb');
    await expect.poll(() => page.getByRole('treeitem').allInnerTexts()).toEqual(['Keys', 'Zebra']);
    await page.getByRole('searchbox', { name: 'Filter scripts' }).fill('no such script');
    await page.getByText('No scripts match.').waitFor();
  });

  test('a group is created, and can be deleted only when it has no scripts', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = await dialogThere(page.getByRole('dialog'));
    await page.getByRole('textbox', { name: 'Script Group' }).fill('Empty one');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    const group = page.getByRole('treeitem', { name: 'Empty one, empty group' });
    await group.waitFor();
    await page.getByRole('treeitem', { name: 'Keys' }).click();
    await focusIn(tree());
    await page.keyboard.press('Delete');
    await page
      .locator('.fui-ToastBody')
      .getByText(/Move or delete them first/)
      .waitFor();
    await group.click();
    await focusIn(tree());
    await page.keyboard.press('Delete');
    await group.waitFor({ state: 'detached' });
    expect(await scripts()).toContain('Keys/Zebra');
    await undo(page, 'Deleted the group “Empty one”');
    await group.waitFor();
    // Unfolded again.
    await page.getByRole('treeitem', { name: 'Keys' }).click();
    await page.getByRole('treeitem', { name: 'Keys', expanded: true }).waitFor();
  });

  test('a new script is shown even in a collapsed group, which collapses again', async () => {
    const { page } = window;
    const group = (expanded: boolean) => page.getByRole('treeitem', { name: 'Keys', exact: true, expanded });
    await workbench.saveScript('Keys/Yak', 'return "yak";');
    await pickInPalette(page, 'zebra', /Zebra/);
    await page.getByRole('treeitem', { name: 'Zebra', selected: true }).waitFor();
    await group(true).click();
    await group(false).waitFor();
    expect(await page.getByRole('treeitem', { name: 'Zebra' }).count()).toBe(0);

    await newScript(page, 'return "ibex";');
    await page.getByRole('treeitem', { name: /^Untitled/, selected: true }).waitFor();
    await page.keyboard.press('Control+S');
    const dialog = await dialogThere(page.getByRole('dialog'));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ibex');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    const ibex = page.getByRole('treeitem', { name: 'Ibex', selected: true });
    await ibex.waitFor();
    await group(true).waitFor();
    await expect.poll(() => ibex.evaluate((row) => row.checkVisibility() && row.dataset['active'])).toBe('true');

    await group(true).click();
    await group(false).waitFor();
    await pickInPalette(page, 'yak', /Yak/);
    await page.getByRole('treeitem', { name: 'Yak', selected: true }).waitFor();
  });

  test('the palette opens a script, a tag and a command by name', async () => {
    const { page } = window;
    await pickInPalette(page, 'zebra', /Zebra/);
    await expect.poll(() => editorText(page)).toContain('return "zebra";');
    await pickInPalette(page, 'line1 filler speed', /Bottling\.Line1\.Filler\.Speed\.Value/);
    await page.getByRole('heading', { name: 'Bottling.Line1.Filler.Speed.Value' }).waitFor();
    await pickInPalette(page, 'theme dark', /Theme: dark/);
    await page.locator('[data-theme="dark"]').waitFor();
    await page.reload();
    await page.locator('[data-theme="dark"]').waitFor();
    await page.keyboard.press('Shift+F1');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Ctrl+K').waitFor();
    await page.keyboard.press('Escape');
    await dialogGone(keys);
  });

  test('the palette opens again at once, even right after a selection', async () => {
    const { page } = window;
    // A slow processor extends the time between the selection and the next key. Chromium spins to slow it down.
    const slow = await page.context().newCDPSession(page);
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    const palette = page.getByRole('combobox', { name: 'Command palette' });
    for (const text of sampled(['zebra', 'theme: light', 'zebra'], 1)) {
      await page.keyboard.press('Control+K');
      await focusIn(palette);
      await palette.fill(text);
      await page.getByRole('option', { name: new RegExp(text, 'i'), selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await palette.waitFor({ state: 'detached' });
      // No wait before it: this key must not be lost.
      await page.keyboard.press('Control+K');
      await focusIn(palette);
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+K');
      await focusIn(palette);
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
      await page.keyboard.press('Shift+F1');
      const keys = await dialogThere(page.getByRole('dialog', { name: 'Keys' }));
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached' });
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
    await slow.detach();
  });

  test('opening the page, a script, and its result without a mouse', async () => {
    const { page } = window;
    const { keyboard } = page;
    await keyboard.press('F6');
    await newScript(page, 'return 6 * 7;');
    await runToEnd(page, 'ok');
    await expect.poll(() => page.getByRole('region', { name: 'Result as JSON' }).innerText()).toBe('42');
    await keyboard.press('F6');
    await focusIn(page.locator('[data-pane="preview"]'));
    await keyboard.press('Shift+F6');
    await editorHasFocus(page);
    await keyboard.press('Control+S');
    const dialog = page.getByRole('dialog', { name: 'Save the new script' });
    await focusIn(dialog.getByRole('textbox', { name: 'Name' }));
    await keyboard.insertText('Forty two');
    await keyboard.press('Enter');
    await dialogGone(dialog);
    await expect.poll(async () => (await scripts()).some((name) => name.endsWith('/Forty two'))).toBe(true);
    await openScript(page, 'Forty two');
  });
});
