import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { focusIn, goTo, openOwnScript, pickInPalette } from '../steps.ts';

const NUMBER = 'Bottling.Line1.Order.Number.Value';
const BODY = `const [number] = TagValueManager.Get(['${NUMBER}'], tagScopeDiagram, tagScopeLocation).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: number.Value + 1 }]);
return number.Value;
`;

const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Scopes' });
const grid = (page: Page) => panel(page).getByRole('table', { name: 'Results by Diagram and location' });

describe('the scope lens', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));

  test('shows a script in each scope, with a warning and the value that was used', async () => {
    const { page } = await shared();
    const client = await workbench.client();
    await client.tags.set({ items: [{ tag: NUMBER, value: 12 }], diagram: '', location: '' });
    await client.tags.set({ items: [{ tag: NUMBER, value: 4711 }], diagram: '', location: 'W77' });
    const before = await workbench.tagValue(NUMBER);
    await openOwnScript(workbench, page, BODY);
    await page.keyboard.press('Alt+9');
    await panel(page).getByRole('button', { name: 'Show in all scopes' }).click();
    const row = grid(page).getByRole('row', { name: /^W77/ });
    await row.getByRole('button', { name: '4711' }).first().waitFor();
    await panel(page)
      .getByRole('note')
      .getByText(/Reads .* with its scope \(line 1\), and writes it without it \(line 2\)/)
      .waitFor();
    expect(await accessibilityFindings(page, 'scope lens')).toEqual([]);
    await row.getByRole('button', { name: '4711' }).first().focus();
    await page.keyboard.press('Enter');
    const details = panel(page).getByRole('region', { name: 'Scope default / W77' });
    await expect
      .poll(() => details.innerText())
      .toMatch(/stored for default \/ W77, shadows 12 of default[^]*write .* \[default\] = 4712/);
    expect(await workbench.tagValue(NUMBER)).toEqual(before);
    await panel(page).getByRole('button', { name: 'Show the write' }).click();
    await page.locator('[data-pane="editor"] .monaco-editor.focused').waitFor();
  });

  test('shows a tag in chosen scopes', async () => {
    const { page } = await shared();
    await openOwnScript(workbench, page, BODY);
    await page.keyboard.press('Alt+9');
    await panel(page).getByRole('combobox', { name: 'What to show' }).click();
    await page.getByRole('option', { name: 'A tag' }).click();
    await panel(page).getByRole('textbox', { name: 'Path of the tag' }).fill(NUMBER);
    await panel(page).getByRole('textbox', { name: 'Diagrams' }).fill('default');
    await panel(page).getByRole('textbox', { name: 'Locations' }).fill('default, W77');
    await panel(page).getByRole('button', { name: 'Show in all scopes' }).click();
    await expect.poll(() => grid(page).getByRole('row').count()).toBe(3);
    await expect.poll(() => grid(page).getByRole('row').last().innerText()).toContain('4711');
    await panel(page).getByRole('textbox', { name: 'Path of the tag' }).fill('No.Such.Tag');
    await panel(page).getByRole('button', { name: 'Show in all scopes' }).click();
    await panel(page).getByRole('alert').getByText('the tag does not exist').waitFor();
  });

  test('opens from a tag and from a Diagram, by keyboard', async () => {
    const { page } = await shared();
    const client = await workbench.client();
    await client.tags.set({ items: [{ tag: NUMBER, value: 4711 }], diagram: '', location: 'W77' });
    await goTo(page, 'Tags');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('order number');
    await page.getByRole('row', { name: NUMBER }).click();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Show in all scopes' }).press('Enter');
    await grid(page).getByRole('row', { name: /^W77/ }).waitFor();
    await expect.poll(() => panel(page).getByRole('textbox', { name: 'Path of the tag' }).inputValue()).toBe(NUMBER);
    await focusIn(page.getByRole('region', { name: 'Preview' }));

    await goTo(page, 'Tags');
    await pickInPalette(page, 'Show the tag in all', /Show the tag in all scopes/);
    await panel(page).getByRole('textbox', { name: 'Path of the tag' }).waitFor();

    await goTo(page, 'Diagrams');
    await page.getByRole('row', { name: 'Line overview' }).click();
    const part = page.locator('[data-pane="diagram"] [role="button"][data-kind]').first();
    await part.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Show the Diagram in all scopes' }).press('Enter');
    await expect
      .poll(() => panel(page).getByRole('combobox', { name: 'Diagram to show in its locations' }).innerText())
      .toBe('Line overview');
    await grid(page).getByRole('columnheader', { name: 'Line overview' }).waitFor();
    await grid(page)
      .getByRole('row', { name: /^Line1.*values/ })
      .waitFor();
  });
});
