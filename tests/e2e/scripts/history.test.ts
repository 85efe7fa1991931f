import { userInfo } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { scaled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  cursorAt,
  dialogGone,
  dialogThere,
  editorHasFocus,
  editorText,
  focusIn,
  heldNotice,
  openScript,
  putCursor,
  write,
} from '../steps.ts';

const SAVES = scaled(60, 200);
const { username } = userInfo();

describe('the history of a script', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    for (const body of ['return "first";\n', 'return "second";\n', 'return "third, €";\n']) {
      await workbench.saveScript('Tests/Mine', body);
    }
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    window = await shared();
    await openScript(window.page, 'Mine');
  });

  const dialog = () => window.page.getByRole('dialog', { name: /^History of/ });
  const versions = () => dialog().getByRole('grid', { name: 'Versions' });
  const saved = async () => (await workbench.client()).scripts.get({ group: 'Tests', name: 'Mine' });
  /** The visible text of one side of the comparison. */
  const side = async (name: 'original' | 'modified') => {
    const text = await dialog().locator(`.editor.${name} .view-lines`).innerText();
    return text.replaceAll('\u00a0', ' ');
  };

  test('versions are listed with their changes, compared and restored by keyboard', async () => {
    const { page } = window;
    await page.keyboard.press('Alt+H');
    await dialogThere(dialog());
    await versions()
      .getByRole('row', { name: /First version/ })
      .waitFor();
    const rows = async () => {
      const texts = await versions().getByRole('row').allInnerTexts();
      return texts.slice(1).map((row) => row.split('\n').filter((cell) => cell !== ''));
    };
    await expect.poll(rows).toEqual([
      ['3', expect.stringMatching(/\d/), username, 'Text, +4 bytes', '21'],
      ['2', expect.stringMatching(/\d/), username, 'Text, +1 bytes', '17'],
      ['1', expect.stringMatching(/\d/), username, 'First version', '16'],
    ]);
    expect(await accessibilityFindings(page, 'the history of a script')).toEqual([]);
    const head = (name: string) => versions().getByRole('columnheader', { name, exact: true });
    await head('Changed').click();
    await expect.poll(async () => (await rows()).map(([number]) => number)).toEqual(['1', '2', '3']);
    expect(await head('Changed').getAttribute('aria-sort')).toBe('ascending');
    await head('No.').click();
    await expect.poll(async () => (await rows()).map(([number]) => number)).toEqual(['3', '2', '1']);
    await dialog().getByText('Version 2 (left) and the current text (right)').waitFor();
    await versions().focus();
    await focusIn(versions());
    await page.keyboard.press('End');
    await dialog().getByText('Version 1 (left) and the current text (right)').waitFor();
    await expect.poll(() => side('original')).toContain('first');
    await expect.poll(() => side('modified')).toContain('third');
    await page.keyboard.press('Home');
    await dialog().getByText('Version 3 and the current text: the same text').waitFor();
    await dialog().getByRole('radio', { name: 'with the previous version' }).check();
    await dialog().getByText('Version 2 (left) and version 3 (right)').waitFor();
    await expect.poll(() => side('original')).toContain('second');
    await versions().focus();
    await focusIn(versions());
    await page.keyboard.press('End');
    await dialog().getByText('Nothing (left) and version 1 (right)').waitFor();
    await dialog().getByRole('button', { name: 'Restore version 1' }).press('Enter');
    await dialogGone(dialog());
    const notice = await heldNotice(page, 'Version 1 was restored as version 4');
    expect(await saved()).toMatchObject({ body: 'return "first";\n', version: 4 });
    await expect.poll(() => editorText(page)).toContain('return "first";');
    await notice.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(saved).toMatchObject({ body: 'return "third, €";\n', version: 5 });
    await expect.poll(() => editorText(page)).toContain('return "third, €";');
  });

  test('unsaved text is compared too, and returns when a restore is undone', async () => {
    const { page } = window;
    await write(page, 'return "unsaved";');
    await page.getByRole('button', { name: 'History' }).click();
    await dialogThere(dialog());
    await versions()
      .getByRole('row', { name: /First version/ })
      .click();
    await expect.poll(() => side('modified')).toContain('unsaved');
    await dialog().getByRole('button', { name: 'Restore version 1' }).click();
    await dialogGone(dialog());
    const notice = await heldNotice(page, 'Version 1 was restored');
    await expect.poll(async () => (await saved()).body).toBe('return "first";\n');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => editorText(page)).toContain('return "unsaved";');
    await page.getByRole('treeitem', { name: 'Mine, unsaved' }).waitFor();
    expect((await saved()).body).toBe('return "first";\n');
    await page.keyboard.press('Control+S');
    await expect.poll(async () => (await saved()).body).toBe('return "unsaved";');
  });

  test(`${SAVES} versions are listed, and both ends are reached equally fast`, async () => {
    const { page } = window;
    const client = await workbench.client();
    const text = { group: 'Tests', name: 'Often', description: '' };
    const { id } = await client.scripts.save({ ...text, body: 'return "first";' });
    for (let save = 2; save <= SAVES; save += 1) await client.scripts.save({ ...text, id, body: `return ${save};` });
    await openScript(page, 'Often');
    await page.getByText(`Version ${SAVES}`, { exact: true }).waitFor();
    await page.keyboard.press('Alt+H');
    await dialogThere(dialog());
    await versions()
      .getByRole('row', { name: new RegExp(`^${SAVES} `) })
      .waitFor();
    await expect.poll(() => versions().getAttribute('aria-rowcount')).toBe(String(SAVES + 1));
    await versions().focus();
    await focusIn(versions());
    await page.keyboard.press('End');
    await dialog().getByText('Version 1 (left) and the current text (right)').waitFor();
    await expect.poll(() => side('original')).toContain('first');
    await expect.poll(() => side('modified')).toContain(`return ${SAVES};`);
    await page.keyboard.press('Escape');
    await dialogGone(dialog());
    await editorHasFocus(page);
    await page.keyboard.insertText('/* here */');
    await expect.poll(() => editorText(page)).toContain('/* here */');
    // The editor still moves to the next problem.
    await write(page, '// One line\nreturn nothing.at.all;');
    await page.locator('.monaco-editor .squiggly-error').first().waitFor();
    await putCursor(page, 'start');
    await page.keyboard.press('Alt+F8');
    await cursorAt(page, /^Ln 2, /);
  });
});
