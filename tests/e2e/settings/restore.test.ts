import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { dialogGone, dialogThere, editorIsThere, editorText, goTo, heldNotice, openScript, write } from '../steps.ts';

/** Remembers the current load of a page. The returned function waits for the next load, and opens its scripts. */
async function beforeReload(page: Page): Promise<() => Promise<void>> {
  await page.evaluate('window.loadedBefore = true');
  return async () => {
    await page.waitForFunction('window.loadedBefore === undefined');
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    await goTo(page, 'Scripts');
    await editorIsThere(page);
  };
}

const TARGET = 'Bottling.Line1.Shift.Target.Value';

describe('a backup restored in the window', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());

  test('is inspected, restored and shown in every window; the replaced data is kept', async () => {
    await workbench.saveScript('Tests/Mine', 'return "as it was";\n');
    await workbench.tagwright('tags', 'set', `${TARGET}=111`);
    await workbench.tagwright('backups', 'create');
    await workbench.tagwright('tags', 'set', `${TARGET}=222`);
    await workbench.saveScript('Tests/Mine', 'return "as it is now";\n');
    await workbench.saveScript('Tests/Later', 'return 2;\n');

    // One window shows scripts and has a draft, another has a script open, a third restores.
    const first = await workbench.open();
    await editorIsThere(first.page);
    await openScript(first.page, 'Later');
    await write(first.page, 'return "unsaved";');
    await expect.poll(async () => (await (await workbench.client()).drafts.list()).length).toBe(1);
    const second = await workbench.another(first.context);
    await editorIsThere(second.page);
    await openScript(second.page, 'Mine');
    await expect.poll(() => editorText(second.page)).toContain('as it is now');
    const { page } = await workbench.another(first.context);
    await goTo(page, 'Settings');
    const made = page
      .getByRole('row')
      .filter({ hasText: 'manual' })
      .getByRole('button', { name: /^Restore/, disabled: false });
    await made.press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Restore this backup?' }));
    const counts = (name: string) => dialog.getByRole('row', { name }).getByRole('cell').allInnerTexts();
    await dialog.getByRole('table', { name: 'Contents of the backup' }).waitFor();
    const [then, now] = await counts('Scripts');
    expect(Number(now) - Number(then)).toBe(1);
    expect(await counts('Unsaved drafts of scripts')).toEqual(['0', '1']);
    expect(await accessibilityFindings(page, 'dialog of a restore', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogGone(dialog);

    const [firstAgain, secondAgain] = [await beforeReload(first.page), await beforeReload(second.page)];
    await made.press('Enter');
    await dialogThere(dialog);
    await dialog.getByRole('table', { name: 'Contents of the backup' }).waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    const toast = await heldNotice(page, 'Backup restored');
    expect(await toast.innerText()).toMatch(
      /The workspace was replaced by .*\. The replaced workspace is kept: workspace-.*-manual\.db/,
    );
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'manual' }).count()).toBe(2);
    expect(await workbench.tagValue(TARGET)).toBe(111);
    expect((await fetch(`${workbench.eventsApi}/api/events?limit=1`)).status).toBe(200);

    await secondAgain();
    await openScript(second.page, 'Mine');
    await expect.poll(() => editorText(second.page)).toContain('as it was');
    await firstAgain();
    await expect.poll(() => first.page.getByRole('treeitem', { name: /^Later/ }).count()).toBe(0);

    const backAgain = await beforeReload(first.page);
    // Back to the replaced workspace, with the draft.
    await page.getByRole('row').filter({ hasText: 'manual' }).first().getByRole('button').click();
    await dialogThere(dialog);
    await dialog.getByRole('table', { name: 'Contents of the backup' }).waitFor();
    expect(await counts('Unsaved drafts of scripts')).toEqual(['1', '0']);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => workbench.tagValue(TARGET)).toBe(222);
    await heldNotice(page, 'Backup restored');
    await backAgain();
    await openScript(first.page, 'Later');
    await expect.poll(() => editorText(first.page)).toContain('unsaved');
    await first.close();
  });

  test('a failed restore is reported, and the workspace is unchanged', async () => {
    const client = await workbench.client();
    const { workspace } = await client.app.info();
    const [sound, damaged] = [await client.backups.create(), await client.backups.create()];
    const file = join(workspace, 'backups', damaged.name);
    writeFileSync(file, readFileSync(file).subarray(0, 20_000));
    await workbench.tagwright('tags', 'set', `${TARGET}=333`);
    const opened = await workbench.open({ view: 'settings' });
    const { page } = opened;
    const dialog = page.getByRole('dialog', { name: 'Restore this backup?' });
    const confirm = async (name: string) => {
      await page.getByRole('button', { name: `Restore ${name}`, disabled: false }).press('Enter');
      await dialogThere(dialog);
    };
    await confirm(damaged.name);
    await dialog.getByRole('alert').getByText('cannot be read').waitFor();
    expect(await dialog.getByRole('button', { name: 'Restore' }).getAttribute('aria-disabled')).toBe('true');
    expect(await accessibilityFindings(page, 'dialog of a damaged backup', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogGone(dialog);

    // Detected only after the work has ended: the instance reopens its old workspace.
    const reader = new Database(join(workspace, 'workspace.db'), { readonly: true });
    reader.exec('BEGIN; SELECT count(*) FROM tags');
    await confirm(sound.name);
    await dialog.getByRole('table', { name: 'Contents of the backup' }).waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    const toast = await heldNotice(page, 'The backup was not restored');
    expect(await toast.innerText()).toMatch(/Another program reads .* The workspace is unchanged\./s);
    reader.close();
    expect(await workbench.tagValue(TARGET)).toBe(333);
    await opened.close();
  });
});
