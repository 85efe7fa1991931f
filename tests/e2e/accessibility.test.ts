import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { sampled } from '../support/scale.ts';
import { openScript, runToEnd, showPane } from './steps.ts';

/** Each brings the page to a state with content. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a result': async (page) => {
    await page.keyboard.press('Control+1');
    await openScript(page, 'OEE of the shift');
    await runToEnd(page, 'ok');
  },
  'a trace': (page) => showPane(page, 'Trace'),
  tags: async (page) => {
    await page.keyboard.press('Control+2');
    await page.getByRole('row', { name: 'Bottling.Line1.Filler.Speed.Value' }).click();
    await page.getByRole('heading', { name: 'Definition' }).waitFor();
  },
  'the form of a tag': async (page) => {
    await page.keyboard.press('F2');
    await page.getByRole('form', { name: /^Edit / }).waitFor();
  },
  'a rule': async (page) => {
    await page.keyboard.press('Control+3');
    await page.getByRole('main', { name: 'Aggregations' }).getByRole('row').nth(1).click();
    await page.getByRole('form').waitFor();
  },
  events: async (page) => {
    await page.keyboard.press('Control+4');
    await page.getByRole('main', { name: 'Events' }).getByRole('row').nth(1).click();
  },
  requests: (page) => page.getByRole('tab', { name: 'Requests' }).click(),
  'a mock': async (page) => {
    await page.keyboard.press('Control+5');
    await page.getByRole('main', { name: 'API mocks' }).getByRole('row').nth(1).click();
    await page.getByRole('form', { name: 'Mock', exact: true }).waitFor();
  },
  secrets: (page) => page.getByRole('tab', { name: 'Secrets' }).click(),
  'a Diagram': async (page) => {
    await page.keyboard.press('Control+6');
    await page.getByRole('row', { name: 'Line overview' }).click();
    await page.getByRole('main', { name: 'Diagrams' }).getByText('bottles', { exact: false }).first().waitFor();
  },
  settings: async (page) => {
    await page.keyboard.press('Control+7');
    await page.getByRole('region', { name: 'All settings' }).waitFor();
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
  });
  afterAll(() => workbench.close());

  test.for(sampled(LOOKS, 1))('no rule of axe finds anything: $look', async ({ look, media }) => {
    const window = await workbench.open({ reducedMotion: 'reduce' });
    const { page } = window;
    await page.emulateMedia(media);
    const found: string[] = [];
    for (const [state, show] of Object.entries(STATES)) {
      await show(page);
      found.push(...(await accessibilityFindings(page, `${state}, ${look}`)));
    }
    expect(found).toEqual([]);
    await window.close();
  });
});
