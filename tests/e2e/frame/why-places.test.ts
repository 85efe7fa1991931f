import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { chooseTheme, focusIn, goTo, openScript, THEMES } from '../steps.ts';

const TAG = 'Bottling.Line1.Shift.Target.Value';
const ORDERS = 'Bottling.Test.Orders.Record';
const URL_TEXT = 'http://far.invalid/caps';
const SCRIPT = 'Line 1/Order a few';
const BODY = `// Orders caps.
const { statusCode } = ApiValueManager.Fetch('${URL_TEXT}', 'get', null);
TagValueManager.Set([{ tag: '${TAG}', value: Number(statusCode) }, { tag: '${ORDERS}', value: { caps: 7 } }]);
`;

describe('Why? from the things of all views', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    const client = await workbench.client();
    const tag = { description: '', unit: '', settings: {} };
    await client.tags.save({ ...tag, path: ORDERS, kind: 'erp', type: 'Json' });
    await client.mocks.save({ name: 'Caps', request: { url: URL_TEXT } });
    const part = {
      kind: 'value' as const,
      x: 16,
      y: 16,
      width: 240,
      height: 80,
      label: 'Target',
      tag: TAG,
      value: null,
    };
    await client.diagrams.save({
      name: 'Explained',
      width: 640,
      height: 480,
      parts: [
        { ...part, id: 'value' },
        {
          ...part,
          id: 'trend',
          kind: 'trend',
          label: 'Targets',
          tag: '',
          y: 120,
          width: 480,
          height: 240,
          trend: { tags: [TAG], spanMs: 60_000 },
        },
      ],
    });
    await workbench.saveScript(SCRIPT, BODY);
    window = await workbench.open({ view: 'diagrams', reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  const pane = () => window.page.getByRole('complementary', { name: 'Why?' });
  const causes = () => pane().getByRole('list', { name: 'Causes' }).getByRole('listitem');
  const first = () => causes().first().innerText();
  const chooseWhy = () => window.page.getByRole('menuitem', { name: /^Why\?/ }).click();

  test('a point of a trend is explained as of its time, a part as of now', async () => {
    const { page } = window;
    await page.getByRole('row', { name: 'Explained' }).click();
    const points = page.getByRole('slider', { name: 'Points of Targets' });
    await points.waitFor();
    await workbench.tagwright('tags', 'set', `${TAG}=111`);
    await expect.poll(() => points.getAttribute('aria-valuetext')).toContain(': 111');
    await workbench.tagwright('tags', 'set', `${TAG}=222`);
    await expect.poll(() => points.getAttribute('aria-valuetext')).toContain(': 222');
    await points.focus();
    // To the value before, however many times the page has drawn the current one.
    for (let steps = 0; steps < 300; steps += 1) {
      if (((await points.getAttribute('aria-valuetext')) ?? '').includes(': 111')) break;
      await page.keyboard.press('ArrowLeft');
    }
    await page.keyboard.press('Alt+Y');
    await pane()
      .getByText(/^as of/)
      .waitFor();
    await expect.poll(first).toMatch(/→ 111/);
    await page.keyboard.press('Escape');
    await focusIn(points);

    const part = page.getByRole('button', { name: /^Target\s*222/ });
    await part.focus();
    await page.keyboard.press('Alt+Y');
    await expect.poll(first).toMatch(/111 → 222/);
    await page.keyboard.press('Escape');
    await part.click({ button: 'right' });
    await chooseWhy();
    await expect.poll(first).toMatch(/111 → 222/);
    expect(await accessibilityFindings(page, 'a Diagram with parts to explain', '[data-pane="diagram"]')).toEqual([]);
  });

  test('a part is explained in the scope that its Diagram shows', async () => {
    const { page } = window;
    const client = await workbench.client();
    const scopes = [
      { value: 501, diagram: 'Explained', location: 'W9' },
      { value: 502, diagram: '', location: '' },
    ];
    for (const { value, ...scope } of scopes) await client.tags.set({ items: [{ tag: TAG, value }], ...scope });
    await page.getByRole('textbox', { name: 'workcenter' }).fill('W9');
    const part = page.getByRole('button', { name: /^Target\s*501/ });
    await part.focus();
    await page.keyboard.press('Alt+Y');
    await expect.poll(first).toMatch(/in scope Explained \/ W9[^]*→ 501/);
    await pane().getByText('seen by Explained / W9').waitFor();
    await page.keyboard.press('Escape');
    await focusIn(part);
    await page.keyboard.press('Enter');
    await chooseWhy();
    await expect.poll(first).toMatch(/→ 501/);
    await page.getByRole('textbox', { name: 'workcenter' }).fill('');
    await page.getByRole('button', { name: /^Target\s*502/ }).focus();
    await page.keyboard.press('Alt+Y');
    await expect.poll(first).toMatch(/→ 502/);
    await page.keyboard.press('Escape');
  });

  test('a trace row has a menu; its call is explained by run and mock', async () => {
    const { page } = window;
    await goTo(page, 'Scripts');
    await openScript(page, 'Order a few');
    await page.keyboard.press('F5');
    await page.getByRole('button', { name: 'Why?', exact: true }).waitFor();
    await page.keyboard.press('Alt+2');
    const trace = page.getByRole('region', { name: 'Trace' });
    const rows = trace.getByRole('listitem');
    await rows.filter({ hasText: URL_TEXT }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy the URL' }).waitFor();
    await chooseWhy();
    await expect.poll(first).toContain(`called GET ${URL_TEXT}: status 200 from the mock “Caps”`);
    await pane().getByText(`wrote ${TAG}`).waitFor();
    expect(await accessibilityFindings(page, 'a trace next to an explanation', '[data-pane="preview"]')).toEqual([]);
    const written = rows.filter({ hasText: 'Write' }).first();
    await written.getByRole('button').first().focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Go to line 3' }).click();
    await page.getByText('Ln 3, Col 1').waitFor();
    await written.click({ button: 'right' });
    await chooseWhy();
    await pane().getByRole('button', { name: TAG, exact: true }).waitFor();
  });

  test('a line of an older version opens the text of that version', async () => {
    const { page } = window;
    await workbench.saveScript(SCRIPT, '// No orders.\n');
    await goTo(page, 'Tags');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('shift target');
    await page.getByRole('row', { name: TAG }).click();
    await page.keyboard.press('Alt+Y');
    await causes()
      .first()
      .getByRole('button', { name: /\(version 1\), line 3/ })
      .press('Enter');
    const dialog = page.getByRole('dialog', { name: `Version 1 of “${SCRIPT}”` });
    await dialog.locator('.shown-line').waitFor();
    await dialog.getByText('line 3 is highlighted').waitFor();
    await dialog.getByText('// Orders caps.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);

    // Also if the script has another name, and another script has its name.
    const client = await workbench.client();
    const [group = '', name = ''] = SCRIPT.split('/');
    const { id, version, description, body } = await client.scripts.get({ group, name });
    await client.scripts.save({ id, baseVersion: version, group, name: 'Renamed', description, body });
    await workbench.saveScript(SCRIPT, '// Another script.\n// Line 2.\n// Line 3.\n');
    await pane().getByRole('button', { name: 'Read again' }).press('Enter');
    const link = causes()
      .first()
      .getByRole('button', { name: /\(version 1\), line 3/ });
    await causes().first().getByText('TagValueManager.Set([{ tag').waitFor();
    await link.press('Enter');
    await dialog.getByText('// Orders caps.').waitFor();
    await page.keyboard.press('Escape');
    await client.scripts.delete({ id });
    await pane().getByRole('button', { name: 'Read again' }).press('Enter');
    await causes()
      .first()
      .getByTitle(/the script was deleted$/)
      .press('Enter');
    await dialog.getByText('// Orders caps.').waitFor();
    await page.keyboard.press('Escape');
    await client.scripts.restore({ id });
  });

  test('the connections of a tag lead from one to the next by keyboard', async () => {
    const { page } = window;
    const speed = 'Bottling.Line1.Filler.Speed.Value';
    await goTo(page, 'Tags');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('filler speed value');
    await page.getByRole('row', { name: speed }).click();
    await page.keyboard.press('Alt+Y');
    const connections = pane().getByRole('region', { name: 'Connections' });
    const affected = connections.getByRole('list', { name: 'A change affects' }).getByRole('listitem');
    await affected.filter({ hasText: 'Line overview' }).waitFor();
    await focusIn(causes().first());
    // Down to the first tag that depends on it.
    const next = affected.filter({ hasText: / tag, / }).first();
    for (let steps = 0; steps < 30; steps += 1) {
      if (await next.evaluate((item) => item.contains(document.activeElement))) break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => pane().getByRole('button', { name: speed, exact: true }).count()).toBe(0);
    await connections.getByRole('heading', { name: 'Written by' }).waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
    await pane().getByRole('button', { name: speed, exact: true }).waitFor();
    await connections.waitFor();
    for (const theme of sampled(THEMES, 1)) {
      await chooseTheme(page, theme);
      expect(await accessibilityFindings(page, 'connections', '[data-pane="why"]')).toEqual([]);
    }
    await page.keyboard.press('Escape');
  });

  test('a tag is explained by the value that its view shows in a scope', async () => {
    const { page } = window;
    const client = await workbench.client();
    await client.tags.set({ items: [{ tag: TAG, value: 610 }] });
    await client.tags.set({ items: [{ tag: TAG, value: 611 }], diagram: 'Explained', location: 'W8' });
    await goTo(page, 'Tags');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('shift target');
    await page.getByRole('row', { name: TAG }).click();
    await page.keyboard.press('Alt+Y');
    await expect.poll(first).toMatch(/→ 610/);
    await page.getByRole('textbox', { name: 'As Diagram' }).fill('Explained');
    await page.getByRole('textbox', { name: 'workcenter' }).first().fill('W8');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: TAG }).getByText('611').waitFor();
    await page.getByRole('row', { name: TAG }).click({ button: 'right' });
    await chooseWhy();
    await expect.poll(first).toMatch(/in scope Explained \/ W8[^]*→ 611/);
    await page.getByRole('textbox', { name: 'As Diagram' }).fill('');
    await page.getByRole('textbox', { name: 'workcenter' }).first().fill('');
    await page.keyboard.press('Enter');

    // A cell of its stored values, by keyboard.
    const values = page.getByRole('grid', { name: 'Values by Diagram and workcenter' });
    await values.getByRole('gridcell', { name: '611', exact: true }).click();
    await page.keyboard.press('Shift+F10');
    await chooseWhy();
    await expect.poll(first).toMatch(/→ 611/);
    await values.getByRole('gridcell', { name: '610', exact: true }).click();
    await page.keyboard.press('Alt+Y');
    await expect.poll(first).toMatch(/→ 610/);
    await page.keyboard.press('Escape');
  });

  test('a tag with a bad quality and a cell of the scope lens are explained', async () => {
    const { page } = window;
    const client = await workbench.client();
    const speed = 'Bottling.Line1.Capper.Speed.Value';
    await client.tags.force({ path: speed, quality: 'BadSensorFailure' });
    await goTo(page, 'Tags');
    await page.getByRole('tab', { name: /^Problems/ }).click();
    const tree = page.getByRole('tree', { name: 'Problems of tags' });
    const problem = tree.getByRole('treeitem', { name: /Capper.*Speed/ });
    await problem.first().click({ button: 'right' });
    await chooseWhy();
    await expect.poll(first).toContain(`forced ${speed} to BadSensorFailure`);
    await page.keyboard.press('Escape');
    await focusIn(tree);
    await page.keyboard.press('Alt+Y');
    await expect.poll(first).toContain(`forced ${speed} to BadSensorFailure`);
    await page.keyboard.press('Escape');
    await client.tags.force({ path: speed, quality: null });

    await client.tags.set({ items: [{ tag: TAG, value: 612 }], diagram: 'Explained', location: 'W8' });
    await page.getByRole('tab', { name: 'Tags', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('shift target');
    await page.getByRole('row', { name: TAG }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: /in all scopes/ }).click();
    const results = page.getByRole('table', { name: 'Results by Diagram and location' });
    await results.getByRole('button', { name: '612' }).first().focus();
    await page.keyboard.press('Alt+Y');
    await expect.poll(first).toMatch(/in scope Explained \/ W8[^]*→ 612/);
    await page.keyboard.press('Escape');
  });

  test('a request, an API call and a record of the outbox have it in their menus', async () => {
    const { page } = window;
    await (await fetch(`${workbench.eventsApi}/api/events?limit=1`)).text();
    await goTo(page, 'Events');
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByRole('row', { name: /limit=1/ }).click({ button: 'right' });
    await chooseWhy();
    await expect.poll(first).toContain('requested GET /api/events?limit=1: status 200');

    await goTo(page, 'API mocks');
    await page.getByRole('tab', { name: /^Call/ }).click();
    const calls = page.getByRole('grid', { name: 'Calls' });
    await calls
      .getByRole('row', { name: /far\.invalid/ })
      .filter({ hasNotText: 'dry run' })
      .first()
      .click({ button: 'right' });
    await chooseWhy();
    await expect.poll(first).toContain(`script ${SCRIPT} (version 1), line 2`);

    await goTo(page, 'Tags');
    await page.getByRole('tab', { name: /ERP/ }).click();
    await page.getByRole('grid', { name: 'Records' }).getByRole('row', { name: /caps/ }).click({ button: 'right' });
    await chooseWhy();
    await expect.poll(first).toMatch(new RegExp(`sent record \\d+ of ${ORDERS}`));
    await page.keyboard.press('Escape');
  });
});
