import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { openOwnScript, putCursor } from '../steps.ts';

const LEVEL = 'Bottling.Line1.Filler.TankLevel.Value';
const NUMBER = 'Bottling.Line1.Order.Number.Value';
const BODY = `const [level] = TagValueManager.Get(['${LEVEL}']).Value;
if (level.Type === 'String') for (;;);
TagValueManager.Set([{ tag: '${NUMBER}', value: level.Value === null ? 0 : 5 }]);
return level.Quality;
`;

const outcomes = (page: Page) => page.getByRole('region', { name: 'Outcomes' }).getByRole('listitem');
const state = (page: Page) => page.getByRole('tabpanel', { name: 'Failures' }).getByRole('status');

describe('failures of calls', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    window = await shared();
  });

  test('lists what the script does, shows a run, and makes a test', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, BODY);
    await page.keyboard.press('Alt+7');
    await page.getByRole('button', { name: 'Try failures' }).click();
    await expect.poll(() => state(page).innerText(), { timeout: 120_000 }).toBe('6 failures of 2 calls');
    await expect.poll(() => outcomes(page).count()).toBe(6);
    const bad = outcomes(page).filter({ hasText: 'Bad quality' });
    expect(await bad.innerText()).toContain(
      `Wrote 0 to ${NUMBER} instead of 5 (line 3) after a BadNotConnected read of ${LEVEL} (line 1)`,
    );
    expect(await outcomes(page).first().innerText()).toContain('Writes anyway');
    expect(await outcomes(page).last().innerText()).toContain('Throws');
    await page.getByTitle(/^2 of 2 calls tried, [1-9] risky failures?$/).waitFor();
    expect(await accessibilityFindings(page, 'failures')).toEqual([]);

    await page.getByRole('button', { name: /^Writes anyway \d/ }).click();
    await expect.poll(() => outcomes(page).count()).toBe(2);
    await page.getByRole('button', { name: /^Writes anyway \d/ }).click();
    await expect.poll(() => outcomes(page).count()).toBe(6);

    await bad.getByRole('button', { name: 'line 1' }).click();
    await page.locator('[data-pane="editor"] .monaco-editor.focused').waitFor();
    await bad.getByRole('button', { name: 'Make a test' }).click();
    await page.getByText(`Added the test “Bad quality: ${LEVEL}”`, { exact: true }).waitFor();

    await bad.getByRole('button', { name: 'Show its run' }).click();
    await page.keyboard.press('Alt+1');
    await expect.poll(() => page.getByRole('tabpanel', { name: 'Result' }).innerText()).toContain('BadNotConnected');
    await page.keyboard.press('Alt+5');
    await page.getByRole('list', { name: 'Tests' }).getByText(`Bad quality: ${LEVEL}`).waitFor();
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await page.getByText('1 of 1 passed').waitFor();
  });

  test('an edited text makes the outcomes old, and a failing script says why', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, "TagValueManager.Get(['A.B.C']);\nreturn 1;\n");
    await page.keyboard.press('Alt+7');
    await page.getByRole('button', { name: 'Try failures' }).click();
    await page.getByText('The script made no call that can fail.').waitFor();
    await putCursor(page, 'start');
    await page.keyboard.type("throw new Error('no');\n");
    await expect.poll(() => state(page).innerText()).toContain('of an earlier text');
    await page.getByTitle(/calls? tried, no risky failures, out of date: version 1$/).waitFor();
    await page.getByRole('button', { name: 'Try failures' }).click();
    await page.getByRole('alert').getByText('The script fails without any failure of its calls').waitFor();
  });

  test('is stopped', async () => {
    const { page } = window;
    // So many calls that a person has the time to press Stop.
    const line = `TagValueManager.Get(['${LEVEL}']).Value[0].Quality === 'Good' || (() => { for (;;); })();\n`;
    await openOwnScript(workbench, page, line.repeat(20));
    await page.keyboard.press('Alt+7');
    await page.getByRole('button', { name: 'Try failures' }).click();
    await page.getByRole('tabpanel', { name: 'Failures' }).getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Try failures' }).waitFor();
    expect(await page.getByRole('tabpanel', { name: 'Failures' }).getByRole('alert').count()).toBe(0);
  });
});
