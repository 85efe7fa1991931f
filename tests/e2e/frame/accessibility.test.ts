import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { dialogGone, dialogThere, goTo, openScript, runToEnd, showPane } from '../steps.ts';

/** Each brings the page to a state with content. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a result': async (page) => {
    await goTo(page, 'Scripts');
    await openScript(page, 'OEE of the shift');
    await runToEnd(page, 'ok');
  },
  'the menu of a script': async (page) => {
    await page.getByRole('treeitem', { name: 'OEE of the shift' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  },
  'a trace': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await showPane(page, 'Trace');
  },
  'a tooltip of the activity bar': async (page) => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Events' }).hover();
    // That of the element before may still fade.
    await page.getByRole('tooltip').filter({ visible: true, hasText: 'Events (' }).waitFor();
  },
  'a tooltip of the status bar': async (page) => {
    await page
      .getByRole('contentinfo', { name: 'Status' })
      .getByText(/^Hosts: /)
      .hover();
    await page.getByRole('tooltip').filter({ visible: true, hasNotText: 'Events (' }).first().waitFor();
  },
  'a console': (page) => showPane(page, 'Console'),
  tests: async (page) => {
    await page.keyboard.press('Alt+5');
    await page.getByRole('tab', { name: /^Tests/, selected: true }).waitFor();
  },
  'a paused run': async (page) => {
    await page.keyboard.press('F10');
    const variables = page.getByRole('region', { name: 'Debugger' }).getByRole('tree', { name: 'Variables' });
    await variables.getByRole('treeitem').first().waitFor();
  },
  'the end of a debugged run': async (page) => {
    await page.keyboard.press('Shift+F5');
    await page.getByRole('region', { name: 'Preview' }).waitFor();
  },
  tags: async (page) => {
    await goTo(page, 'Tags');
    await page.getByRole('row', { name: 'Bottling.Line1.Filler.Speed.Value' }).click();
    await page.getByRole('heading', { name: 'Definition' }).waitFor();
  },
  'the menu of a column': async (page) => {
    await page.getByRole('grid', { name: 'Tags' }).getByRole('columnheader', { name: 'Path' }).press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Reset the columns' }).waitFor();
  },
  'the form of a tag': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Bottling.Line1.Filler.Speed.Value' }).click();
    await page.keyboard.press('F2');
    await page.getByRole('form', { name: /^Edit / }).waitFor();
  },
  'a dialog of a tag': async (page) => {
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    await dialogThere(page.getByRole('dialog'));
  },
  'problems of tags': async (page) => {
    await page.keyboard.press('Escape');
    await dialogGone(page.getByRole('dialog'));
    await page.getByRole('tab', { name: /^Problems/ }).click();
    await page.getByRole('region', { name: 'Problems' }).waitFor();
  },
  'the ERP outbox': async (page) => {
    await page.getByRole('tab', { name: 'ERP outbox' }).click();
    await page.getByRole('grid', { name: 'Records' }).getByRole('row').nth(1).click();
  },
  'a rule': async (page) => {
    await goTo(page, 'Aggregations');
    await page.getByRole('main', { name: 'Aggregations' }).getByRole('row').nth(1).click();
    await page.getByRole('form').waitFor();
  },
  'open suggestions of a tag': async (page) => {
    await page.getByRole('combobox', { name: 'Source tag 1', exact: true }).press('ArrowDown');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
  },
  'an open list of functions': async (page) => {
    await page.keyboard.press('Escape');
    await page
      .getByRole('combobox', { name: /function/i })
      .first()
      .press('ArrowDown');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
  },
  'data rows': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Rows', exact: true }).click();
    await page.getByRole('grid', { name: 'Rows' }).getByRole('row').nth(1).waitFor();
  },
  events: async (page) => {
    await goTo(page, 'Events');
    await page.getByRole('main', { name: 'Events' }).getByRole('row').nth(1).click();
  },
  requests: (page) => page.getByRole('tab', { name: 'Requests' }).click(),
  'a mock': async (page) => {
    await goTo(page, 'API mocks');
    await page.getByRole('main', { name: 'API mocks' }).getByRole('row').nth(1).click();
    await page.getByRole('form', { name: 'Mock', exact: true }).waitFor();
  },
  'the call log': async (page) => {
    await page.getByRole('tab', { name: 'Call log' }).click();
    await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(1).click();
  },
  secrets: (page) => page.getByRole('tab', { name: 'Secrets' }).click(),
  'a Diagram': async (page) => {
    await goTo(page, 'Diagrams');
    await page.getByRole('row', { name: 'Line overview' }).click();
    await page.getByRole('main', { name: 'Diagrams' }).getByText('bottles', { exact: false }).first().waitFor();
  },
  'a Diagram that is arranged': async (page) => {
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page
      .getByRole('option', { name: /Filler speed/ })
      .first()
      .focus();
  },
  settings: async (page) => {
    await goTo(page, 'Settings');
    await page.getByRole('region', { name: 'All settings' }).waitFor();
  },
  diagnostics: async (page) => {
    const section = page.getByRole('region', { name: 'Diagnostics' });
    await section.getByRole('button', { name: /^Run checks/ }).click();
    await section.getByText(/^\d+ problems?, .*\d+ checks/).waitFor();
    const rows = section.getByRole('table', { name: 'Result of the checks' }).getByRole('row');
    await expect.poll(() => rows.count()).toBeGreaterThan(5);
    await rows.last().scrollIntoViewIfNeeded();
  },
  matches: async (page) => {
    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('searchbox', { name: 'Search for' }).fill('Filler');
    await page.getByRole('tree', { name: 'Results of the search' }).getByRole('treeitem').first().waitFor();
  },
  help: async (page) => {
    await page.keyboard.press('F1');
    await page.getByRole('complementary', { name: 'Help' }).getByRole('heading', { level: 1 }).waitFor();
  },
};

const LOOKS = [
  { look: 'light', media: { colorScheme: 'light' } },
  { look: 'dark', media: { colorScheme: 'dark' } },
  { look: 'forced colors', media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

describe('all views', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    const client = await workbench.client();
    await client.settings.update({ 'api.mode': 'offline' });
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const body = "return ApiValueManager.Fetch('https://nobody.example/', 'get').StatusCode;";
    const tag = { path: 'Accessible.Sent.Record', kind: 'erp' as const, type: 'Json' as const };
    await client.tags.save({ ...tag, description: '', unit: '', settings: {} });
    await client.tags.set({ items: [{ tag: tag.path, value: { n: 1 } }] });
    await client.runs.execute({ body, context, dryRun: false });
    for (const { id } of await client.rules.list()) await client.rules.fire({ id, times: 1 });
  });
  afterAll(() => workbench.close());

  test('open menus and tooltips are above what follows them', async () => {
    const window = await workbench.open({ view: 'mocks', reducedMotion: 'reduce' });
    const { page } = window;
    /** The elements that others cover, at their corners or in their middle. */
    const covered = (parts: Locator) =>
      parts.evaluateAll((all) =>
        all.flatMap((part) => {
          const { left, right, top, bottom } = part.getBoundingClientRect();
          const middle = [(left + right) / 2, (top + bottom) / 2] as const;
          const places = [middle, [left + 6, top + 6], [right - 6, bottom - 6]] as const;
          const isOnTop = places.every(([x, y]) => part.contains(document.elementFromPoint(x, y)));
          return isOnTop ? [] : [part.textContent];
        }),
      );
    const grid = page.getByRole('grid', { name: 'Mocks' });
    await grid.getByRole('row').nth(8).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const items = page.getByRole('menuitem');
    await expect.poll(() => items.count()).toBeGreaterThan(5);
    await expect.poll(() => covered(items)).toEqual([]);
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    const tooltip = page.getByRole('tooltip').filter({ visible: true });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'API mocks' }).hover();
    await tooltip.filter({ hasText: 'API mocks' }).waitFor();
    await expect.poll(() => covered(tooltip)).toEqual([]);
    await window.close();
  });

  test.for(sampled(LOOKS, 1))('no rule of axe finds anything: $look', async ({ media }) => {
    const window = await workbench.open({ reducedMotion: 'reduce' });
    const { page } = window;
    await page.emulateMedia(media);
    const found: string[] = [];
    for (const [state, show] of Object.entries(STATES)) {
      await show(page);
      found.push(...(await accessibilityFindings(page, state)));
    }
    expect(found).toEqual([]);
    await window.close();
  });
});
