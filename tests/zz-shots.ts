import { startBrowserWorkbench } from './support/browser-workbench.ts';
const workbench = await startBrowserWorkbench({ ownBrowser: true });
const OUT = '/tmp/whyshots';
try {
  await workbench.saveScript('Line 1/Check level', "// Level.\nconst [{ value }] = TagValueManager.Get(['Bottling.Line1.Filler.TankLevel.Value']).value;\nTagValueManager.Set([{ tag: 'Bottling.Line1.Shift.Target.Value', value: 125 }]);\nreturn value;");
  await workbench.tagwright('tags', 'set', 'Bottling.Line1.Shift.Target.Value=120');
  await workbench.tagwright('run', '--script', 'Line 1/Check level');
  await workbench.tagwright('fire', 'Fill volume check', '--times', '3');
  const events = JSON.parse(await (await fetch(`${workbench.eventsApi}/api/events`)).text());
  const id = events.at(-1).AggregationEventId;
  await fetch(`${workbench.eventsApi}/api/events/${id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"Active": false}' });
  for (const theme of ['light', 'dark']) {
    const window = await workbench.open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', view: 'tags' });
    const { page } = window;
    await page.evaluate((value) => localStorage.setItem('tagwright.theme', JSON.stringify(value)), theme);
    await page.reload();
    await page.locator(`[data-theme="${theme}"]`).waitFor();
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('shift target');
    await page.getByRole('row', { name: 'Bottling.Line1.Shift.Target.Value' }).click();
    await page.keyboard.press('Alt+Y');
    await page.getByRole('list', { name: 'Causes' }).waitFor();
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `${OUT}/tag-${theme}.png` });
    await page.keyboard.press('Enter');
    await page.waitForTimeout(800);
    await page.screenshot({ path: `${OUT}/run-${theme}.png` });
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('tanklevel');
    await page.getByRole('row', { name: 'Bottling.Line1.Filler.TankLevel.Value' }).click();
    await page.keyboard.press('Alt+Y');
    await page.waitForTimeout(800);
    await page.screenshot({ path: `${OUT}/none-${theme}.png` });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+4');
    await page.getByRole('row', { name: new RegExp(`^${id} `) }).first().click();
    await page.keyboard.press('Alt+Y');
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `${OUT}/event-${theme}.png` });
    await page.keyboard.press('Control+1');
    await page.getByRole('treeitem', { name: 'Check level' }).click();
    await page.locator('[data-pane="editor"] .monaco-editor .view-line').first().waitFor();
    await page.keyboard.press('F5');
    await page.locator('[data-status="ok"]').first().waitFor();
    await page.waitForTimeout(800);
    await page.keyboard.press('Alt+Y');
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${OUT}/script-${theme}.png` });
    await window.closeWithProblems();
  }
} finally {
  await workbench.close();
}
