import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  editorHasFocus,
  editorText,
  focusIn,
  goTo,
  hoverFor,
  openOwnScript,
  putCursor,
  runToEnd,
  write,
} from '../steps.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';
const SLIP = 'Bottling.Line1.Filler.Sped.Value';
const NEW = 'Tests.Made.From.Script';

describe('tags in the text of a script', () => {
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

  const warnings = () => window.page.locator('.monaco-editor .squiggly-warning');
  const storage = (path: string) =>
    ({ path, kind: 'storage', type: 'Double', unit: 'bar', description: 'Set *point*', settings: {} }) as const;
  /** Opens the list of fixes at the warning of a path, using only the keyboard. */
  const fixes = async (path: string) => {
    const { page } = window;
    await warnings().first().waitFor();
    await putCursor(page, 'start');
    const marker = page.locator('.marker-widget');
    // The live run's message for the line may precede it, and briefly an older message.
    const nextProblem = async () => {
      await page.keyboard.press('Alt+F8');
      await marker.waitFor();
      return marker.innerText();
    };
    await expect.poll(nextProblem).toContain(`No tag has the path "${path}"`);
    // The number of the text in the editor is nothing to a person.
    expect(await marker.innerText()).not.toMatch(/\.js|file:|\d+ of \d+ problems? in/);
    await page.keyboard.press('Escape');
    await marker.waitFor({ state: 'detached' });
    await editorHasFocus(page);
    const widget = page.locator('.action-widget:not(.action-list-submenu-panel)');
    const fix = widget.getByText(/^Change to|^Create the tag/).first();
    // A live run that ends at this moment changes the markers, and the editor cancels its search for fixes.
    const fixOffered = async () => {
      await page.keyboard.press('Control+.');
      return fix.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(fixOffered, { timeout: 120_000 }).toBe(true);
    await focusIn(widget);
    return page.locator('.action-widget .action');
  };

  test('an unknown path is underlined, and changed to the nearest one with Ctrl+.', async () => {
    const { page } = window;
    await write(
      page,
      `const read = TagValueManager.Get(['${SPEED}', '${SLIP}']);\nreturn [read, 'No.Such.Path', \`A.\${tagName}.B\`];`,
    );
    await warnings().first().waitFor();
    await expect.poll(() => warnings().count()).toBe(1);
    const offered = await fixes(SLIP);
    await expect.poll(async () => (await offered.allInnerTexts())[0]).toContain(`Change to "${SPEED}"`);
    await page.keyboard.press('Enter');
    // The line is wrapped.
    await expect
      .poll(async () => (await editorText(page)).replaceAll(/\s+/g, ' '))
      .toContain(`Get(['${SPEED}', '${SPEED}'])`);
    await expect.poll(() => warnings().count()).toBe(0);
    await page.keyboard.press('Control+Z');
    await expect.poll(() => editorText(page)).toContain(SLIP);
  });

  test('a tag is created from its path, which removes the warning', async () => {
    const { page } = window;
    await write(page, `// Two lines\nreturn TagValueManager.Set([{ tag: '${NEW}', value: 1 }]);`);
    const offered = await fixes(NEW);
    const place = async () =>
      (await offered.allInnerTexts()).findIndex((title) => title.includes(`Create the tag "${NEW}"`));
    await expect.poll(place).toBeGreaterThanOrEqual(0);
    const at = await place();
    for (let step = 0; step < at; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'New tag' });
    await form.waitFor();
    await expect.poll(() => form.getByRole('textbox', { name: 'Path' }).inputValue()).toBe(NEW);
    await page.keyboard.press('Control+S');
    await page.getByRole('heading', { name: NEW }).waitFor();
    await goTo(page, 'Scripts');
    await expect.poll(() => warnings().count()).toBe(0);
  });

  test('a tag deleted while its script is open is marked at once', async () => {
    const { page } = window;
    const client = await workbench.client();
    await client.tags.save(storage('Tests.Short.Lived.Value'));
    await write(page, "return TagValueManager.Get(['Tests.Short.Lived.Value'])");
    await runToEnd(page, 'ok');
    await expect.poll(() => warnings().count()).toBe(0);
    await client.tags.delete({ paths: ['Tests.Short.Lived.Value'] });
    await warnings().first().waitFor();
    await client.tags.save(storage('Tests.Short.Lived.Value'));
    await expect.poll(() => warnings().count()).toBe(0);
  });

  test('hovering shows value, quality, time, unit, kind, type and the values of scopes', async () => {
    const { page } = window;
    const client = await workbench.client();
    const path = 'Tests.Scoped.Target.Value';
    await client.tags.save(storage(path));
    await client.tags.set({ items: [{ tag: path, value: 2.5 }] });
    await client.tags.set({ items: [{ tag: path, value: 7 }], diagram: 'Overview', location: 'W1' });
    await write(page, `return TagValueManager.Get(['${path}']);`);
    const hover = page.locator('.monaco-hover').filter({ hasText: 'storage tag, Double' });
    await hoverFor(page.locator('.view-line').getByText(path).first(), hover.first());
    const text = (await hover.first().innerText()).replaceAll('\u00a0', ' ');
    expect(text).toMatch(/2\.5 bar — Good · \d+:\d\d/);
    expect(text).toContain('Overview / W1: 7');
    expect(text).toContain('Set *point*');
  });
});
