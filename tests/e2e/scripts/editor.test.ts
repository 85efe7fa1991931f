import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { autoRun, editorText, hoverFor, openOwnScript, putCursor, write } from '../steps.ts';

describe('the script editor', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    window = await shared();
    await openOwnScript(workbench, window.page);
  });

  const squiggles = () => window.page.locator('.monaco-editor .squiggly-error');

  test('a wrong argument is a type error, a top-level return or await is not', async () => {
    const { page } = window;
    // A live run would also mark its error there.
    await autoRun(page, false);
    await write(page, 'const tags = await TagValueManager.Get(42);\nreturn tags.Value.length;');
    await expect.poll(() => squiggles().count()).toBe(1);
    await putCursor(page, 'start');
    await page.keyboard.press('Alt+F8');
    await page
      .getByText(/Argument of type 'number' is not assignable/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await write(page, 'const tags = await TagValueManager.Get([tagName]);\nreturn tags.Value.length;');
    await expect.poll(() => squiggles().count()).toBe(0);
    await autoRun(page, true);
  });

  test('typing leaves the tabs where they were scrolled to', async () => {
    const { page } = window;
    await page.setViewportSize({ width: 1024, height: 700 });
    for (let opened = 0; opened < 5; opened += 1) await openOwnScript(workbench, page);
    const tabs = page.getByRole('tablist', { name: 'Open scripts' });
    const scrolled = () => tabs.evaluate((list) => list.scrollLeft);
    await expect.poll(scrolled).toBeGreaterThan(0);
    await tabs.evaluate((list) => list.scrollTo({ left: 0 }));
    await write(page, 'return 1234;');
    await page.getByRole('tab', { name: /, unsaved$/, selected: true }).waitFor();
    expect(await scrolled()).toBe(0);
    await page.keyboard.press('Control+S');
    await page.getByRole('tab', { name: /, unsaved$/, selected: true }).waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the returned value is checked too', async () => {
    await write(window.page, 'return TagValueManager.Gett([]);');
    await squiggles().first().waitFor();
    await write(window.page, 'return TagValueManager.Get([]).Value;');
    await expect.poll(() => squiggles().count()).toBe(0);
  });

  test('the script API is completed with its documentation', async () => {
    const { page } = window;
    await write(page, '');
    await page.keyboard.type('TagValueManager.');
    await page.locator('.suggest-widget').getByText('Set', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.suggest-widget').innerText()).toContain('Get');
    await page.keyboard.type('Get(');
    await page.locator('.parameter-hints-widget').getByText('diagram').first().waitFor();
    await expect.poll(() => page.locator('.parameter-hints-widget').innerText()).toContain('tags');
  });

  test('standard globals are completed and have types; others are unknown', async () => {
    const { page } = window;
    await write(page, '');
    await page.keyboard.type('crypto.');
    await page.locator('.suggest-widget').getByText('randomUUID', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const body =
      "const url = new URL('http://a'); const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url.href));\nreturn [structuredClone(url.searchParams.get('a')), btoa('x'), new Uint8Array(hash).toHex()];";
    await write(page, body);
    await expect.poll(() => squiggles().count()).toBe(0);
    await write(page, `setTimeout(() => url.port);\n${body}`);
    await squiggles().first().waitFor();
  });

  test('tag paths are completed inside a string and replace all of it', async () => {
    const { page } = window;
    await write(page, '');
    await page.keyboard.type("return TagValueManager.Get(['filler speed");
    const suggestion = page
      .locator('.suggest-widget')
      .getByLabel(/Bottling\.Line1\.Filler\.Speed\.Value/)
      .first();
    await suggestion.waitFor();
    // The list changes until the response to the last letter arrives.
    const rows = page.locator('.suggest-widget .monaco-list-row');
    const seen: string[] = [];
    await expect
      .poll(async () => seen.push((await rows.allInnerTexts()).join()) > 2 && seen.at(-1) === seen.at(-3))
      .toBe(true);
    await suggestion.click();
    await expect.poll(() => editorText(page)).toContain("Get(['Bottling.Line1.Filler.Speed.Value'");
  });

  test('strings are completed for their argument, and a verb that is none is underlined', async () => {
    const { page } = window;
    const offered = page.locator('.suggest-widget .monaco-list-row');
    await write(page, '');
    await page.keyboard.type("ApiValueManager.Fetch('https://x', 'p");
    await expect.poll(async () => (await offered.allInnerTexts()).map((text) => text.trim())).toEqual(['post', 'put']);
    await page.keyboard.press('Escape');
    await page.keyboard.type('atch');
    await page.locator('.squiggly-warning').waitFor();
    const labels = () => offered.locator('.label-name').allInnerTexts();
    await write(page, '');
    await page.keyboard.type("ApiValueManager.Fetch('https://x', 'post', {}, {}, 'text/");
    await expect.poll(labels).toEqual(['text/csv', 'text/plain']);
    await page.keyboard.press('Enter');
    await expect.poll(() => editorText(page)).toMatch(/\{\}, 'text\/csv'/);
    await write(page, '');
    await page.keyboard.type("if (Value[0].Quality === 'BadT");
    await expect.poll(labels).toContain('BadTimeout');
    await expect.poll(async () => (await labels()).filter((text) => !text.startsWith('Bad'))).toEqual([]);
    await page.keyboard.press('Escape');
    await write(page, '');
    await page.keyboard.type("TagValueManager.Get([], 'Li");
    await offered.getByText('Line overview').first().waitFor();
    await page.keyboard.press('Escape');
  });

  test('locations of values, of contexts and of the Diagrams are completed', async () => {
    const { page } = window;
    const client = await workbench.client();
    const path = 'Editor.Order.Number';
    await client.tags.save({ path, kind: 'storage', type: 'Int', description: '', unit: '', settings: {} });
    await client.tags.set({ items: [{ tag: path, value: 1 }], diagram: null, location: 'Station 10' });
    await client.tags.set({ items: [{ tag: path, value: 2 }], diagram: 'Line overview', location: 'Station 2' });
    const { id } = await client.scripts.save({
      group: 'Editor',
      name: 'With a context',
      body: 'return 1;',
      description: '',
    });
    const context = { tagName: '', diagram: '', location: 'Station 3', valueMode: 'none' as const, valueText: '' };
    await client.runContexts.save({ id, context: { name: 'At the station', ...context } });
    await page.evaluate(() => localStorage.setItem('tagwright.diagrams.workcenter', JSON.stringify('Station 4')));
    const offered = page.locator('.suggest-widget .monaco-list-row');
    await write(page, '');
    await page.keyboard.type("TagValueManager.Get([], null, 'Stat");
    const texts = async () => (await offered.allInnerTexts()).map((text) => text.trim());
    await expect.poll(texts).toEqual(['Station 4', 'Station 2', 'Station 3', 'Station 10']);
    await page.keyboard.press('Enter');
    await expect.poll(() => editorText(page)).toContain("null, 'Station 4'");
    await page.evaluate(() => localStorage.removeItem('tagwright.diagrams.workcenter'));
  });

  test('hovering a tag path shows the tag and its value', async () => {
    const { page } = window;
    await write(page, "return TagValueManager.Get(['Bottling.Line1.Filler.Speed.Value']);");
    const hover = page
      .locator('.monaco-hover')
      .filter({ hasText: /machine tag, Double/ })
      .first();
    await hoverFor(page.locator('.view-line').getByText('Bottling.Line1.Filler.Speed.Value').first(), hover);
    expect(await hover.innerText()).toMatch(/\d bottles\/min — Good/);
  });
});
