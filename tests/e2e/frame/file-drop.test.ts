import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { sharedFolder } from '../../support/temp-folder.ts';
import { dialogGone, dialogThere, editorIsThere, editorText, goTo } from '../steps.ts';

const TAG = 'Dropped.Level.Value';
let workbench: BrowserWorkbench;
let page: Page;
let folder: string;
beforeAll(async () => {
  folder = sharedFolder();
  workbench = await startBrowserWorkbench();
});
afterAll(() => workbench.close());
const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));
beforeEach(async () => {
  ({ page } = await shared());
});

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Drops files as the operating system does: a page that refuses them with the pointer gets no drop. */
async function dropOn(target: Locator, ...files: string[]): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('the target is not visible');
  const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 200) };
  const data = { items: [], files, dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one by one
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  }
  await session.detach();
}

test('a file that is dropped outside of a target is ignored', async () => {
  await goTo(page, 'Scripts');
  await editorIsThere(page);
  // What the page answers is what keeps a browser from opening the file: this one has no window that it could replace.
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const note = (event: DragEvent) => {
      const effect = event.dataTransfer?.dropEffect ?? '';
      seen.push(`${event.defaultPrevented ? 'handled' : 'left to the browser'}: ${effect}`);
    };
    // After all parts of the page: one of them may end the event.
    window.addEventListener('dragover', (event) => setTimeout(() => note(event), 0), { capture: true });
    window.addEventListener('drop', () => seen.push('dropped'), { capture: true });
  });
  const seen = () => page.evaluate(() => String(Reflect.get(globalThis, 'seen')));
  const forget = () => page.evaluate(() => void Reflect.get(globalThis, 'seen').splice(0));
  const file = fileOf('other.json', '{"other":true}');
  const text = await editorText(page);
  for (const target of [
    page.getByRole('navigation').first(),
    page.getByRole('contentinfo', { name: 'Status' }),
    page.getByRole('searchbox').first(),
    page.getByRole('treeitem').first(),
    page.locator('[data-pane="editor"] .monaco-editor').first(),
  ]) {
    // oxlint-disable no-await-in-loop -- one by one
    await forget();
    await dropOn(target, file);
    await expect.poll(seen).toMatch(/^handled: none(?:,handled: none)*$/);
    // oxlint-enable no-await-in-loop
  }
  await expect.poll(() => editorText(page)).toBe(text);
});

test('files that are dropped on the mocks open their import', async () => {
  await goTo(page, 'API mocks');
  await page.getByRole('grid', { name: 'Mocks' }).getByRole('row').nth(1).waitFor();
  const file = fileOf('mock.json', '{"name":"Dropped","request":{"url":"https://drop.example/x"}}');
  await dropOn(page.getByRole('region', { name: 'Mock list' }), file);
  const dialog = await dialogThere(page.getByRole('dialog', { name: 'Import mocks' }));
  await dialog.getByText('https://drop.example/x').waitFor();
  // Outside of the dialog, nothing is dropped.
  await dropOn(page.getByRole('contentinfo', { name: 'Status', includeHidden: true }), fileOf('not.json', '{'));
  await dialog.getByText('https://drop.example/x').waitFor();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialogGone(dialog);
  const { mocks } = await (await workbench.client()).mocks.list();
  expect(mocks.map(({ name }) => name)).toContain('Dropped');
});

test('a file that is dropped on the tags is imported after a confirmation', async () => {
  await goTo(page, 'Tags');
  const list = page.getByRole('region', { name: 'Groups' });
  await list.getByRole('treeitem').first().waitFor();
  await page.getByRole('grid', { name: 'Tags' }).getByRole('row').nth(1).waitFor();
  await dropOn(list, fileOf('notes.txt', 'nothing'));
  await page.getByText('Drop one CSV or JSON file with tags.').first().waitFor();
  await dropOn(list, fileOf('tags.csv', `path,kind,type\n${TAG},storage,Double\n`));
  const dialog = await dialogThere(page.getByRole('dialog', { name: 'Import tags' }));
  await dialog.getByText('tags.csv').waitFor();
  const client = await workbench.client();
  expect((await client.tags.check({ paths: [TAG] })).unknown).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Import', exact: true }).press('Enter');
  await dialog.getByText('1 created').waitFor();
  await page.keyboard.press('Escape');
  await dialogGone(dialog);
  expect((await client.tags.check({ paths: [TAG] })).unknown).toEqual([]);
});
