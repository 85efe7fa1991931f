import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { DesktopWorkbench } from '../../support/product/desktop-workbench.ts';
import { startDesktopWorkbench } from '../../support/product/desktop-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { dialogGone, editorIsThere, editorText, focusIn, newScript, openScript, write } from '../steps.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const KEPT = 'Desktop.Kept.Count.Value';
const VIEWS = ['Tags', 'Aggregations', 'Events', 'API mocks', 'Diagrams', 'Settings', 'Search'];
const menuShape = z.object({
  menu: z.array(z.tuple([z.string(), z.array(z.tuple([z.string().nullable(), z.boolean().nullable(), z.unknown()]))])),
  boxes: z.array(z.looseObject({ message: z.string(), detail: z.string() })),
});

/** The built main and preload bundles on the double of Electron, with pages of a real Chromium as their windows. */
describe('the desktop window', () => {
  let workbench: DesktopWorkbench;
  let page: Page;
  beforeAll(async () => {
    workbench = await startDesktopWorkbench();
    page = await workbench.windowAt('/');
  });
  afterAll(() => workbench.close());

  const seen = async () => menuShape.parse(await workbench.desktop().send({ do: 'seen' }));
  const enabledInMenu = async () =>
    (await seen()).menu.flatMap(([, items]) =>
      items.filter(([, enabled]) => enabled === true).map(([label]) => label?.replaceAll('&&', '&')),
    );
  const choose = (label: string) => expect.poll(() => workbench.desktop().send({ do: 'menu', label })).toBe(true);
  const notice = (text: string | RegExp) => page.getByText(text).first().waitFor();

  test('the native menu has and runs every palette command, in every view', async () => {
    for (const view of [...sampled(VIEWS, 2), 'Scripts']) {
      await choose(`Go to ${view}`);
      await page.getByRole('main', { name: view }).waitFor();
      await page.keyboard.press('Control+K');
      const palette = page.getByRole('combobox', { name: 'Command palette' });
      await focusIn(palette);
      const offered = await page
        .locator('[cmdk-item]')
        .evaluateAll((items) => items.map((item) => item.firstElementChild?.textContent ?? ''));
      await page.keyboard.press('Escape');
      await dialogGone(palette);
      expect(offered.length).toBeGreaterThan(15);
      // The notification follows a moment after the page has changed.
      const missing = async () => {
        const there = new Set(await enabledInMenu());
        return offered.filter((title) => !there.has(title));
      };
      await expect.poll(missing).toEqual([]);
    }
    await choose('Theme: dark');
    await page.locator('[data-theme="dark"]').first().waitFor();
    await choose('Theme: follow the system');
    await page.locator('[data-theme="light"]').first().waitFor();
    await choose('Show the keys');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    // As with keys, commands wait until the dialog is closed.
    await choose('Go to Tags');
    await workbench.desktop().send({ do: 'second-instance', args: ['tagwright://no/where'] });
    await notice('This link is not valid');
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    await page.getByRole('main', { name: 'Scripts' }).waitFor();
    await choose('New script');
    await page.getByRole('tab', { name: 'Untitled', selected: true }).waitFor();
  });

  test('File exports to a folder and imports from it', async () => {
    const folder = temporaryFolder();
    const client = await workbench.client();
    const definition = { kind: 'storage', type: 'Double', description: '', unit: '', settings: {} } as const;
    await client.tags.save({ path: KEPT, ...definition });
    await client.tags.set({ items: [{ tag: KEPT, value: 1.5 }] });
    const valueOf = async (path: string) => (await client.tags.get({ paths: [path] }))[0]?.value;
    await workbench.desktop().send({ do: 'folder', path: join(folder, 'plant') });
    await choose('&Export to a Folder…');
    await notice('The workspace was exported');
    expect(JSON.parse(await readFile(join(folder, 'plant', 'tagwright.json'), 'utf8'))).toBeTypeOf('object');
    const { id } = await client.scripts.get({ group: 'Line 1', name: 'OEE of the shift' });
    await client.scripts.delete({ id });
    await choose('&Import from a Folder…');
    await notice('The folder was imported');
    await page.getByRole('treeitem', { name: 'OEE of the shift' }).waitFor();

    // A type that the stored value does not fit: only after a confirmation.
    const replaceIn = async (name: string, former: RegExp, next: string) => {
      const file = join(folder, 'plant', name);
      const text = await readFile(file, 'utf8');
      expect(text).toMatch(former);
      await writeFile(file, text.replace(former, next));
    };
    await replaceIn('tags.json', /("path": *"Desktop\.Kept\.Count\.Value"[^}]*"type": *)"Double"/, '$1"Int"');
    await replaceIn('values.json', /,\s*\{[^{}]*"Desktop\.Kept\.Count\.Value"[^{}]*\}/, '');
    const kept = async () => [(await client.tags.definition({ path: KEPT })).type, await valueOf(KEPT)];
    const message = async () => (await seen()).boxes.at(-1)?.message;
    for (const [button, after] of [
      ['Cancel', ['Double', 1.5]],
      ['Import', ['Int', null]],
    ] as const) {
      await choose('&Import from a Folder…');
      // The box stays open until its button is pressed.
      await expect.poll(() => workbench.desktop().send({ do: 'press', button })).toBe(true);
      await expect.poll(message).toBe('The import drops 1 stored value of 1 tag.');
      await expect.poll(kept).toEqual(after);
    }
    await workbench.desktop().send({ do: 'folder', path: folder });
    await choose('&Import from a Folder…');
    await notice('The folder was not imported');
  });

  test('a newer version is shown after the check is enabled, with no request before', async () => {
    const requests: string[] = [];
    const feed = createServer((request, response) => {
      requests.push(String(request.url));
      response.end(JSON.stringify({ version: '99.1.0', url: 'https://example.com/tagwright' }));
    });
    await new Promise<void>((resolve) => void feed.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void feed.close());
    const address = feed.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { settings } = await workbench.client();
    await settings.update({ 'updates.feed': `http://127.0.0.1:${port}/releases.json` });
    expect(requests).toEqual([]);
    await settings.update({ 'updates.check': true });
    await notice('Tagwright 99.1.0 is available');
    expect(requests).toEqual(['/releases.json']);
    await settings.update({ 'updates.check': false });
  });

  test('the page cannot leave, gets no permission, and ignores frames in it', async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write'];
    const granted = await page.evaluate(async (all) => {
      const states = await Promise.all(
        // TypeScript knows fewer names than Chromium.
        all.map((name) => navigator.permissions.query(JSON.parse(JSON.stringify({ name })))),
      );
      return all.filter((_name, index) => states[index]?.state === 'granted');
    }, names);
    expect(granted).toEqual(['clipboard-write']);

    const address = page.url();
    await page.evaluate(() => location.assign('https://evil.example/'));
    await page.evaluate(() => void open('https://evil.example/'));
    await expect
      .poll(() => workbench.desktop().send({ do: 'open', url: 'about:blank' }))
      .toMatchObject({ action: 'deny', opened: ['https://evil.example/'] });
    expect(page.url()).toBe(address);

    const before = await enabledInMenu();
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      // Sends a message to main, which any frame with the preload could do.
      const post: unknown = Reflect.get(Object(frame.contentWindow), 'doublePosts');
      const command = { id: 'evil', title: 'Evil', section: 'Evil', keys: '', enabled: true };
      if (typeof post !== 'function') throw new Error('the frame has no way to main');
      post({ kind: 'post', channel: 'tagwright:offer', message: [command], ports: [] });
      post({ kind: 'post', channel: 'tagwright:connect', message: null, ports: [1] });
    });
    await expect.poll(() => workbench.desktop().said()).toContain('rejected commands');
    await expect.poll(() => workbench.desktop().said()).toContain('rejected a message');
    await expect.poll(enabledInMenu).toEqual(before);
    await page.evaluate(() => document.querySelector('iframe')?.remove());
  });

  test('a backup is restored in the window, which reloads and connects to it', async () => {
    const client = await workbench.client();
    const { id } = await client.scripts.get({ group: 'Line 1', name: 'OEE of the shift' });
    const { name } = await client.backups.create();
    await client.scripts.delete({ id });
    await choose('Go to Settings');
    await page.getByRole('main', { name: 'Settings' }).waitFor();
    await page.getByRole('button', { name: `Restore ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore this backup?' });
    await dialog.getByRole('table', { name: 'Contents of the backup' }).waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await notice(`The workspace was replaced by ${name}`);
    await choose('Go to Scripts');
    await page.getByRole('treeitem', { name: 'OEE of the shift' }).waitFor();
    expect(await (await workbench.client()).scripts.get({ id })).toMatchObject({ name: 'OEE of the shift' });
  });

  test('a page whose process dies can be reloaded with its drafts', async () => {
    await openScript(page, 'OEE of the shift');
    await write(page, 'return "typed before the crash";');
    const client = await workbench.client();
    await expect
      .poll(async () => (await client.drafts.list()).some(({ body }) => body.includes('before the crash')))
      .toBe(true);
    await newScript(page, 'return "never saved";');
    await expect
      .poll(async () => (await client.drafts.list()).some(({ body }) => body.includes('never saved')))
      .toBe(true);

    const session = await page.context().newCDPSession(page);
    session.send('Page.crash').catch(() => {});
    await expect.poll(async () => (await seen()).boxes.at(-1)?.message).toMatch(/has stopped working/);
    expect((await client.app.info()).workspace).toContain(workbench.workspace);
    expect(await workbench.desktop().send({ do: 'press', button: 'Reload' })).toBe(true);
    page = await workbench.windowAt('/');
    await editorIsThere(page);
    await openScript(page, 'OEE of the shift');
    await expect.poll(() => editorText(page)).toContain('return "typed before the crash";');
    const untitled = page.getByRole('tab', { name: /Untitled/ });
    await untitled.last().click();
    await editorIsThere(page);
    await expect.poll(() => editorText(page)).toContain('return "never saved";');
  });
});
