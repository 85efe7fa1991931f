import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { storePicture } from '../../support/browser/picture.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  autoRun,
  chooseTheme,
  editorText,
  hoverFor,
  openOwnScript,
  pickInPalette,
  putCursor,
  valuesInEditor,
} from '../steps.ts';

const SPEED = 'Bottling.Line1.Filler.SpeedSetPoint.Value';
const BODY = `const { Success, Value } = TagValueManager.Get(['${SPEED}']);
const order = { id: 4720, bottles: [330, 500, 750] };
let total = 0;
let state = Success ? 'running' : 'stopped';
for (const [place, size] of order.bottles.entries()) {
  if (size < 400) continue;
  total += size * place;
}
if (total > 5000) state = 'late'; else state = 'on time';
function alarm(text) {
  console.error(text);
}
try {
  JSON.parse('{');
} catch (error) {
  state += ', not parsed';
}
TagValueManager.Set([{ tag: '${SPEED}', value: 400 }]);
return { total, state };
`;
/** As shown, without white space: lines are wrapped. */
const VALUES = [
  'Success=true,Value=[{…}]',
  'order={id:4720,bottles:Array(3)}',
  'total=0',
  'state="running"',
  'place=0…2×3,size=330…750×3',
  'total=500…2000×2',
  'state="ontime"',
  'error=SyntaxError:Expectedpropertynameor',
  'state="ontime,notparsed"',
  '→400',
  'return={total:2000,',
];

const editor = (page: Page) => page.locator('[data-pane="editor"]');
const state = (page: Page, wanted: 'shown' | 'stale') => editor(page).locator(`[data-values="${wanted}"]`).waitFor();
const none = (page: Page) => editor(page).locator('[data-values]').waitFor({ state: 'detached' });

/** The parts of the text that are marked as not run. */
const skipped = (page: Page) =>
  page.locator('.not-run').evaluateAll((all) => all.map((part) => part.textContent).join(''));

describe('values of a run in the text', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    window = await shared();
    await autoRun(window.page, false);
  });

  test('shows variables and branches by keyboard, in light and dark, and closes them', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, BODY);
    await putCursor(page, 'start');
    await page.keyboard.press('Alt+V');
    await state(page, 'shown');
    for (const value of VALUES) {
      await expect.poll(async () => (await valuesInEditor(page)).join('').replaceAll(/\s/g, '')).toContain(value);
    }
    await expect
      .poll(async () => (await skipped(page)).replaceAll('\u00a0', ' '))
      .toBe(`'stopped'state = 'late';console.error(text);`);
    const marks = (kind: string) => page.locator(`.coverage-${kind}`).count();
    await expect.poll(async () => [await marks('some'), await marks('none')]).toEqual([2, 1]);
    await expect.poll(() => marks('all')).toBeGreaterThan(8);
    // A value that is cut is whole on hover.
    const cut = page.locator('.run-value').filter({ hasText: 'Expected' }).first();
    await hoverFor(cut, page.locator('.monaco-hover').getByText(/in.JSON.at.position/));
    // Nothing was saved, and the preview has the result.
    await page.getByRole('region', { name: 'Preview' }).getByText('Dry run').last().waitFor();
    for (const theme of sampled(['light', 'dark'] as const, 1)) {
      await chooseTheme(page, theme);
      await putCursor(page, 'start');
      await storePicture(page, `values-${theme}`);
      expect(await accessibilityFindings(page, 'shown values')).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await none(page);
    await expect.poll(() => page.locator('.not-run, .coverage-line').count()).toBe(0);
    await page.keyboard.press('Alt+V');
    await state(page, 'shown');
    await page.keyboard.press('Alt+V');
    await none(page);
  });

  test('values are stale after an edit, keep their lines, and survive another tab', async () => {
    const { page } = window;
    const name = await openOwnScript(workbench, page, 'const a = 1;\nconst b = a + 1;\nreturn b;\n');
    await putCursor(page, 'start');
    await page.keyboard.press('Alt+V');
    await expect.poll(() => valuesInEditor(page)).toEqual(['a = 1', 'b = 2', 'return = 2']);
    await page.keyboard.press('Enter');
    await state(page, 'stale');
    await storePicture(page, 'values-stale');
    await expect.poll(() => editorText(page)).toMatch(/^\n/);
    await expect.poll(() => valuesInEditor(page)).toEqual(['a = 1', 'b = 2', 'return = 2']);
    await openOwnScript(workbench, page, 'return 5;\n');
    await none(page);
    await page.getByRole('tab', { name }).click();
    await state(page, 'stale');
    await expect.poll(() => valuesInEditor(page)).toEqual(['a = 1', 'b = 2', 'return = 2']);
    await putCursor(page, 'start');
    // Of the changed text, they are shown again.
    await page.keyboard.press('Alt+V');
    await state(page, 'shown');
    // Any other run takes their place.
    await page.keyboard.press('Shift+F5');
    await none(page);
    await expect.poll(() => valuesInEditor(page)).toEqual([]);
  });

  test('the palette, a button and a menu show values; an error has its line', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, 'let n = 0;\nwhile (n < 10) n += 1;\nnull.x;\nn = 5;\n');
    await pickInPalette(page, 'Show values', /^Show values of a dry run/);
    await state(page, 'shown');
    await expect.poll(() => valuesInEditor(page)).toEqual(['n = 0', 'n = 1 … 10 ×10']);
    await page.locator('.monaco-editor .run-error-glyph').waitFor();
    await page.getByRole('button', { name: 'Show values' }).click();
    await none(page);
    await putCursor(page, 'start');
    await page.keyboard.press('Shift+F10');
    const item = page.getByRole('menuitem', { name: /^Show values/ });
    await item.waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown');
        return item.evaluate((element) => element.closest('.focused') !== null);
      })
      .toBe(true);
    await page.keyboard.press('Enter');
    await state(page, 'shown');
  });

  test('a hot script says that it was stopped, and shows its values', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, 'let n = 0;\nfor (;;) {\n  n += 1;\n}\n');
    await putCursor(page, 'start');
    await page.keyboard.press('Alt+V');
    await state(page, 'shown');
    await expect.poll(() => valuesInEditor(page)).toEqual(['n = 0', expect.stringMatching(/^n = 1 … \d+ ×[\d,]+$/)]);
    await page.getByText('The run was stopped after 100,000 statements').first().waitFor();
    await storePicture(page, 'values-stopped');
  });
});
