import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { openScript, runToEnd, showPane } from '../steps.ts';

const GROUPS = 'Ends.A deep group.Another deep group.A third deep group.The last group';
const DEEP = `${GROUPS}.Speed.Value`;
const SUM = 'Ends.Short.Sum.Value';
const SCRIPT_TAG = `${GROUPS}.Report.Value`;
const BODY = `TagValueManager.Get(['${DEEP}', '${SUM}', 'Ends.Short.Other.Value', 'nothing']);
return ApiValueManager.Fetch('https://nobody.example/', 'get').StatusCode;
`;

/** The names of the paths in an element, and those that are cut off or whose groups look like them. */
async function pathsIn(element: Locator) {
  const names = element.locator(
    '[dir="ltr"]:has(> span > [data-shared]) + span, [dir="ltr"]:not(:has([data-shared])) + span',
  );
  return names.evaluateAll((all) => {
    const bad = all.filter((name) => {
      const groups = name.previousElementSibling;
      const looksLikeName = groups !== null && getComputedStyle(groups).color === getComputedStyle(name).color;
      return name.scrollWidth > name.clientWidth + 1 || looksLikeName;
    });
    return { names: all.map((name) => name.textContent), bad: bad.map((name) => name.textContent) };
  });
}

describe('paths that are longer than their place', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    const client = await workbench.client();
    await client.settings.update({ 'api.mode': 'offline' });
    const tag = { type: 'Double' as const, description: '', unit: '' };
    await client.tags.save({ ...tag, path: DEEP, kind: 'storage', settings: {} });
    await client.tags.save({ ...tag, path: 'Ends.Short.Other.Value', kind: 'storage', settings: {} });
    await client.tags.save({ ...tag, path: SUM, kind: 'calculation', settings: { expression: `tag('${DEEP}') + 1` } });
    const longSum = { ...tag, path: `${GROUPS}.Sum.Value`, kind: 'calculation' as const };
    await client.tags.save({ ...longSum, settings: { expression: `tag('${DEEP}') + 2` } });
    const { id } = await client.scripts.save({ group: 'Ends', name: 'Long paths', description: '', body: BODY });
    await client.tags.save({ ...tag, path: SCRIPT_TAG, kind: 'script', settings: { readScript: { id } } });
    await client.tags.get({ paths: [SCRIPT_TAG] });
    const at = { width: 200, height: 60, label: 'Deep' };
    const parts = [{ id: 'a', kind: 'value' as const, x: 0, y: 0, tag: DEEP, value: null, ...at }];
    await client.diagrams.save({ name: 'Ends', width: 600, height: 300, parts });
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));

  test('the trace and the table of a Diagram show their names, and the groups in gray', async () => {
    const { page } = await shared();
    await page.setViewportSize({ width: 1024, height: 700 });
    await openScript(page, 'Long paths');
    await runToEnd(page, 'ok');
    await showPane(page, 'Trace');
    const trace = page.getByRole('region', { name: 'Trace', exact: true });
    await expect
      .poll(() => pathsIn(trace))
      .toEqual({ names: ['Speed.Value', 'Sum.Value', 'Other.Value', 'nothing'], bad: [] });
    await trace.getByRole('button', { name: DEEP, exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Diagram', exact: true }).click();
    await page.getByRole('combobox', { name: 'Diagram to show' }).click();
    await page.getByRole('option', { name: 'Ends', exact: true }).click();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    const table = page.getByRole('region', { name: 'What the Diagram shows' });
    await expect.poll(() => pathsIn(table)).toEqual({ names: ['Speed.Value'], bad: [] });
    await table.getByRole('cell', { name: DEEP, exact: true }).waitFor();
    expect(await accessibilityFindings(page, 'the table of a Diagram')).toEqual([]);
  });

  test('"Where used" of tags and of scripts shows their names, and the groups in gray', async () => {
    const { page } = await shared();
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.keyboard.press('Control+2');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill(DEEP);
    await page.getByRole('row', { name: DEEP }).click();
    const used = page.getByRole('main', { name: 'Tags' }).getByRole('region', { name: 'Where used' });
    await used.getByRole('button', { name: SUM }).waitFor();
    await expect.poll(() => pathsIn(used)).toEqual({ names: ['Sum.Value', 'Sum.Value'], bad: [] });
    expect(await accessibilityFindings(page, 'where a tag is used')).toEqual([]);
    await page.keyboard.press('Control+1');
    await openScript(page, 'Long paths');
    await page.getByRole('button', { name: /Ends.*Long paths/ }).click();
    const runBy = page.getByRole('main', { name: 'Scripts' }).getByRole('region', { name: 'Where used' });
    await expect.poll(() => pathsIn(runBy)).toEqual({ names: ['Report.Value'], bad: [] });
  });

  test('outputs of rules and the call log show their names, and the groups in gray', async () => {
    const { page } = await shared();
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.keyboard.press('Control+3');
    await page.getByRole('grid', { name: 'Rules' }).getByRole('row').nth(1).click();
    await page.keyboard.press('Alt+N');
    await page.getByRole('combobox', { name: 'Source tag 1', exact: true }).fill(DEEP);
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    const source = page.getByRole('combobox', { name: 'Source tag of output 1' });
    await source.press('ArrowDown');
    await page.getByRole('option', { name: DEEP, exact: true }).press('Enter');
    await expect.poll(() => pathsIn(source)).toEqual({ names: ['Speed.Value'], bad: [] });
    await expect.poll(() => source.innerText()).toContain(DEEP);
    expect(await accessibilityFindings(page, 'the outputs of a rule')).toEqual([]);
    await page.keyboard.press('Control+5');
    await page.getByRole('tab', { name: 'Call log' }).click();
    const calls = page.getByRole('grid', { name: 'Calls' });
    await calls.getByRole('row', { name: SCRIPT_TAG }).first().waitFor();
    const shown = async () => {
      const { names, bad } = await pathsIn(calls);
      return { names: [...new Set(names)], bad };
    };
    await expect.poll(shown).toEqual({ names: ['Report.Value'], bad: [] });
  });
});
