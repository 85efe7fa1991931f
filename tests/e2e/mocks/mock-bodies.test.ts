import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { focusIn, tabTo } from '../steps.ts';

let workbench: BrowserWorkbench;
beforeAll(async () => {
  workbench = await startBrowserWorkbench();
});
afterAll(() => workbench.close());
const shared = sharedWindow(() => workbench.open({ view: 'mocks', reducedMotion: 'reduce' }));

test('bodies of a mock are highlighted, and invalid JSON is marked', async () => {
  const { page } = await shared();
  const form = page.getByRole('form', { name: 'Mock', exact: true });
  const field = (name: string) => form.getByRole('textbox', { name, exact: true });
  const marks = (name: string) => field(name).locator('.code-problem').allInnerTexts();
  const saved = async () => (await (await workbench.client()).mocks.list()).mocks.find(({ name }) => name === 'Bodies');
  await page.keyboard.press('Alt+N');
  await focusIn(field('Name'));
  await page.keyboard.type('Bodies');
  await field('URL pattern').fill('https://bodies.example/');
  await form.getByLabel('Request body').selectOption('json');
  const match = 'Members of the body';
  await field(match).and(page.locator('.cm-content')).waitFor();
  await tabTo(field(match));
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{\n  "line": 7,\n  "order" 1\n}');
  await expect.poll(() => marks(match)).toEqual(['1']);
  await form.getByText(/Invalid JSON.*line 3 column 11/).waitFor();
  expect(await accessibilityFindings(page, 'an invalid body', 'main')).toEqual([]);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => marks(match)).toEqual([]);
  await expect.poll(() => field(match).innerText()).toBe('{}');
  await page.keyboard.press('Control+Shift+Z');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{"line": 7}');

  const body = 'JSON of the response';
  await field(body).and(page.locator('.cm-content')).waitFor();
  await tabTo(field(body));
  await page.keyboard.press('Control+A');
  // Brackets and quotes are closed while typing.
  await page.keyboard.type('{"found": [true');
  await expect.poll(() => field(body).innerText()).toBe('{"found": [true]}');
  await expect.poll(() => field(body).locator('.tok-propertyName').allInnerTexts()).toEqual(['"found"']);
  await page.keyboard.press('Control+S');
  await expect
    .poll(saved)
    .toMatchObject({ request: { body: { json: { line: 7 } } }, answer: { body: { json: { found: [true] } } } });
});

test('a text has colors if its type is JSON; undo stays within a response', async () => {
  const { page } = await shared();
  const client = await workbench.client();
  const text = (content: string, type: string) => ({
    headers: [['Content-Type', type] as [string, string]],
    body: { kind: 'text' as const, text: content },
  });
  const { id } = await client.mocks.save({
    name: 'Texts',
    priority: 99,
    request: { url: 'https://texts.example/' },
    answer: text('{"first": {{hits}}}', 'application/problem+json; charset=utf-8'),
    sequence: { answers: [text('{"second": 2}', 'application/json'), text('<xml/>', 'application/xml')] },
  });
  await page.getByRole('grid', { name: 'Mocks' }).getByRole('row').filter({ hasText: 'Texts' }).click();
  const form = page.getByRole('form', { name: 'Mock', exact: true });
  const field = form.getByRole('textbox', { name: 'Text of the response' });
  await field.and(page.locator('.cm-content')).waitFor();
  await expect.poll(() => field.getAttribute('name')).toBe('answer.body');
  await expect.poll(() => field.locator('.tok-propertyName').allInnerTexts()).toContain('"first"');
  // With an expression, it is not JSON yet, so nothing is wrong.
  expect(await field.locator('.code-problem').count()).toBe(0);
  await form.getByRole('tab', { name: '2: 200' }).click();
  await expect.poll(() => field.innerText()).toBe('{"second": 2}');
  await expect.poll(() => field.getAttribute('name')).toBe('sequence.answers.0.body');
  await field.focus();
  await page.keyboard.press('Control+Z');
  await form.getByRole('tab', { name: '3: 200' }).click();
  await expect.poll(() => field.evaluate((element) => element.tagName)).toBe('TEXTAREA');
  await form.getByText('Saved', { exact: true }).waitFor();
  await client.mocks.delete({ ids: [id] });
});
