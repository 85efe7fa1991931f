import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  chooseTheme,
  dialogGone,
  dialogThere,
  editorIsThere,
  goTo,
  openScript,
  runToEnd,
  showPane,
  THEMES,
} from '../steps.ts';

describe('the workbench as a whole', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Tests/Fails', "console.error('about to fail');\nthrow new Error('on purpose');\n");
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));

  test.for(sampled(THEMES, 1))('axe finds nothing in theme %s', async (theme) => {
    const found: string[] = [];
    const { page } = await shared();
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    await chooseTheme(page, theme);
    await showPane(page, 'Result');
    await openScript(page, 'Capper keeps up');
    await runToEnd(page, 'ok');
    found.push(...(await accessibilityFindings(page, 'result')));
    await showPane(page, 'Trace');
    found.push(...(await accessibilityFindings(page, 'trace')));
    await openScript(page, 'Fails');
    await runToEnd(page, 'error');
    const fold = page.getByRole('button', { name: /Fails$/ });
    await fold.click();
    await page.getByRole('textbox', { name: 'Description' }).waitFor();
    await showPane(page, 'Result');
    found.push(...(await accessibilityFindings(page, 'error')));
    await showPane(page, 'Console');
    found.push(...(await accessibilityFindings(page, 'console')));
    await fold.click();
    await page.keyboard.press('Control+K');
    const palette = await dialogThere(page.getByRole('dialog'));
    await page.getByRole('option').first().waitFor();
    found.push(...(await accessibilityFindings(page, 'palette')));
    await page.keyboard.press('Escape');
    await dialogGone(palette);
    await goTo(page, 'Tags');
    await page.getByRole('row', { name: 'Bottling.Line1.Filler.Speed.Value' }).click();
    await page.getByRole('heading', { name: 'Definition' }).waitFor();
    found.push(...(await accessibilityFindings(page, 'tags')));
    expect(found).toEqual([]);
  });

  test('the page contains no validation library: only main validates schemas', async () => {
    const { page } = await shared();
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    const texts = await page.evaluate(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const scripts = loaded.filter((name) => name.endsWith('.js') && !name.includes('worker'));
      return Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
    });
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes('ZodError'))).toEqual([]);
  });

  test('the theme follows the system', async () => {
    const window = await workbench.open({ colorScheme: 'dark' });
    const { page } = window;
    await page.locator('[data-theme="dark"]').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('[data-theme="light"]').waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('[data-theme="high-contrast"]').waitFor();
    await expect.poll(() => page.locator('[data-theme]').count()).toBe(1);

    // With forced colors, disabled buttons are the least prominent: in the gray of the system.
    await editorIsThere(page);
    const gray = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'GrayText';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    const colorsOf = (name: RegExp | string) =>
      page
        .getByRole('button', { name })
        .first()
        .evaluate((button) => {
          const { color, borderTopColor } = getComputedStyle(button);
          return [color, borderTopColor];
        });
    expect(await colorsOf('Stop')).toEqual([gray, gray]);
    const enabled = await colorsOf('Dry run');
    expect(enabled).not.toContain(gray);
    const disabledColors = await page
      .locator('.fui-Button:is([disabled], [aria-disabled="true"])')
      .filter({ visible: true })
      .evaluateAll((all) => all.map((button) => getComputedStyle(button).color));
    expect(new Set(disabledColors)).toEqual(new Set([gray]));
    await window.close();
  });

  test('with forced colors, states that are drawn as filled shapes stay different', async () => {
    const window = await workbench.open({ view: 'diagrams' });
    const { page } = window;
    await page.emulateMedia({ forcedColors: 'active' });
    /** One pixel of the page, because computed styles do not show forced colors. */
    const painted = async (shape: Locator, fromLeft: number) => {
      const box = await shape.boundingBox();
      if (!box) throw new Error(`${String(shape)} is not shown`);
      const clip = { x: Math.round(box.x + fromLeft), y: Math.round(box.y + box.height / 2), width: 1, height: 1 };
      return (await page.screenshot({ clip })).toString('base64');
    };
    const bulb = (state: string) => page.locator(`[data-state="${state}"] > [class*="bulb"]`).first();
    await bulb('on').waitFor();
    expect(await painted(bulb('on'), 7)).not.toBe(await painted(bulb('off'), 7));

    const views = page.getByRole('navigation', { name: 'Views' });
    const current = views.getByRole('button', { name: 'Diagrams' });
    expect(await painted(current, 1)).not.toBe(await painted(views.getByRole('button', { name: 'Events' }), 1));

    await workbench.stopRules();
    await goTo(page, 'Events');
    await page.getByRole('button', { name: 'Create test events' }).click();
    const list = page.getByRole('grid', { name: 'Events' });
    await list.getByRole('row').nth(1).click();
    const row = list.getByRole('row', { selected: true });
    const state = (name: string) => row.locator(`[data-state="${name}"]`);
    const active = await painted(state('active'), 4);
    await page.keyboard.press('d');
    await state('disabled').waitFor();
    expect(await painted(state('disabled'), 4)).not.toBe(active);

    await goTo(page, 'Aggregations');
    const markers = page.locator('.u-series:not(:first-child) .u-marker');
    await markers.nth(1).waitFor();
    const colors = await markers.evaluateAll((all) => all.map((marker) => getComputedStyle(marker).borderTopColor));
    expect(new Set(colors).size).toBe(colors.length);
    await window.close();
  });

  test('the policy of the page blocks inline scripts, eval and external content', async () => {
    const window = await workbench.open();
    const { page } = window;
    await editorIsThere(page);
    await page.evaluate(async () => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        document.body.classList.add(`refused-${effectiveDirective}`),
      );
      const script = document.createElement('script');
      script.textContent = 'window.ranInline = true';
      document.body.append(script);
      await fetch('http://127.0.0.1:9/').catch(() => undefined);
    });
    await page.locator('body.refused-script-src-elem.refused-connect-src').waitFor();
    expect(await page.evaluate(() => 'ranInline' in window)).toBe(false);
    // Blocked content is logged as errors in the page's console.
    await window.closeWithProblems();
  });

  test('the text of a script is shown before the editor is loaded', async () => {
    const window = await workbench.open();
    const { page } = window;
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector('[data-plain-text], .monaco-editor .view-line')?.textContent) return;
        observer.disconnect();
        performance.mark(document.querySelector('.monaco-editor') ? 'in the editor' : 'before it');
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.reload();
    await editorIsThere(page);
    const [first] = await page.evaluate(() =>
      performance.getEntriesByType('mark').map(({ name, startTime }) => ({ name, startTime })),
    );
    console.info(`first text after ${Math.round(first?.startTime ?? Number.NaN)} ms`);
    expect(first?.name).toBe('before it');
    await window.close();
  });

  test('a view loads few files, and only the view of scripts loads the editor', async () => {
    const window = await workbench.open({ view: 'tags' });
    const { page } = window;
    const scripts = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.js')),
      );
    await page.getByRole('row', { name: 'Bottling.Line1.Filler.Speed.Value' }).waitFor();
    const views = (names: string[]) => names.filter((name) => /\/[a-z]+-view-/.test(name));
    const first = await scripts();
    expect(first.length - views(first).length).toBeLessThan(10);
    // The others follow while the page is idle.
    await expect.poll(async () => views(await scripts()).length, { timeout: 20_000 }).toBe(8);
    expect((await scripts()).filter((name) => /editor|monaco|code/.test(name))).toEqual([]);
    /** Links to the files of the editor that are not in use yet. */
    const links = () =>
      page.locator('#editor-files').evaluate((list: HTMLTemplateElement) => list.content.children.length);
    expect(await links()).toBeGreaterThan(2);
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    expect((await scripts()).filter((name) => /code-editor/.test(name))).toHaveLength(1);
    expect(await links()).toBe(0);
    await window.close();
  });
});
