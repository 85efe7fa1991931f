import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { sharedWindow } from '../support/shared-window.ts';
import { openOwnScript } from './steps.ts';

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
    expect(await details.innerText()).toMatch(
      /stored for default \/ W77, shadows 12 of default[^]*write .* \[default\] = 4712/,
    );
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
    expect(await grid(page).getByRole('row').last().innerText()).toContain('4711');
    await panel(page).getByRole('textbox', { name: 'Path of the tag' }).fill('No.Such.Tag');
    await panel(page).getByRole('button', { name: 'Show in all scopes' }).click();
    await panel(page).getByRole('alert').getByText('There is no tag').waitFor();
  });
});
