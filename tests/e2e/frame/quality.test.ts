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
  editorText,
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
    // Colors fade.
    await expect.poll(() => colorsOf('Stop')).toEqual([gray, gray]);
    await expect.poll(() => colorsOf('Dry run')).not.toContain(gray);
    const disabledColors = () =>
      page
        .locator('.fui-Button:is([disabled], [aria-disabled="true"])')
        .filter({ visible: true })
        .evaluateAll((all) => [...new Set(all.map((button) => getComputedStyle(button).color))]);
    await expect.poll(disabledColors).toEqual([gray]);
    await window.close();
  });

  test('with forced colors, states that are drawn as filled shapes stay different', async () => {
    const window = await workbench.open({ view: 'diagrams' });
    const { page } = window;
    await page.emulateMedia({ forcedColors: 'active' });
    /**
     * One pixel of the page, because computed styles do not show forced colors. Taken again if the shape moves in the
     * meantime.
     */
    const painted = async (shape: Locator, fromLeft: number): Promise<string> => {
      const box = await shape.boundingBox();
      if (!box) throw new Error(`${String(shape)} is not shown`);
      const clip = { x: Math.round(box.x + fromLeft), y: Math.round(box.y + box.height / 2), width: 1, height: 1 };
      const picture = (await page.screenshot({ clip })).toString('base64');
      const after = await shape.boundingBox();
      return after?.x === box.x && after.y === box.y ? picture : painted(shape, fromLeft);
    };
    const differ = (one: readonly [Locator, number], other: readonly [Locator, number]) =>
      expect.poll(async () => (await painted(...one)) === (await painted(...other))).toBe(false);
    const bulb = (state: string) => page.locator(`[data-state="${state}"] > [class*="bulb"]`).first();
    await bulb('on').waitFor();
    await differ([bulb('on'), 7], [bulb('off'), 7]);

    const views = page.getByRole('navigation', { name: 'Views' });
    const current = views.getByRole('button', { name: 'Diagrams' });
    await differ([current, 1], [views.getByRole('button', { name: 'Events' }), 1]);

    await workbench.stopRules();
    await goTo(page, 'Events');
    const { lastEvent } = await (await workbench.client()).events.createTest({ count: 1 });
    const list = page.getByRole('grid', { name: 'Events' });
    const id = page.getByRole('gridcell', { name: String(lastEvent), exact: true });
    await list.getByRole('row').filter({ has: id }).click();
    const row = list.getByRole('row', { selected: true });
    const state = (name: string) => row.locator(`[data-state="${name}"]`);
    const active = await painted(state('active'), 4);
    await page.keyboard.press('d');
    await state('disabled').waitFor();
    await expect.poll(() => painted(state('disabled'), 4)).not.toBe(active);

    await goTo(page, 'Aggregations');
    const shown = page.getByRole('main', { name: 'Aggregations' });
    const markers = shown.locator('.u-series:not(:first-child) .u-marker');
    await markers.nth(1).waitFor();
    const colors = () => markers.evaluateAll((all) => all.map((marker) => getComputedStyle(marker).borderTopColor));
    const areDifferent = async () => new Set(await colors()).size === (await markers.count());
    await expect.poll(areDifferent).toBe(true);
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
    // On a slow machine, the editor could load before the script is there.
    const loads = Promise.withResolvers<void>();
    await page.route(/\/code-editor-[^/]+\.js/, async (route) => {
      await loads.promise;
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => page.locator('[data-plain-text]').first().innerText()).toContain('TagValueManager');
    expect(await page.locator('.monaco-editor').count()).toBe(0);
    loads.resolve();
    await editorIsThere(page);
    await expect.poll(() => editorText(page)).toContain('TagValueManager');
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
    // The others follow while the page is idle.
    await expect.poll(async () => views(await scripts()).length).toBe(8);
    const all = await scripts();
    const others = all.findIndex((name) => /\/[a-z]+-view-/.test(name) && !name.includes('/tags-view-'));
    const first = all.slice(0, others);
    expect(first.length - views(first).length).toBeLessThan(10);
    expect((await scripts()).filter((name) => /editor|monaco|code/.test(name))).toEqual([]);
    /** Links to the files of the editor that are not in use yet. */
    const links = () =>
      page.locator('#editor-files').evaluate((list: HTMLTemplateElement) => list.content.children.length);
    expect(await links()).toBeGreaterThan(2);
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    expect((await scripts()).filter((name) => /code-editor/.test(name))).toHaveLength(1);
    await expect.poll(links).toBe(0);
    await window.close();
  });
});
