import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { sharedWindow } from '../support/shared-window.ts';
import { focusIn } from './steps.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';
const TITLE = 'Bottling.Settings.Display.Title.Value';

describe('the view Tags', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'tags' }));
  beforeEach(async () => {
    window = await shared();
    await window.page.getByRole('searchbox', { name: 'Filter tags' }).fill('');
    await window.page.getByRole('textbox', { name: 'workcenter' }).first().fill('');
    await window.page.getByRole('row').nth(1).waitFor();
  });

  const row = (path: string) => window.page.getByRole('row', { name: path });
  const cells = (path: string) => row(path).getByRole('gridcell').allInnerTexts();
  const choose = async (path: string) => {
    await window.page.getByRole('searchbox', { name: 'Filter tags' }).fill(path);
    await row(path).click();
    await window.page.getByRole('heading', { name: path }).waitFor();
  };

  test('values are live, with kind, type, unit, and quality as icon and name', async () => {
    await expect.poll(async () => (await cells(SPEED))[1]).toMatch(/^\d+(\.\d+)?$/);
    await expect
      .poll(async () => (await cells(SPEED)).slice(2))
      .toEqual(['bottles/min', 'Good', expect.stringMatching(/^\d\d:\d\d:\d\d$/), '', 'Machine']);
    const seen = new Set<string | undefined>();
    await expect.poll(async () => seen.add((await cells(SPEED))[1]).size, { timeout: 60_000 }).toBeGreaterThan(2);
  });

  test('only visible rows are in the document; scrolling to the end loads values', async () => {
    const { page } = window;
    const total = Number(/\d+/.exec(await page.getByText(/^\d+ tags$/).innerText())?.[0]);
    expect(total).toBeGreaterThanOrEqual(60);
    expect(await page.getByRole('row').count()).toBeLessThan(total);
    await page.getByRole('grid', { name: 'Tags' }).focus();
    await focusIn(page.getByRole('grid', { name: 'Tags' }));
    await page.keyboard.press('End');
    const last = page.getByRole('row', { selected: true });
    await last.waitFor();
    await expect.poll(() => last.getByRole('gridcell').nth(1).innerText()).not.toBe('…');
  });

  test('an invalid value is rejected in its field; a valid one is written for its scope', async () => {
    const { page } = window;
    await choose(TITLE);
    const form = page.getByRole('form', { name: 'Write a value' });
    await form.getByRole('textbox', { name: 'Value (String)' }).fill('Shared title');
    await form.getByRole('button', { name: 'Write' }).click();
    await expect.poll(() => workbench.tagValue(TITLE)).toBe('Shared title');
    await form.getByRole('textbox', { name: 'workcenter' }).fill('Line9');
    await form.getByRole('textbox', { name: 'Value (String)' }).fill('Title of line 9');
    await form.getByRole('button', { name: 'Write' }).click();
    await page.getByText('Written').first().waitFor();
    await expect.poll(async () => (await cells(TITLE))[1]).toBe('Shared title');
    await page.getByRole('textbox', { name: 'workcenter' }).first().fill('Line9');
    await expect.poll(async () => (await cells(TITLE))[1]).toBe('Title of line 9');

    await choose(SPEED);
    await page.getByRole('textbox', { name: 'Value (Double)' }).fill('fast');
    await page.getByText(/the text "fast" cannot be converted to Double/).waitFor();
    await page.getByRole('button', { name: 'Override the signal', disabled: true }).waitFor();
  });

  test('a machine tag is overridden and released, its quality forced and cleared', async () => {
    const { page } = window;
    await choose(SPEED);
    await page.getByRole('textbox', { name: 'Value (Double)' }).fill('123.5');
    await page.getByRole('button', { name: 'Override the signal' }).click();
    await expect
      .poll(async () => (await cells(SPEED)).slice(1, 4))
      .toEqual(['123.5', 'bottles/min', 'GoodLocalOverride']);
    await page.getByRole('button', { name: 'Release override' }).click();
    await expect.poll(async () => (await cells(SPEED))[3]).toBe('Good');
    // By keyboard, because the lines above move while the released value arrives.
    await page.getByRole('combobox', { name: 'Quality to force' }).press('Enter');
    await page.getByRole('option', { name: 'BadSensorFailure' }).click();
    await page.getByRole('button', { name: 'Force quality' }).click();
    await expect.poll(async () => (await cells(SPEED))[3]).toBe('BadSensorFailure');
    await page.getByRole('button', { name: 'Clear forced quality' }).click();
    await expect.poll(async () => (await cells(SPEED))[3]).toBe('Good');
  });

  test('the filter requires every word, and reports when nothing matches', async () => {
    const { page } = window;
    await page.keyboard.press('Control+F');
    await focusIn(page.getByRole('searchbox', { name: 'Filter tags' }));
    await page.keyboard.type('filler speed line1');
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(10);
    await row(SPEED).waitFor();
    await page.keyboard.type(' nonsense');
    await page.getByText('No tags match.').waitFor();
    await page.getByRole('button', { name: 'Show all tags' }).click();
    await row(SPEED).waitFor();
  });

  test('a path on two lines breaks between segments; in the list it stays on one line', async () => {
    const path = 'Bottling.Documents.LabelDrawing.DocumentId.Value';
    await choose(path);
    const { page } = window;
    // The number of lines of each part, and of the whole path.
    const linesOf = (element: HTMLElement | SVGElement) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const parts: Set<number>[] = [];
      while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        parts.push(new Set([...range.getClientRects()].map(({ top }) => Math.round(top))));
      }
      const whole = new Set(parts.flatMap((tops) => [...tops]));
      return { parts: parts.map(({ size }) => size), whole: whole.size };
    };
    const heading = await page.getByRole('heading', { name: path }).evaluate(linesOf);
    expect(heading.whole).toBeGreaterThan(1);
    expect(heading.parts).toEqual([1, 1, 1, 1, 1]);
    const listed = await row(path).getByRole('gridcell').first().evaluate(linesOf);
    expect(listed.whole).toBe(1);
  });
});
