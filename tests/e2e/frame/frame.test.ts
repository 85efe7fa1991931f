import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  covers,
  dialogGone,
  dialogThere,
  editorIsThere,
  focusIn,
  goTo,
  heldNotice,
  networkIdle,
  openOwnScript,
  pickInPalette,
} from '../steps.ts';

describe('the frame', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    // A port that is free on every test machine.
    await workbench.tagwright('settings', 'set', 'events.port=0');
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ permissions: ['clipboard-read', 'clipboard-write'] }));
  beforeEach(async () => {
    window = await shared();
    await goTo(window.page, 'Scripts');
    await editorIsThere(window.page);
  });

  const settings = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await workbench.tagwright('settings', 'list', '--json'));

  test('the events API: one click copies the address, the next pause and resume it', async () => {
    const { page } = window;
    const status = page.getByRole('contentinfo', { name: 'Status' });
    await status.getByRole('button', { name: /\/api\/events$/ }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/events$/);
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect((await fetch(address)).status).toBe(200);
    // A second click pauses only within a few seconds; after that, it copies again.
    await expect
      .poll(async () => {
        await status.getByRole('button', { name: /\/api\/events$/ }).click();
        const again = status.getByRole('button', { name: 'Address copied; click again to pause' });
        return again.click({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    await status.getByRole('button', { name: 'Events API paused' }).waitFor();
    await expect.poll(() => fetch(address).then(String, () => 'refused')).toBe('refused');
    await status.getByRole('button', { name: 'Events API paused' }).click();
    await status.getByRole('button', { name: /\/api\/events$/ }).waitFor();
    await expect.poll(async () => (await settings())['events.enabled']).toBe(true);
  });

  test('the status of script hosts and their sandbox is reached by keyboard', async () => {
    const { page } = window;
    const button = page.getByRole('contentinfo', { name: 'Status' }).getByRole('button', { name: /^Hosts: \d+ idle/ });
    // The tooltip of the element under the pointer would appear later and replace this one.
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await button.focus();
    await expect
      .poll(() => page.getByRole('tooltip').allInnerTexts())
      .toEqual([expect.stringContaining('OS sandbox: ')]);
    await button.press('Enter');
    await expect.poll(() => page.getByText('OS sandbox on this machine').isVisible()).toBe(true);
    // The focus comes in a turn of its own, and would close a menu or dialog that is opened before.
    await focusIn(page.getByRole('main', { name: 'Settings' }));
  });

  test('the mode of API calls is shown and switched', async () => {
    const { page } = window;
    const button = page.getByRole('button', { name: /^API calls:/ });
    await button.press('Enter');
    await page.getByRole('menuitemradio', { name: /^Offline/ }).press('Enter');
    await page.getByRole('button', { name: 'API calls: offline' }).waitFor();
    await expect.poll(async () => (await settings())['api.mode']).toBe('offline');
  });

  test('transient messages stay in the list of notices, with their actions', async () => {
    // A window without notices.
    const own = await workbench.open();
    const { page } = own;
    await editorIsThere(page);
    await page.keyboard.press('Control+Shift+E');
    await focusIn(page.getByRole('tree', { name: 'Scripts by group' }));
    await page.keyboard.press('Delete');
    // Its tests use it.
    const asked = await dialogThere(page.getByRole('dialog', { name: 'Delete the script' }));
    await asked.getByRole('button', { name: 'Delete' }).press('Enter');
    await dialogGone(asked);
    await page.getByRole('button', { name: 'Notices (1)' }).waitFor();
    // It is drawn in the theme, although it is outside the frame.
    const notice = await heldNotice(page, 'Deleted');
    const [background, font] = await notice.evaluate((toast) => {
      const { backgroundColor, fontFamily } = getComputedStyle(toast);
      return [backgroundColor, fontFamily];
    });
    expect(background).not.toBe('rgba(0, 0, 0, 0)');
    expect(font).toContain('Segoe UI');
    // The explorer is in use, on the left.
    await expect.poll(() => covers(notice, page.locator('[data-pane="explorer"]'))).toBe(false);
    await page.keyboard.press('Alt+Shift+N');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Notices' }));
    await dialog.getByText(/^Deleted/).waitFor();
    expect(await accessibilityFindings(page, 'notices', '[role="dialog"]')).toEqual([]);
    const client = await workbench.client();
    const scripts = async () => (await client.scripts.list()).scripts.length;
    const before = await scripts();
    await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(scripts).toBe(before + 1);
    await own.close();
  });

  test('keys do nothing to the page behind a dialog', async () => {
    const { page } = window;
    await openOwnScript(workbench, page);
    // A dialog hides the page behind it from roles.
    const hidden = { includeHidden: true };
    const tabs = page.getByRole('tablist', { name: 'Open scripts', ...hidden }).getByRole('tab', hidden);
    const before = await tabs.count();
    for (const [keys, name] of [
      ['Alt+H', /^History/],
      ['Alt+Shift+N', 'Notices'],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one dialog after the other
      await page.keyboard.press(keys);
      const dialog = await dialogThere(page.getByRole('dialog', { name }));
      for (const closing of ['Control+F4', 'Alt+W', 'Control+2', 'Delete']) await page.keyboard.press(closing);
      expect(await tabs.count()).toBe(before);
      await page.keyboard.press('Escape');
      await dialogGone(dialog);
      // oxlint-enable no-await-in-loop
    }
    await page.getByRole('main', { name: 'Scripts' }).waitFor();
    expect(await tabs.count()).toBe(before);
  });

  test('the first steps appear once, work by keyboard, and return only on request', async () => {
    const { page } = window;
    const steps = page.getByRole('complementary', { name: 'First steps' });
    expect(await steps.count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem('tagwright.first-steps'));
    await page.reload();
    await steps.getByRole('heading', { name: 'Scripts 1 of 4' }).waitFor();
    await editorIsThere(page);
    await page.keyboard.press('Shift+F6');
    await focusIn(steps.getByRole('button', { name: 'Next' }));
    for (const name of ['Find anything 2 of 4', 'The other views 3 of 4', 'Status at a glance 4 of 4']) {
      await page.keyboard.press('Enter');
      await steps.getByRole('heading', { name }).waitFor();
    }
    expect(await accessibilityFindings(page, 'first steps', 'aside')).toEqual([]);
    await page.keyboard.press('Enter');
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await editorIsThere(page);
    expect(await steps.count()).toBe(0);
    await pickInPalette(page, 'first steps', 'Show the first steps');
    await steps.getByRole('button', { name: 'Skip' }).press('Escape');
    await steps.waitFor({ state: 'detached' });
    // As right after the page opens, when nothing has the focus.
    await pickInPalette(page, 'first steps', 'Show the first steps');
    await steps.waitFor();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('Escape');
    await steps.waitFor({ state: 'detached' });
  });

  test('Shift+F1 lists every command of the opened views', async () => {
    const { page } = window;
    await page.keyboard.press('Shift+F1');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await dialogThere(keys);
    await keys.getByText('Run the script', { exact: true }).waitFor();
    expect(await keys.innerText()).toContain('Theme: high contrast');
    expect(await keys.getByText('Go to symbol in the script', { exact: true }).count()).toBe(1);
    const list = keys.getByRole('region', { name: 'Keys by section' });
    await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('End');
    await expect
      .poll(() => list.evaluate((element) => (element.parentElement?.scrollTop ?? 0) + element.scrollTop))
      .toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await dialogGone(keys);
  });

  test('F1 opens the page of the view, links lead on, and Escape closes it', async () => {
    const { page } = window;
    const help = page.getByRole('complementary', { name: 'Help' });
    const title = () => help.getByRole('heading', { level: 1 }).innerText();
    await goTo(page, 'Tags');
    const grid = page.getByRole('grid', { name: 'Tags', exact: true });
    await grid.getByRole('row').nth(1).click();
    await page.keyboard.press('F1');
    await focusIn(help.getByRole('region', { name: 'Tags' }));
    // At the section of the view.
    await expect.poll(() => help.getByRole('heading', { name: 'The Tags view (Ctrl+2)' }).isVisible()).toBe(true);
    await help.getByRole('link', { name: 'The workspace' }).first().press('Enter');
    await focusIn(help.getByRole('region', { name: 'The workspace' }));
    await page.keyboard.press('Alt+ArrowLeft');
    await focusIn(help.getByRole('region', { name: 'Tags' }));

    // Another view, as long as nobody has gone elsewhere in the manual; the focus moves into the view.
    await goTo(page, 'Events');
    await expect.poll(title).toBe('The Events view (Ctrl+4)');
    expect(await accessibilityFindings(page, 'with help')).toEqual([]);

    const search = help.getByRole('searchbox', { name: 'Search the manual' });
    await search.fill('BadNodeIdUnknown');
    await help.getByRole('button', { name: /Tags › Qualities/ }).press('Enter');
    await focusIn(help.getByRole('region', { name: 'Tags' }));
    await help.getByRole('heading', { name: 'Qualities' }).waitFor();
    await help.getByRole('combobox', { name: 'Page of the manual' }).selectOption('Troubleshooting');
    await expect.poll(title).toBe('Troubleshooting');
    await focusIn(help.getByRole('region', { name: 'Troubleshooting' }));
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

    // The manual needs no network. The code of views is loaded when the page is idle: each is opened before.
    const buttons = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
    const names = await buttons.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? ''));
    expect(names.length).toBeGreaterThan(7);
    for (const [index, name] of names.entries()) {
      await page.keyboard.press(`Control+${index + 1}`);
      await focusIn(page.getByRole('main', { name, exact: true }));
    }
    const views = sampled([...names.entries()], 4);
    await networkIdle(page);
    onTestFinished(() => window.context.setOffline(false));
    await window.context.setOffline(true);
    const titles: string[] = [];
    for (const [index, name] of views) {
      await page.keyboard.press(`Control+${index + 1}`);
      await focusIn(page.getByRole('main', { name, exact: true }));
      await page.keyboard.press('F1');
      await focusIn(help.getByRole('region'));
      titles.push(await title());
      await expect.poll(async () => (await help.getByRole('region').innerText()).length).toBeGreaterThan(500);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
    }
    expect(new Set(titles).size, titles.join()).toBe(views.length);
  });

  test('the palette starts with recent commands and those of the view', async () => {
    const { page } = window;
    const headings = async () => {
      await page.keyboard.press('Control+K');
      await focusIn(page.getByRole('combobox', { name: 'Command palette' }));
      const texts = await page.locator('[cmdk-group-heading]').allInnerTexts();
      const [first = ''] = await page.locator('[cmdk-item]').allInnerTexts();
      await page.keyboard.press('Escape');
      await dialogGone(page.getByRole('dialog', { name: 'Command palette' }));
      return { texts, first };
    };
    await goTo(page, 'Events');
    await page.getByRole('grid', { name: 'Events', exact: true }).waitFor();
    const { texts } = await headings();
    const [, own, ...others] = texts[0] === 'Recent' ? texts : ['', ...texts];
    expect(own).toBe('Events');
    expect(others).toContain('Workbench');
    await pickInPalette(page, 'theme light', /Theme: light/);
    const after = await headings();
    expect(after.texts[0]).toBe('Recent');
    expect(after.first).toContain('Theme: light');
  });

  test('an error links to its page of the manual', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, "TagValueManager.Set([{ tag: 'No.Such.Tag', value: 1 }]);\n");
    await page.keyboard.press('F5');
    const failed = page.getByRole('region', { name: 'Preview' }).getByRole('group', { name: 'Error' });
    await failed.getByRole('button', { name: 'Help' }).press('Enter');
    const help = page.getByRole('complementary', { name: 'Help' });
    await help.getByRole('heading', { name: /^Write tags/ }).waitFor();
    await focusIn(help.getByRole('region', { name: 'Scripts' }));
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('F1');
    // Where the focus returned to: the preview.
    await expect.poll(() => help.getByRole('region').getAttribute('aria-label')).toMatch(/Scripts/);
    // Escape clears the search first; the key of a view moves the focus there.
    const search = help.getByRole('searchbox', { name: 'Search the manual' });
    await search.fill('mock');
    await help.getByText(/sections$/).waitFor();
    await search.press('Escape');
    await expect.poll(() => search.inputValue()).toBe('');
    await focusIn(help);
    await goTo(page, 'Tags');
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    await help.getByRole('region').focus();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
  });

  test('side panes stay collapsed, and zen mode shows again those that were open', async () => {
    const { page } = window;
    const explorer = page.getByRole('region', { name: 'Explorer' });
    const preview = page.getByRole('region', { name: 'Preview' });
    const width = async (pane: typeof explorer) => (await pane.boundingBox())?.width ?? 0;
    const before = await width(explorer);
    await page.keyboard.press('Control+B');
    await explorer.waitFor({ state: 'hidden' });
    await page.reload();
    await editorIsThere(page);
    const strip = page.getByRole('button', { name: 'Show the explorer' });
    await strip.waitFor();
    expect(await explorer.isVisible()).toBe(false);
    // Its strip is a pane; the key of the explorer opens it.
    await strip.focus();
    await page.keyboard.press('F6');
    await page.keyboard.press('Shift+F6');
    await expect.poll(() => strip.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+Shift+E');
    await explorer.waitFor();
    await focusIn(explorer);
    await page.keyboard.press('Control+B');
    await strip.waitFor();

    // Zen mode hides the preview and the bars; afterwards the explorer is still collapsed.
    await page.keyboard.press('Alt+Shift+Z');
    await preview.waitFor({ state: 'hidden' });
    await page.getByRole('contentinfo', { name: 'Status' }).waitFor({ state: 'hidden' });
    expect(await accessibilityFindings(page, 'zen mode')).toEqual([]);
    await page.keyboard.press('Alt+Shift+Z');
    await preview.waitFor();
    expect(await explorer.isVisible()).toBe(false);
    await strip.press('Enter');
    await explorer.waitFor();
    await focusIn(explorer);
    await expect.poll(async () => Math.abs((await width(explorer)) - before)).toBeLessThan(3);
  });

  /** Each with its side panes. */
  const VIEWS = [
    { view: 'Tags', panes: { left: 'groups', right: 'details' } },
    { view: 'Aggregations', panes: { left: 'list of rules', right: 'results of the rule' } },
    { view: 'Events', panes: { right: 'details' } },
    { view: 'API mocks', panes: { left: 'list of mocks', right: 'try pane' } },
    { view: 'Diagrams', panes: { left: 'list of Diagrams' } },
  ] as const;

  test.for(sampled(VIEWS, 2))(
    '$view: side panes stay collapsed, and zen mode hides all of them',
    async ({ view, panes }) => {
      const { page } = window;
      const main = page.getByRole('main', { name: view });
      const go = async () => {
        await goTo(page, view);
        await expect.poll(() => main.getByRole('separator').count()).toBe(Object.keys(panes).length);
      };
      await go();
      const strip = (title: string) => main.getByRole('button', { name: `Show the ${title}` });
      const sides = Object.entries(panes).map(([side, title]) => ({
        title,
        keys: side === 'left' ? 'Control+B' : 'Control+Alt+B',
      }));
      for (const { title, keys } of sides) {
        await page.keyboard.press(keys);
        await strip(title).waitFor();
      }
      await page.reload();
      for (const { title } of sides) await strip(title).waitFor();
      expect(await accessibilityFindings(page, `${view} with collapsed panes`)).toEqual([]);
      for (const { title, keys } of sides) {
        await page.keyboard.press(keys);
        await strip(title).waitFor({ state: 'detached' });
      }
      // Zen mode hides all of them, and shows again those that were open.
      await page.keyboard.press('Alt+Shift+Z');
      for (const { title } of sides) await strip(title).waitFor();
      await page.keyboard.press('Alt+Shift+Z');
      for (const { title } of sides) await strip(title).waitFor({ state: 'detached' });
    },
  );

  test('keys that need a collapsed pane open it', async () => {
    const { page } = window;
    for (const { view, strip, filter } of [
      { view: 'Aggregations', strip: 'list of rules', filter: 'Filter rules' },
      { view: 'API mocks', strip: 'list of mocks', filter: 'Filter mocks' },
    ] as const) {
      await goTo(page, view);
      await expect.poll(() => page.getByRole('main', { name: view }).getByRole('separator').count()).toBe(2);
      await page.keyboard.press('Control+B');
      await page.getByRole('button', { name: `Show the ${strip}` }).waitFor();
      await page.keyboard.press('Control+F');
      await focusIn(page.getByRole('searchbox', { name: filter }));
    }
    await page.keyboard.press('Control+Alt+B');
    await page.getByRole('button', { name: 'Show the try pane' }).waitFor();
    await page.keyboard.press('F5');
    await page.getByRole('button', { name: 'Show the try pane' }).waitFor({ state: 'detached' });
    await page.getByRole('form', { name: 'Request to try' }).waitFor();
  });

  test('word wrap and the text size of the editor are kept, and Settings shows them', async () => {
    const { page } = window;
    const line = page.locator('[data-pane="editor"] .view-line').first();
    const height = () => line.evaluate((element) => element.getBoundingClientRect().height);
    const usual = await height();
    await page.keyboard.press('Alt+=');
    await page.keyboard.press('Alt+=');
    await expect.poll(height).toBeGreaterThan(usual);
    await page.keyboard.press('Alt+Z');
    await page.reload();
    await editorIsThere(page);
    await expect.poll(height).toBeGreaterThan(usual);
    await goTo(page, 'Settings');
    await expect.poll(() => page.getByRole('combobox', { name: 'Text size of the editor' }).inputValue()).toBe('15');
    await page.getByRole('switch', { name: 'Word wrap in the editor', checked: false }).press('Space');
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    await page.keyboard.press('Alt+0');
    await expect.poll(height).toBe(usual);
  });

  test('keys that are pressed while the code of a view loads act in the view', async () => {
    const loads = Promise.withResolvers<void>();
    const prepare: NonNullable<Parameters<typeof workbench.open>[0]>['prepare'] = (page) =>
      page.route(/\/mocks-view-.*\.js/, async (route) => {
        await loads.promise;
        await route.continue();
      });
    const { page, close } = await workbench.open({ view: 'tags', prepare });
    await page.keyboard.press('Control+5');
    await page.getByRole('main', { name: 'API mocks' }).waitFor({ state: 'attached' });
    await page.keyboard.press('Alt+N');
    loads.resolve();
    const form = page.getByRole('form', { name: 'Mock', exact: true });
    const name = form.getByRole('textbox', { name: 'Name', exact: true });
    await focusIn(name);
    expect(await name.inputValue()).toBe('');
    await close();
  });
});
