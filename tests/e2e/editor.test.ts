import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { editorIsThere, editorText, openScript, putCursor, write } from './steps.ts';

describe('the script editor', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Tests/Scratch', 'return 1;\n');
  });
  afterAll(() => workbench.close());
  beforeEach(async () => {
    window = await workbench.open();
    await editorIsThere(window.page);
    await openScript(window.page, 'Scratch');
  });
  afterEach(() => window.close());

  const squiggles = () => window.page.locator('.monaco-editor .squiggly-error');

  test('a wrong argument is a type error; a top-level return and await are none', async () => {
    const { page } = window;
    await write(page, 'const tags = await TagValueManager.Get(42);\nreturn tags.Value.length;');
    await squiggles().first().waitFor();
    // All in the first line: the live run of the script marks its error there too.
    const tops = await squiggles().evaluateAll((marks) => marks.map((mark) => mark.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await putCursor(page, 'start');
    await page.keyboard.press('Alt+F8');
    await page
      .getByText(/Argument of type 'number' is not assignable/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await write(page, 'const tags = await TagValueManager.Get([tagName]);\nreturn tags.Value.length;');
    await expect.poll(() => squiggles().count()).toBe(0);
  });

  test('what is returned is checked too', async () => {
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
    expect(await page.locator('.suggest-widget').innerText()).toContain('Get');
    await page.keyboard.type('Get(');
    await page.locator('.parameter-hints-widget').getByText('diagram').first().waitFor();
    expect(await page.locator('.parameter-hints-widget').innerText()).toContain('tags');
  });

  test('tag paths are completed inside of a string and replace all of it', async () => {
    const { page } = window;
    await write(page, '');
    await page.keyboard.type("return TagValueManager.Get(['filler speed");
    const suggestion = page
      .locator('.suggest-widget')
      .getByLabel(/Bottling\.Line1\.Filler\.Speed\.Value/)
      .first();
    await suggestion.waitFor();
    await suggestion.click();
    expect(await editorText(page)).toContain("Get(['Bottling.Line1.Filler.Speed.Value'");
  });

  test('hovering a tag path shows the tag and its value', async () => {
    const { page } = window;
    await write(page, "return TagValueManager.Get(['Bottling.Line1.Filler.Speed.Value']);");
    await page.getByText('Bottling.Line1.Filler.Speed.Value', { exact: false }).first().hover();
    const hover = page.locator('.monaco-hover').filter({ hasText: /machine tag, Double/ });
    await hover.first().waitFor();
    expect(await hover.first().innerText()).toMatch(/\d bottles\/min — Good/);
  });
});
