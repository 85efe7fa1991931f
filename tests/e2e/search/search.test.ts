import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scriptTestText } from '#contract/texts/script-test-text';
import { mockRoute } from '#contract/texts/mock-route';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  cursorAt,
  dialogGone,
  editorHasFocus,
  focusIn,
  goTo,
  openOwnScript,
  openScript,
  putCursor,
  write,
} from '../steps.ts';

describe('the Search view', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Search/First', 'const needleA = 1;\nreturn needleA;');
    await workbench.saveScript('Search/Second', 'return "a needleA here";');
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'search' }));
  beforeEach(async () => {
    window = await shared();
  });

  const field = () => window.page.getByRole('searchbox', { name: 'Search for' });
  const results = () => window.page.getByRole('tree', { name: 'Results of the search' });
  const status = () => window.page.getByRole('main', { name: 'Search' }).getByRole('status');
  const rows = () =>
    results()
      .getByRole('treeitem')
      .evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));

  /** Types a search after Ctrl+Shift+F, and waits for its results. */
  const searchFor = async (text: string, found: RegExp | string) => {
    const { page } = window;
    await page.keyboard.press('Control+Shift+F');
    await focusIn(field());
    await page.keyboard.press('Control+A');
    // At once: a pause on a slow machine would be a search of its own.
    await page.keyboard.insertText(text);
    await status().getByText(found).waitFor();
  };

  test('finds by keyboard, opens a match in the editor, and the next ones with F4', async () => {
    const { page } = window;
    await goTo(page, 'Tags');
    await searchFor('NEEDLEa', '3 matches in 2 items');
    await expect
      .poll(rows)
      .toEqual([
        'Search/First, script, 2 matches',
        'const needleA = 1;, line 1',
        'return needleA;, line 2',
        'Search/Second, script, 1 match',
        'return "a needleA here";, line 1',
      ]);
    expect(await accessibilityFindings(page, 'results')).toEqual([]);
    await page.keyboard.press('F6');
    await focusIn(results());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'First', selected: true }).waitFor();
    await cursorAt(page, 'Ln 2, Col 15');
    await editorHasFocus(page);
    await page.keyboard.press('F4');
    await page.getByRole('tab', { name: 'Second', selected: true }).waitFor();
    await cursorAt(page, 'Ln 1, Col 18');
    await page.keyboard.press('Shift+F4');
    await page.getByRole('tab', { name: 'First', selected: true }).waitFor();
    await cursorAt(page, 'Ln 2, Col 15');
    await page.keyboard.press('Control+Shift+F');
    await focusIn(field());
    await expect
      .poll(() => results().locator('[aria-selected="true"]').getAttribute('aria-label'))
      .toBe('return needleA;, line 2');
  });

  test('searches the selection of the editor; former searches and typed text return', async () => {
    const { page } = window;
    await goTo(page, 'Scripts');
    await openOwnScript(workbench, page, 'sieveSelected();\n');
    await putCursor(page, 'start');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await page.keyboard.press('Control+Shift+F');
    await expect.poll(() => field().inputValue()).toBe('sieveSelected');
    await status().getByText('1 match in 1 item').waitFor();
    await field().fill('sieveTyped');
    await field().press('ArrowUp');
    await expect.poll(() => field().inputValue()).toBe('sieveSelected');
    await field().press('ArrowDown');
    await expect.poll(() => field().inputValue()).toBe('sieveTyped');
    // The same selection does not replace what was typed; the replacement is the next thing to type.
    await page.keyboard.press('Control+Shift+H');
    await focusIn(page.getByRole('textbox', { name: 'Replace with' }));
    await expect.poll(() => field().inputValue()).toBe('sieveTyped');
    await results().waitFor({ state: 'detached' });
    await page.getByText('All items were searched, ignoring case.').waitFor();
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.getByText('These options limit the search: Match case.').waitFor();
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
  });

  test('case, whole words and regular expressions; an invalid one is explained', async () => {
    const { page } = window;
    await searchFor('needle', /3 matches in 2 items/);
    await page.getByRole('button', { name: 'Whole word' }).press('Space');
    await status().getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Whole word' }).press('Space');
    await page.getByRole('button', { name: 'Match case' }).press('Space');
    await searchFor('needlea', 'No matches');
    await page.getByRole('button', { name: 'Match case' }).press('Space');
    await page.getByRole('button', { name: 'Regular expression' }).press('Space');
    await searchFor('^(const|return) needle', '2 matches in 1 item');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('needle(');
    await page.getByRole('alert').getByText('a "(" has no ")"').waitFor();
    await expect.poll(() => results().count()).toBe(0);
    await page.getByRole('button', { name: 'Regular expression' }).press('Space');
    await status().getByText('No matches').waitFor();
  });

  test('excluded results, filters, and former searches', async () => {
    const { page } = window;
    await searchFor('needleA', '3 matches in 2 items');
    await page.keyboard.press('F6');
    await focusIn(results());
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await expect.poll(rows).toHaveLength(4);
    // The next row is active now.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await expect.poll(rows).toEqual(['Search/First, script, 1 match', 'return needleA;, line 2']);
    await page.getByRole('button', { name: 'Search again' }).click();
    await expect.poll(rows).toHaveLength(5);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('textbox', { name: 'Names to exclude' }).fill('*first');
    await expect.poll(rows).toHaveLength(2);
    await page.getByRole('textbox', { name: 'Names to exclude' }).fill('');
    await page.getByRole('checkbox', { name: 'scripts' }).uncheck();
    await status().getByText('No matches').waitFor();
    await page.getByRole('checkbox', { name: 'scripts' }).check();
    await status().getByText('3 matches in 2 items').waitFor();
    expect(await accessibilityFindings(page, 'filters')).toEqual([]);
    await page.getByRole('button', { name: 'Filters' }).click();
    await searchFor('needleA here', '1 match in 1 item');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field().inputValue()).toBe('needleA');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => field().inputValue()).toBe('needleA here');
  });

  test('unsaved texts are found as the editor shows them', async () => {
    const { page } = window;
    await workbench.saveScript('Search/Edited', 'return "old text of the draft";');
    await goTo(page, 'Scripts');
    await openScript(page, 'Edited');
    await write(page, 'return newText + 1;');
    // At once, before the pause after which the draft is stored.
    await searchFor('newText', '1 match in 1 item');
    await expect.poll(rows).toEqual(['Search/Edited, draft, 1 match', 'return newText + 1;, line 1']);
    await searchFor('old text of the draft', 'No matches');
  });

  test('a tag, a rule, a mock and a test open with the field and the match', async () => {
    const { page } = window;
    const client = await workbench.client();
    const path = 'Tests.Search.Sum.Value';
    const expression = '1 +\n  2 /* haystack */';
    await client.tags.save({
      path,
      kind: 'calculation',
      type: 'Int',
      description: '',
      unit: '',
      settings: { expression },
    });
    await client.rules.save({
      name: 'Searched',
      description: '',
      enabled: false,
      triggersEvents: false,
      tags: [path],
      sampling: { kind: 'onChange' },
      window: { kind: 'manual' },
      outputs: [{ name: 'Top', reducer: 'max', tag: path }],
      condition: 'Top > 3 /* haystack */',
    });
    await client.mocks.save(
      mockRoute().parse({
        name: 'Searched',
        request: { url: 'https://erp.example/haystack' },
        answer: { body: { kind: 'json', json: { list: [1, 'haystack'] } } },
      }),
    );
    const { scripts } = await client.scripts.list();
    const scriptId = scripts.find(({ name }) => name === 'First')?.id ?? 0;
    await client.scriptTests.save({
      ...scriptTestText().parse({ name: 'Full', expect: { result: 'haystack' } }),
      scriptId,
    });
    await searchFor('haystack', '5 matches in 4 items');

    /** The next result, and the field that has the focus, with its selection. */
    const next = async (name: string) => {
      await page.keyboard.press('F4');
      await expect.poll(() => page.evaluate(focused)).toEqual([name, 'haystack']);
    };
    await next('test');
    // With the match selected in the editor, Escape closes the dialog.
    await page.locator('.cm-content[name="test"]').waitFor();
    await page.keyboard.press('Escape');
    await dialogGone(page.getByRole('dialog'));
    await next('settings.expression');
    await next('condition');
    await next('request.url');
    await next('answer.body');
  });
});

/** The name of the focused field, and its selected text. */
function focused(): string[] {
  const element = document.activeElement;
  const code = element?.closest('.cm-content[name]');
  if (code) return [code.getAttribute('name') ?? '', getSelection()?.toString() ?? ''];
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return [];
  return [element.name, element.value.slice(element.selectionStart ?? 0, element.selectionEnd ?? 0)];
}
