import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { startBrowserWorkbench } from './support/browser/browser-workbench.ts';

/**
 * `npm run pictures`: recreates the pictures of the manual from the sample plant, in a real browser. Names limit it to
 * those pictures: `npm run pictures -- tags events`. Fails when a picture is larger than `MOST_BYTES`.
 */
const FOLDER = resolve(import.meta.dirname, '../docs/images');
const MOST_BYTES = 250_000;
/** The window size at which a picture is readable in the manual. */
const SIZE = { width: 1200, height: 750 };
/** How long tags are followed, so that trends show something. */
const TREND_MS = 45_000;

interface Picture {
  name: string;
  theme?: 'dark';
  /** Brings the page to the state of the picture. */
  show: (page: Page, eventsApi: string) => Promise<void>;
}

const main = (page: Page, name: string) => page.getByRole('main', { name, exact: true });
const pause = (page: Page, ms: number) => page.waitForTimeout(ms);

async function showView(page: Page, name: string, keys: string): Promise<void> {
  await page.keyboard.press(keys);
  await main(page, name).waitFor();
}

async function openScript(page: Page, name: string): Promise<void> {
  await showView(page, 'Scripts', 'Control+1');
  await page.getByRole('treeitem', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await page.locator('[data-pane="editor"] .monaco-editor .view-line').first().waitFor();
}

async function showOee(page: Page): Promise<void> {
  await openScript(page, 'OEE of the shift');
  await page.keyboard.press('F5');
  await page.locator('[data-status="ok"]').first().waitFor();
  await page.getByRole('tab', { name: /^Trace \(\d/ }).click();
}

async function showTag(page: Page): Promise<void> {
  await showView(page, 'Tags', 'Control+2');
  await page.getByRole('searchbox', { name: 'Filter tags' }).fill('line1 filler');
  await main(page, 'Tags')
    .getByText(/ of \d+ tags/)
    .waitFor();
  await page.getByRole('row', { name: 'Bottling.Line1.Filler.Speed.Value' }).click();
  await pause(page, TREND_MS);
}

async function openDiagram(page: Page): Promise<void> {
  await showView(page, 'Diagrams', 'Control+6');
  await page.getByRole('row', { name: 'Line overview' }).click();
  await main(page, 'Diagrams').getByText('bottles', { exact: false }).first().waitFor();
}

/** Clicks what the editor shows as a part of a line. */
async function goToText(page: Page, text: string): Promise<void> {
  await page.locator('[data-pane="editor"] .view-line', { hasText: text }).first().click();
}

/** Polls as programs of three customers do; the last one gets it wrong. */
async function consume(eventsApi: string): Promise<void> {
  const call = (agent: string, path = '', options: RequestInit = {}) =>
    fetch(`${eventsApi}/api/events${path}`, { ...options, headers: { 'user-agent': agent } });
  for (let poll = 0; poll < 5; poll += 1) {
    await call('shift-book/2.4');
    await call('quality-gate/1.0', '?ruleId=1');
    if (poll > 2) await call('old-scada/7', '/999999', { method: 'DELETE' });
    await delay(1_000);
  }
}

/** Disables every third of the newest events, as an external tool would. */
async function disableSome(eventsApi: string): Promise<void> {
  const events: { AggregationEventId: number }[] = JSON.parse(await (await fetch(`${eventsApi}/api/events`)).text());
  for (const { AggregationEventId: id } of events.slice(-12).filter((_event, place) => place % 3 === 0)) {
    await fetch(`${eventsApi}/api/events/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"Active": false}',
    });
  }
}

const PICTURES: readonly Picture[] = [
  { name: 'workbench', show: showOee },
  { name: 'workbench-dark', theme: 'dark', show: showOee },
  {
    name: 'script-diagram',
    show: async (page) => {
      await openScript(page, 'OEE of the shift');
      await page.keyboard.press('F5');
      await page.locator('[data-status="ok"]').first().waitFor();
      await page.getByRole('tab', { name: 'Diagram', exact: true }).click();
    },
  },
  {
    name: 'script-tests',
    show: async (page) => {
      await openScript(page, 'Start an order');
      await page.getByRole('tab', { name: /^Tests/ }).click();
      await page.getByRole('button', { name: 'Run all', exact: true }).click();
      await page
        .getByText(/passed/)
        .first()
        .waitFor();
    },
  },
  { name: 'tags', show: showTag },
  { name: 'tags-dark', theme: 'dark', show: showTag },
  {
    name: 'aggregations',
    show: async (page) => {
      await showView(page, 'Aggregations', 'Control+3');
      await main(page, 'Aggregations').getByText('fires', { exact: true }).first().waitFor();
    },
  },
  {
    name: 'events',
    show: async (page, eventsApi) => {
      await disableSome(eventsApi);
      await showView(page, 'Events', 'Control+4');
      await main(page, 'Events')
        .getByRole('row', { name: /disabled/ })
        .first()
        .click();
      await page.getByText('Requests for this event').waitFor();
    },
  },
  {
    name: 'why',
    show: async (page, eventsApi) => {
      await disableSome(eventsApi);
      await showView(page, 'Events', 'Control+4');
      await main(page, 'Events')
        .getByRole('row', { name: /disabled/ })
        .first()
        .click();
      await page.keyboard.press('Alt+y');
      await page.getByRole('complementary', { name: 'Why?' }).getByRole('img').first().waitFor();
    },
  },
  {
    name: 'consumers',
    show: async (page, eventsApi) => {
      await consume(eventsApi);
      await showView(page, 'Events', 'Control+4');
      await page.getByRole('tab', { name: 'Consumers' }).click();
      await page.getByRole('row', { name: /shift-book/ }).click();
    },
  },
  {
    name: 'debugger',
    show: async (page) => {
      await openScript(page, 'OEE of the shift');
      await goToText(page, 'const availability');
      await page.keyboard.press('F9');
      await page.keyboard.press('Alt+F5');
      await page
        .getByRole('region', { name: 'Debugger' })
        .getByRole('status')
        .getByText(/^Paused/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'failures',
    show: async (page) => {
      await openScript(page, 'OEE of the shift');
      await page.keyboard.press('Alt+7');
      await page.getByRole('button', { name: 'Try failures' }).click();
      await page.getByText(/^\d+ failures of \d+ calls$/).waitFor();
    },
  },
  {
    name: 'replay',
    show: async (page) => {
      await openScript(page, 'OEE of the shift');
      await page.keyboard.press('F5');
      await page.locator('[data-status="ok"]').first().waitFor();
      await page.keyboard.press('Alt+8');
      const run = page.getByRole('list', { name: 'Recorded runs' }).getByRole('listitem').first();
      await run.getByRole('button', { name: 'Replay' }).click();
      await page.getByText(/^Identical/).waitFor();
    },
  },
  {
    name: 'scopes',
    show: async (page) => {
      await openScript(page, 'Speed as the Diagram shows it');
      await page.keyboard.press('Alt+9');
      await page.getByRole('button', { name: 'Show in all scopes' }).click();
      await page.getByRole('table', { name: 'Results by Diagram and location' }).waitFor();
    },
  },
  {
    name: 'mocks',
    show: async (page) => {
      await showView(page, 'API mocks', 'Control+5');
      await page.getByRole('row', { name: /Latest sample of the laboratory/ }).click();
      await page.keyboard.press('F5');
    },
  },
  { name: 'diagram', show: openDiagram },
  {
    name: 'diagram-editor',
    show: async (page) => {
      await openDiagram(page);
      await page.getByRole('button', { name: 'Arrange' }).click();
      await page.getByRole('option', { name: /Filler speed/ }).focus();
    },
  },
  {
    name: 'search',
    show: async (page) => {
      await page.keyboard.press('Control+Shift+H');
      await page.getByRole('searchbox', { name: 'Search for' }).fill('speed');
      await page.getByRole('textbox', { name: 'Replace with' }).fill('rate');
      await page.getByRole('button', { name: 'Preserve case' }).click();
      await page.getByText(/matches in/).waitFor();
    },
  },
  { name: 'settings', show: (page) => showView(page, 'Settings', 'Control+7') },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PICTURES.some((picture) => picture.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no picture ${unknown.join(', ')}. There are: ${PICTURES.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const workbench = await startBrowserWorkbench({ ownBrowser: true });
try {
  await workbench.tagwright('fire', 'Fill volume check', '--times', '12');
  for (const { name, theme = 'light', show } of PICTURES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const window = await workbench.open({ viewport: SIZE, reducedMotion: 'reduce' });
    const { page } = window;
    await page.evaluate((value) => localStorage.setItem('tagwright.theme', JSON.stringify(value)), theme);
    await page.reload();
    await page.locator(`[data-theme="${theme}"]`).waitFor();
    await page.locator('[data-pane="editor"] .monaco-editor .view-line').first().waitFor();
    await show(page, workbench.eventsApi);
    // Tooltips disappear, fields become stable.
    await page.mouse.move(SIZE.width - 1, SIZE.height - 60);
    await pause(page, 1_500);
    const path = resolve(FOLDER, `${name}.png`);
    await page.screenshot({ path });
    await window.close();
    const { size } = await stat(path);
    console.log(`${name}.png  ${size.toLocaleString('en')} bytes`);
    if (size > MOST_BYTES) process.exitCode = 1;
  }
} finally {
  await workbench.close();
}
if (process.exitCode === 1) console.error(`A picture is larger than ${MOST_BYTES.toLocaleString('en')} bytes.`);
