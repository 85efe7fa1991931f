import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { focusIn, pickInPalette, undo } from '../steps.ts';

describe('a sequence of responses', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'mocks', reducedMotion: 'reduce' }));

  const saved = async () => {
    const { mocks } = await (await workbench.client()).mocks.list();
    return mocks.find(({ name }) => name === 'Recovering');
  };
  const statusOfCall = async () => {
    const body = "return ApiValueManager.Fetch('https://recovering.example/', 'get', null).StatusCode";
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    return (await (await workbench.client()).runs.execute({ body, context, dryRun: false })).result;
  };

  test('is written, tried, used, shown with its position, and restarted', async () => {
    const { page } = await shared();
    const form = page.getByRole('form', { name: 'Mock', exact: true });
    const field = (name: string) => form.getByRole('textbox', { name, exact: true });
    await page.keyboard.press('Alt+N');
    await focusIn(field('Name'));
    await page.keyboard.type('Recovering');
    await field('URL pattern').fill('https://recovering.example/');
    await field('Status').fill('500');
    await form.getByRole('button', { name: 'Add response' }).click();
    await form.getByRole('tab', { name: '2: 500', selected: true }).waitFor();
    await field('Status').fill('200');
    await form.getByRole('button', { name: 'Add response' }).click();
    await form.getByRole('tab', { name: '3: 200', selected: true }).waitFor();
    await field('Status').fill('nothing');
    await form.getByRole('tab', { name: /Invalid 3: nothing/ }).waitFor();

    await form.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => form.getByRole('tab').allInnerTexts()).toEqual(['1: 500', '2: 200']);
    await undo(page, 'Removed response 3');
    await form.getByRole('tab', { name: '3: nothing' }).waitFor();
    await field('Status').fill('204');
    await form.getByRole('button', { name: 'Earlier' }).click();
    await expect.poll(() => form.getByRole('tab').allInnerTexts()).toEqual(['1: 500', '2: 204', '3: 200']);
    await form.getByRole('tab', { name: '3: 200' }).click();
    await page.keyboard.press('F5');
    await page.getByRole('status', { name: 'Result' }).getByText('Response 3 of 3 from “Recovering”').waitFor();
    await page.keyboard.press('Control+S');
    await expect.poll(async () => (await saved())?.sequence?.answers.map(({ status }) => status)).toEqual([204, 200]);

    await form.getByText('Next call: response 1 of 3').waitFor();
    expect([await statusOfCall(), await statusOfCall()]).toEqual(['500', '204']);
    await form.getByText('Next call: response 3 of 3').waitFor();
    const row = page.getByRole('grid', { name: 'Mocks' }).getByRole('row').filter({ hasText: 'Recovering' });
    await row.getByText('3/3: 200 json').waitFor();
    expect(await accessibilityFindings(page, 'a sequence', 'main')).toEqual([]);
    await form.getByRole('button', { name: 'Restart' }).click();
    await form.getByText('Next call: response 1 of 3').waitFor();
    expect(await statusOfCall()).toBe('500');
    await pickInPalette(page, 'Restart all sequences', /Restart all sequences/);
    await form.getByText('Next call: response 1 of 3').waitFor();
    await expect.poll(async () => (await saved())?.position).toBe(0);
  });
});
