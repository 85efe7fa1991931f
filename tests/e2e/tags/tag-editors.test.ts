import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { chooseTheme, dialogGone, dialogThere, focusIn, goTo, THEMES, typeAhead, undo } from '../steps.ts';

describe('editors of tags', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'tags', reducedMotion: 'reduce' }));
  beforeEach(async () => {
    window = await shared();
    const { page } = window;
    await page.getByRole('tab', { name: 'Tags', exact: true }).click();
    await page.getByRole('treeitem', { name: 'All tags' }).click();
    await filter('');
    await page.getByRole('row').nth(1).waitFor();
  });

  const row = (path: string) => window.page.getByRole('row', { name: path });
  const field = (name: string | RegExp) => window.page.getByRole('form').getByRole('textbox', { name });
  const list = async (name: string, option: string) => {
    await window.page.getByRole('form').getByRole('combobox', { name }).click();
    await window.page.getByRole('option', { name: option, exact: true }).click();
  };
  const filter = (text: string) => window.page.getByRole('searchbox', { name: 'Filter tags' }).fill(text);
  const begin = async (path: string, kind: string, type: string) => {
    await window.page.keyboard.press('Alt+N');
    await window.page.getByRole('form', { name: 'New tag' }).waitFor();
    await expect.poll(() => field('Path').inputValue()).toBe('');
    await field('Path').fill(path);
    if (kind !== 'Storage') await list('Kind', kind);
    if (type !== 'Double' && kind !== 'ERP') await list('Type', type);
  };
  const create = async (path: string) => {
    await window.page.keyboard.press('Control+S');
    await window.page.getByRole('heading', { name: path }).waitFor();
  };

  test('a machine tag by keyboard: created, invalid numbers shown, changed, duplicated', async () => {
    const { page } = window;
    await begin('Editors.Pump.Pressure.Value', 'Machine', 'Double');
    await field('Min').fill('1,500');
    await page.getByText('"1,500" is ambiguous: enter 1.500 or 1500').waitFor();
    await field('Min').fill('1.5');
    await field('Max').fill('0.5');
    await field('Period').fill('20 apples');
    await page.getByText('enter a duration, such as 500 ms').waitFor();
    await field('Period').fill('20 s');
    await page.keyboard.press('Control+S');
    // Only main checks that min is not above max.
    await expect.poll(() => page.getByRole('form').locator('[aria-invalid="true"]').count()).toBe(1);
    await field('Max').fill('3');
    const preview = page.getByRole('region', { name: 'Preview of the signal' });
    await preview.getByText(/^Min 1\.5\d* · Max (3|2\.9\d*) · Period 20 s · New value every 1 s$/).waitFor();
    await preview.getByRole('img', { name: /^Curve of the signal: Value from 1\.5/ }).waitFor();
    await create('Editors.Pump.Pressure.Value');
    const definition = page.getByRole('region', { name: 'Tag Editors.Pump.Pressure.Value' });
    await expect
      .poll(() => definition.innerText())
      .toMatch(/Signal kind\s+sine\s+Signal min\s+1\.5\s+Signal max\s+3\s+Signal period\s+20 s/);

    await page.keyboard.press('F2');
    await field('Unit').fill('bar');
    await create('Editors.Pump.Pressure.Value');
    await filter('pump pressure');
    await expect.poll(() => row('Editors.Pump.Pressure.Value').innerText()).toContain('bar');

    await page.keyboard.press('Control+D');
    await expect.poll(() => field('Path').inputValue()).toBe('Editors.Pump.Pressure copy.Value');
    await field('Path').fill('Editors.Pump.Pressure.Value');
    await page.keyboard.press('Control+S');
    await page.getByText('a tag with this path exists').waitFor();
    await field('Path').fill('Editors.Pump.Pressure2.Value');
    await create('Editors.Pump.Pressure2.Value');
  });

  test('a new tag is scrolled into view', async () => {
    await begin('Zz.Last.New.Value', 'Storage', 'Double');
    await create('Zz.Last.New.Value');
    const bottom = () => row('Zz.Last.New.Value').evaluate((one) => one.getBoundingClientRect().bottom - innerHeight);
    await expect.poll(bottom).toBeLessThan(0);
  });

  test('every other kind is created in its editor, and reads and writes as configured', async () => {
    const { page } = window;
    await begin('Editors.Recipe.Target.Value', 'Storage', 'Double');
    await field('Initial value').fill('12.5');
    await create('Editors.Recipe.Target.Value');
    expect(await workbench.tagValue('Editors.Recipe.Target.Value')).toBe(12.5);
    const writeForm = page.getByRole('form', { name: 'Write a value' });
    await writeForm.waitFor();
    /** The details say that the tag is read-only, and have no form that only fails. */
    const isReadOnly = async (path: string) => {
      await page
        .getByRole('region', { name: `Tag ${path}` })
        .getByText(/read-only|cannot be written/)
        .waitFor();
      await expect.poll(() => writeForm.count()).toBe(0);
    };

    await begin('Editors.Recipe.Doubled.Value', 'Calculation', 'Double');
    await page.getByRole('combobox', { name: 'Tag to add to the expression' }).fill('Editors.Recipe.Target.Value');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await field('Expression').press('Control+End');
    await field('Expression').pressSequentially(' * ');
    await page.getByText(/^Not an expression: .*line 1, column 38/).waitFor();
    await page.keyboard.press('Control+S');
    await expect.poll(() => page.getByRole('form').locator('[aria-invalid="true"]').count()).toBe(1);
    await field('Expression').pressSequentially('2');
    await create('Editors.Recipe.Doubled.Value');
    expect(await workbench.tagValue('Editors.Recipe.Doubled.Value')).toBe(25);
    await isReadOnly('Editors.Recipe.Doubled.Value');
    await page.keyboard.press('F2');
    await field('Expression').fill("tag('Editors.Recipe.Doubled.Value')");
    await page.getByText(/^Calculations depend on each other in a cycle: /).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();

    await begin('Editors.Orders.Confirm.Record', 'ERP', 'Double');
    await field('JSON Schema').fill('{ "type": "object", "required": ["order" }');
    await page.getByText('invalid JSON').waitFor();
    await expect.poll(() => page.locator('.code-problem').allInnerTexts()).toEqual(['}']);
    await field('JSON Schema').fill('{ "type": "object", "required": ["order"] }');
    await create('Editors.Orders.Confirm.Record');
    await page.getByRole('textbox', { name: 'Value (Json)' }).fill('{ "amount": 1 }');
    await page.getByRole('button', { name: 'Write', exact: true, disabled: false }).press('Enter');
    await page.getByRole('form', { name: 'Write a value' }).getByText(/order/).waitFor();

    await begin('Editors.Database.Answer.Value', 'DB', 'Int');
    await field('Read SQL').fill('SELECT 41 + 1 AS answer');
    await page.getByRole('button', { name: 'Try the read' }).click();
    await page.getByRole('cell', { name: '42' }).waitFor();
    await field('Read SQL').fill('SELECT nonsense FROM nowhere');
    await page.getByRole('button', { name: 'Try the read' }).click();
    await page.getByText(/no such table: nowhere/).waitFor();
    await field('Read SQL').fill('SELECT 42 AS answer');
    await create('Editors.Database.Answer.Value');
    expect(await workbench.tagValue('Editors.Database.Answer.Value')).toBe(42);
    await isReadOnly('Editors.Database.Answer.Value');

    await workbench.saveScript('Editors/Read', 'return 7;');
    await begin('Editors.Scripts.Seven.Value', 'Script', 'Int');
    await page.getByRole('form').getByRole('combobox', { name: 'Read script' }).fill('Editors/Re');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Editors/Read' }).click();
    await create('Editors.Scripts.Seven.Value');
    expect(await workbench.tagValue('Editors.Scripts.Seven.Value')).toBe(7);
    await isReadOnly('Editors.Scripts.Seven.Value');
  });

  test('code is written with completion, undone, and left with Tab', async () => {
    const { page } = window;
    await begin('Editors.Code.Sum.Value', 'Calculation', 'Double');
    // The editor loads after its plain field, and takes over what was typed there.
    await page.getByRole('form').locator('.cm-content').waitFor();
    await page.getByText('Expression*').click();
    await page.keyboard.type("1 + tag('");
    await page.keyboard.insertText('filler speed');
    const option = page.getByRole('option', { name: 'Bottling.Line1.Filler.Speed.Value' });
    await option.waitFor();
    // CodeMirror ignores a click on a list while it asks for that of the next character.
    const written = async () => {
      if (await option.isVisible()) await option.click({ timeout: 1_000 }).catch(() => undefined);
      return field('Expression').innerText();
    };
    await expect.poll(written).toBe("1 + tag('Bottling.Line1.Filler.Speed.Value')");
    await page.keyboard.press('End');
    await page.keyboard.type(' + * 2');
    await page.getByText(/line 1, column 48/).waitFor();
    await expect.poll(() => page.locator('.code-problem').allInnerTexts()).toEqual(['*']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => field('Expression').innerText()).not.toContain('*');
    await page.keyboard.press('Tab');
    await focusIn(page.getByRole('combobox', { name: 'Tag to add to the expression' }));
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test.for(sampled(THEMES, 1))('axe finds nothing in theme %s', async (theme) => {
    const { page } = window;
    const found: string[] = [];
    const look = async (state: string) => found.push(...(await accessibilityFindings(page, state)));
    await chooseTheme(page, theme);
    await filter('Display.Title');
    await row('Bottling.Settings.Display.Title.Value').click();
    await page.getByRole('grid', { name: 'Values by Diagram and workcenter' }).waitFor();
    await look('scope grid');
    await filter('Filler.Speed.Value');
    await row('Bottling.Line1.Filler.Speed.Value').click();
    await page.getByRole('img', { name: /^Trend of/ }).waitFor();
    await look('trend');
    await page.keyboard.press('F2');
    await field('Noise').fill('1,500');
    await look('machine editor');
    await field('Noise').fill('0.4');
    await page.getByRole('button', { name: 'Close' }).click();
    await filter('ByReason');
    await row('Bottling.Line1.Downtime.ByReason.Value').click();
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'Try the read' }).click();
    await page.getByText(/rows? \(/).waitFor();
    await look('DB editor');
    await page.getByRole('tab', { name: 'ERP outbox' }).click();
    await page.getByRole('region', { name: 'ERP outbox' }).waitFor();
    await look('outbox');
    expect(found.join('\n')).toBe('');
  });

  test('an edit survives another selection and a reload; a discard can be undone', async () => {
    const { page } = window;
    await begin('Editors.Kept.Draft.Value', 'Storage', 'String');
    await field('Description').fill('half done');
    await row('Bottling.').first().click();
    await page.getByRole('group', { name: 'Unsaved' }).waitFor();
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Editors.Kept.Draft.Value' }).click();
    await expect.poll(() => field('Description').inputValue()).toBe('half done');
    await page.getByRole('button', { name: 'Discard' }).click();
    await undo(page, 'Changes discarded');
    await expect.poll(() => field('Description').inputValue()).toBe('half done');
    await create('Editors.Kept.Draft.Value');
  });

  test('a tag deleted or changed elsewhere while open is reported, and can be saved', async () => {
    const { page } = window;
    await begin('Editors.Gone.Tag.Value', 'Storage', 'String');
    await create('Editors.Gone.Tag.Value');
    await page.getByRole('button', { name: 'Edit…', disabled: false }).press('Enter');
    await field('Description').fill('mine');
    const other = await workbench.another(window.context);
    await goTo(other.page, 'Tags');
    await other.page.getByRole('searchbox', { name: 'Filter tags' }).fill('Editors.Gone.Tag.Value');
    await other.page.getByRole('row', { name: 'Editors.Gone.Tag.Value' }).click();
    await other.page.getByRole('heading', { name: 'Editors.Gone.Tag.Value' }).waitFor();
    await other.page.getByRole('grid', { name: 'Tags' }).press('Delete');
    await page.getByText('This tag was deleted').waitFor();
    await field('Description').fill('mine still');
    await create('Editors.Gone.Tag.Value');
    await page.getByText('mine still').waitFor();
    expect(await workbench.tagwright('tags', 'list', 'Editors.Gone')).toContain('Editors.Gone.Tag.Value');
    await other.page.close();
  });

  test('names with quotes, emoji and right-to-left text, and 500 characters', async () => {
    const { page } = window;
    const odd = `Editors.It's "quoted" 😀.مضخة.Value`;
    const long = `Editors.${'n'.repeat(480)}.Value`;
    for (const path of [odd, long]) {
      await begin(path, 'Storage', 'String');
      await create(path);
    }
    await begin(`${long}${'x'.repeat(40)}`, 'Storage', 'String');
    await page.keyboard.press('Control+S');
    await page.getByText('a tag path has at most 512 characters').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('treeitem', { name: /^Editors/ }).click();
    const group = page.getByRole('treeitem', { name: /quoted/ });
    await expect.poll(() => group.getAttribute('aria-label')).toBe(`It's "quoted" 😀, 1 tag`);
  });

  test('groups by keyboard; several tags are changed, deleted, restored with values', async () => {
    const { page } = window;
    for (const name of ['One', 'Two', 'Three']) {
      await begin(`Editors.Several.${name}.Value`, 'Storage', 'Double');
      await create(`Editors.Several.${name}.Value`);
    }
    await page.getByRole('textbox', { name: 'Value (Double)' }).fill('33');
    await page.getByRole('button', { name: 'Write', exact: true, disabled: false }).press('Enter');
    await expect.poll(() => workbench.tagValue('Editors.Several.Three.Value')).toBe(33);

    const tree = page.getByRole('tree', { name: 'Groups of tags' });
    const activeGroup = tree.locator('[data-active="true"]');
    await tree.focus();
    await focusIn(tree);
    await typeAhead(page, 'Edit', () => activeGroup.getAttribute('aria-label'));
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^Several/ }).waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown');
        return activeGroup.getAttribute('aria-label');
      })
      .toMatch(/^Several/);
    await page.keyboard.press('Enter');
    await page.getByText(/^3 of \d+ tags$/).waitFor();

    const grid = page.getByRole('grid', { name: 'Tags' });
    await grid.focus();
    await focusIn(grid);
    await page.keyboard.press('Control+A');
    await expect.poll(() => grid.getByRole('row', { selected: true }).count()).toBe(3);
    await page.keyboard.press('F2');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Edit 3 tags' }));
    await dialog.getByRole('checkbox', { name: 'Unit' }).check();
    await dialog.getByRole('textbox', { name: 'New unit' }).fill('kg');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await expect.poll(() => row('Two.Value').innerText()).toContain('kg');

    // A type that a stored value does not fit: only after a confirmation.
    const client = await workbench.client();
    await client.tags.set({ items: [{ tag: 'Editors.Several.One.Value', value: 1.5 }] });
    const types = () =>
      Promise.all(
        ['One', 'Two', 'Three'].map(
          async (name) => (await client.tags.definition({ path: `Editors.Several.${name}.Value` })).type,
        ),
      );
    await grid.focus();
    await focusIn(grid);
    await page.keyboard.press('F2');
    await dialogThere(dialog);
    await dialog.getByRole('checkbox', { name: 'Type' }).check();
    await dialog.getByRole('combobox', { name: 'New type' }).click();
    await page.getByRole('option', { name: 'Int', exact: true }).click();
    await dialog.getByRole('button', { name: 'Change', exact: true }).press('Enter');
    await dialog.getByText('The new type drops 1 stored value of 1 tag').waitFor();
    expect(await types()).toEqual(['Double', 'Double', 'Double']);
    expect(await workbench.tagValue('Editors.Several.One.Value')).toBe(1.5);
    await dialog.getByRole('button', { name: 'Change and drop them' }).press('Enter');
    await dialogGone(dialog);
    expect(await types()).toEqual(['Int', 'Int', 'Int']);

    await grid.focus();
    await focusIn(grid);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Delete 3 tags' }).getByRole('button', { name: 'Delete' }).click();
    await undo(page, '3 tags deleted');
    await expect.poll(() => workbench.tagValue('Editors.Several.Three.Value')).toBe(33);
  });

  test('values per scope: written, shown, and cleared by keyboard', async () => {
    const { page } = window;
    await begin('Editors.Scopes.Title.Value', 'Storage', 'String');
    await create('Editors.Scopes.Title.Value');
    const grid = page.getByRole('grid', { name: 'Values by Diagram and workcenter' });
    // The last part of the details to be loaded.
    await page.getByText('Not referenced by any script').waitFor();
    await page.getByRole('button', { name: 'Write a value…' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Write the value of a scope' }));
    await dialog.getByRole('textbox', { name: 'workcenter' }).fill('Line 7');
    await dialog.getByRole('textbox', { name: 'Value (String)' }).fill('Seventh');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await grid.getByRole('gridcell', { name: 'Seventh' }).waitFor();
    await grid.getByRole('columnheader', { name: 'Line 7' }).waitFor();
    await grid.getByRole('gridcell').first().focus();
    await focusIn(grid.getByRole('gridcell').first());
    await page.keyboard.press('ArrowRight');
    await focusIn(grid.getByRole('gridcell', { name: 'Seventh' }));
    await page.keyboard.press('Delete');
    await expect.poll(() => grid.getByRole('gridcell').allInnerTexts()).toEqual(['–']);
  });

  test('import shows rejected rows and why; an export is the same file', async () => {
    const { page } = window;
    const pick = async (name: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Import' }).click();
      await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer });
    };
    const choose = async (name: string, text: string) => {
      await pick(name, Buffer.from(text));
      return dialogThere(page.getByRole('dialog', { name: 'Import tags' }));
    };
    await pick('old.csv', Buffer.from('path,kind,type\nEditors.Prüfstand.A.Value,storage,Double\n', 'latin1'));
    await page.locator('.fui-Toast').filter({ hasText: 'This is not UTF-8 text.' }).waitFor();
    const wrong = await choose('wrong.csv', 'path,kind,type\nEditors.In.A.Value,storage,Double\nno,storage,Double\n');
    await wrong.getByText('Nothing was imported: 1 row rejected.').waitFor();
    await wrong.getByRole('row', { name: /^3 no a?.*at least three segments/ }).waitFor();
    await page.keyboard.press('Escape');
    await dialogGone(wrong);
    const right = await choose('right.csv', 'path;kind;type\r\nEditors.In.A.Value;storage;Double\r\n');
    await right.getByText('1 created, 0 replaced.').waitFor();
    await page.keyboard.press('Escape');
    await dialogGone(right);
    await filter('Editors.In.A');
    await row('Editors.In.A.Value').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toBe('path,kind,type,unit,description,settings\r\nEditors.In.A.Value,storage,Double,,,{}\r\n');

    // A type that the stored value does not fit: only after a confirmation.
    const client = await workbench.client();
    await client.tags.set({ items: [{ tag: 'Editors.In.A.Value', value: 1.5 }] });
    const typed = await choose('typed.csv', 'path,kind,type\nEditors.In.A.Value,storage,Int\n');
    await typed.getByText('drops 1 stored value of 1 tag').waitFor();
    expect((await client.tags.definition({ path: 'Editors.In.A.Value' })).type).toBe('Double');
    await typed.getByRole('button', { name: 'Import and drop them' }).click();
    await typed.getByText('0 created, 1 replaced.').waitFor();
    await page.keyboard.press('Escape');
    await dialogGone(typed);
  });

  test('an export of many tags shows progress, and leaves no file when cancelled', async () => {
    const client = await workbench.client();
    const paths = Array.from({ length: 5_000 }, (_, at) => `Editors.Many.Tag${at}.Value`);
    const rows = paths.map((path) => `${path},storage,Double`);
    const imported = await client.tags.import({ format: 'csv', text: `path,kind,type\n${rows.join('\n')}\n` });
    expect(imported.refused).toEqual([]);
    const { page } = window;
    // Over a connection that the test can hold, so an export takes as long as the test needs.
    let held = false;
    await page.routeWebSocket('**/rpc', (route) => {
      const server = route.connectToServer();
      const waiting: (string | Buffer)[] = [];
      server.onMessage((message) => {
        waiting.push(message);
        if (!held) for (const one of waiting.splice(0)) route.send(one);
      });
    });
    await page.reload();
    await filter('Editors.Many');
    await page.getByText('5,000 of').first().waitFor();
    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    held = true;
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Export tags' }));
    await dialog.getByText('Collecting the tags for tags.json').waitFor();
    expect(await accessibilityFindings(page, 'export', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await dialogGone(dialog);
    await page.getByText('Export cancelled; no file was created').first().waitFor();
    held = false;
    // The next export is complete, and the only one.
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.split('\r\n').length).toBe(5_002);
    expect(downloads).toEqual(['tags.csv']);
    await client.tags.delete({ paths });
  });
});
