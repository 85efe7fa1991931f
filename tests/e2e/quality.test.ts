import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { editorIsThere, openScript, runToEnd, showPane } from './steps.ts';

/** Milliseconds from the start of the load to the first text of a script; the machine of the tests may be busy. */
const FIRST_TEXT_MS = process.env['CI'] ? 5_000 : 3_000;

describe('the workbench as a whole', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Tests/Fails', "console.error('about to fail');\nthrow new Error('on purpose');\n");
  });
  afterAll(() => workbench.close());

  test.for(['light', 'dark', 'high-contrast'] as const)('axe finds nothing in theme %s', async (theme) => {
    const found: string[] = [];
    const window = await workbench.open({ reducedMotion: 'reduce' });
    const { page } = window;
    await page.evaluate((name) => localStorage.setItem('tagwright.theme', JSON.stringify(name)), theme);
    await page.reload();
    await editorIsThere(page);
    await page.locator(`[data-theme="${theme}"]`).waitFor();
    await runToEnd(page, 'ok');
    found.push(...(await accessibilityFindings(page, 'result')));
    await showPane(page, 'Trace');
    found.push(...(await accessibilityFindings(page, 'trace')));
    await openScript(page, 'Fails');
    await runToEnd(page, 'error');
    await page.getByRole('button', { name: /Fails$/ }).click();
    await page.getByRole('textbox', { name: 'Description' }).waitFor();
    await showPane(page, 'Result');
    found.push(...(await accessibilityFindings(page, 'error')));
    await showPane(page, 'Console');
    found.push(...(await accessibilityFindings(page, 'console')));
    await page.keyboard.press('Control+K');
    await page.getByRole('option').first().waitFor();
    found.push(...(await accessibilityFindings(page, 'palette')));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+2');
    await page.getByRole('row', { name: 'Bottling.Line1.Filler.Speed.Value' }).click();
    await page.getByRole('heading', { name: 'Definition' }).waitFor();
    found.push(...(await accessibilityFindings(page, 'tags')));
    expect(found).toEqual([]);
    await window.close();
  });

  test('the theme follows the system', async () => {
    const window = await workbench.open({ colorScheme: 'dark' });
    const { page } = window;
    await page.locator('[data-theme="dark"]').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('[data-theme="light"]').waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('[data-theme="high-contrast"]').waitFor();
    expect(await page.locator('[data-theme]').count()).toBe(1);
    await window.close();
  });

  test('the page is held by its policy: no inline script runs, no eval, nothing from elsewhere', async () => {
    const window = await workbench.open();
    const { page } = window;
    await editorIsThere(page);
    const refused = await page.evaluate(async () => {
      const violated: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        violated.push(effectiveDirective),
      );
      const script = document.createElement('script');
      script.textContent = 'window.ranInline = true';
      document.body.append(script);
      await fetch('http://127.0.0.1:9/').catch(() => undefined);
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
      return { violated, ran: 'ranInline' in window };
    });
    expect(refused.ran).toBe(false);
    expect(refused.violated).toEqual(expect.arrayContaining(['script-src-elem', 'connect-src']));
    // What was refused stands in the console of the page as errors.
    await window.context.close();
  });

  test('the page brings along no validation library: schemas are for main', async () => {
    const window = await workbench.open();
    await editorIsThere(window.page);
    const texts = await window.page.evaluate(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const scripts = loaded.filter((name) => name.endsWith('.js') && !name.includes('worker'));
      return Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
    });
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes('ZodError'))).toEqual([]);
    await window.close();
  });

  test('the first text of a script is there soon', async () => {
    const window = await workbench.open();
    const { page } = window;
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector('[data-plain-text], .monaco-editor .view-line')?.textContent) return;
        observer.disconnect();
        performance.mark('first-text');
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.reload();
    await editorIsThere(page);
    const ms = await page.evaluate(() => performance.getEntriesByName('first-text')[0]?.startTime);
    console.info(`first text after ${Math.round(ms ?? Number.NaN)} ms`);
    expect(ms).toBeLessThan(FIRST_TEXT_MS);
    await window.close();
  });
});
