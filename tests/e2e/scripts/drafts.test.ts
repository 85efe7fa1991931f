import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  OWN_GROUP,
  dialogGone,
  dialogThere,
  editorIsThere,
  editorText,
  focusIn,
  newScript,
  openOwnScript,
  openScript,
  putCursor,
  undo,
  write,
} from '../steps.ts';

describe('nothing typed is lost', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  let mine: string;
  beforeEach(async () => {
    window = await shared();
    mine = await openOwnScript(workbench, window.page);
  });

  const saved = async (group = OWN_GROUP, name = mine) => (await workbench.client()).scripts.get({ group, name });
  const saveElsewhere = (body: string) => workbench.saveScript(`${OWN_GROUP}/${mine}`, body);

  test('unsaved text survives a reload, can be discarded and restored', async () => {
    const { page } = window;
    await write(page, 'return "unsaved";');
    // Immediately, before the latest text has been sent.
    await page.reload();
    await editorIsThere(page);
    await expect.poll(() => editorText(page)).toContain('return "unsaved";');
    await page.getByText(/, not saved\.$/).waitFor();
    await page.getByRole('treeitem', { name: `${mine}, unsaved` }).waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await expect.poll(() => editorText(page)).toContain('return 1;');
    await undo(page, 'Draft discarded');
    await expect.poll(() => editorText(page)).toContain('return "unsaved";');
    await page.keyboard.press('Control+S');
    await expect.poll(async () => (await saved()).body).toBe('return "unsaved";');
    await page.reload();
    await editorIsThere(page);
    await expect.poll(() => page.getByRole('button', { name: 'Discard draft' }).count()).toBe(0);
  });

  test('a page reloaded during a save shows the text, as a draft or as saved', async () => {
    /** What new connections drop: the messages of the page, or the responses. */
    let losing = { sent: false, answered: false };
    const prepare = (one: Page) =>
      one.routeWebSocket('**/rpc', (route) => {
        const lost = losing;
        const server = route.connectToServer();
        route.onMessage((message) => {
          if (!lost.sent) server.send(message);
        });
        server.onMessage((message) => {
          if (!lost.answered) route.send(message);
        });
      });
    const own = await workbench.open({ prepare });
    const { page } = own;
    await editorIsThere(page);
    const again = async () => {
      losing = { sent: false, answered: false };
      await page.reload();
      await editorIsThere(page);
    };
    await openScript(page, mine);
    const { version } = await saved();

    losing.sent = true;
    await write(page, 'return "never arrived";');
    await page.keyboard.press('Control+S');
    await again();
    await expect.poll(() => editorText(page)).toContain('return "never arrived";');
    await page.getByText(/, not saved\.$/).waitFor();
    expect(await saved()).toMatchObject({ version });

    await write(page, 'return "arrived";');
    losing.answered = true;
    await page.keyboard.press('Control+S');
    await expect.poll(() => saved()).toMatchObject({ body: 'return "arrived";', version: version + 1 });
    await again();
    await expect.poll(() => editorText(page)).toContain('return "arrived";');
    await page.getByText(`Version ${version + 1}`, { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Discard draft' }).count()).toBe(0);
    expect(await page.getByText(/^Another window saved version/).count()).toBe(0);
    await own.close();
  });

  test('two windows keep their own drafts of a script, which can be compared', async () => {
    const { page } = window;
    await write(page, 'return "mine";');
    await page.keyboard.press('Alt+W');
    await page.getByText(`“${mine}” is kept as a draft`, { exact: true }).waitFor();
    await page.getByRole('treeitem', { name: `${mine}, draft` }).waitFor();
    expect(await accessibilityFindings(page, 'a draft')).toEqual([]);
    const other = await workbench.open();
    await editorIsThere(other.page);
    await openScript(other.page, mine);
    await expect.poll(() => editorText(other.page)).toContain('return 1;');
    await other.page.getByText('Another window has a draft', { exact: true }).waitFor();
    await write(other.page, 'return "other";');
    await other.page.reload();
    await editorIsThere(other.page);
    await expect.poll(() => editorText(other.page)).toContain('return "other";');

    await openScript(page, mine);
    await expect.poll(() => editorText(page)).toContain('return "mine";');
    await page.getByRole('button', { name: 'Compare drafts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Draft of another window (left) and your text (right)' });
    await dialogThere(dialog);
    await dialog.getByText('"other"').waitFor();
    await dialog.getByRole('button', { name: 'Use theirs' }).click();
    await dialogGone(dialog);
    await expect.poll(() => editorText(page)).toContain('return "other";');
    await page.getByRole('button', { name: 'Restore mine' }).click();
    await expect.poll(() => editorText(page)).toContain('return "mine";');
    await other.close();
    await page.getByText('A closed window left a draft', { exact: true }).waitFor();
    await page.keyboard.press('Control+S');
    await expect.poll(async () => (await saved()).body).toBe('return "mine";');

    // The next window continues with the draft of the closed one.
    const next = await workbench.open();
    await editorIsThere(next.page);
    await openScript(next.page, mine);
    await expect.poll(() => editorText(next.page)).toContain('return "other";');
    await next.page.getByRole('button', { name: 'Use theirs' }).click();
    await next.close();
  });

  test('a duplicated tab is another window', async () => {
    const own = await workbench.open();
    await editorIsThere(own.page);
    const [copy] = await Promise.all([
      own.context.waitForEvent('page'),
      // Like a duplicated tab, it starts with a copy of the storage of this window.
      own.page.evaluate(() => void globalThis.open(location.href)),
    ]);
    await editorIsThere(copy);
    await openScript(own.page, mine);
    await openScript(copy, mine);
    await write(own.page, 'return "first";');
    await write(copy, 'return "second";');
    await own.page.getByText('Another window has a draft', { exact: true }).waitFor();
    await Promise.all([own.page.reload(), copy.reload()]);
    await expect.poll(() => editorText(own.page)).toContain('return "first";');
    await expect.poll(() => editorText(copy)).toContain('return "second";');
    await copy.close();
    await own.close();
  });

  test('a new script asks for group and name, shows errors, and keeps its place', async () => {
    const { page } = window;
    await newScript(page, 'return 7;');
    await page.keyboard.press('Control+S');
    const dialog = page.getByRole('dialog', { name: 'Save the new script' });
    await focusIn(dialog.getByRole('textbox', { name: 'Name' }));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('a/b');
    await dialog.getByText(/cannot contain "\/"/).waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Seven');
    await dialog.getByRole('combobox', { name: 'Script Group' }).fill('Fresh');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialogGone(dialog);
    await page.getByRole('treeitem', { name: 'Seven' }).waitFor();
    expect(await saved('Fresh', 'Seven')).toMatchObject({ body: 'return 7;', version: 1 });
    await putCursor(page, 'start');
    await page.keyboard.press('Control+Z');
    await expect.poll(() => editorText(page)).not.toContain('return 7;');
  });

  test('after another window saved first, both texts are kept; mine is a new version', async () => {
    const { page } = window;
    await write(page, 'return "mine";');
    await saveElsewhere('return "theirs";');
    await page.getByText(/^Another window saved version \d+$/).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = await dialogThere(page.getByRole('dialog'));
    await dialog.getByText('"theirs"').first().waitFor();
    await page.getByRole('button', { name: 'Back to the editor' }).click();
    await dialogGone(dialog);
    await page.getByRole('button', { name: 'Use theirs' }).click();
    await expect.poll(() => editorText(page)).toContain('return "theirs";');
    await page.getByRole('button', { name: 'Restore mine' }).click();
    await expect.poll(() => editorText(page)).toContain('return "mine";');
    const { version } = await saved();
    await page.keyboard.press('Control+S');
    await expect.poll(async () => await saved()).toMatchObject({ body: 'return "mine";', version: version + 1 });
  });

  test('a save over a newer version saves nothing until confirmed', async () => {
    const { page } = window;
    await write(page, 'return "mine again";');
    await saveElsewhere('return "theirs again";');
    await page.getByText(/^Another window saved version/).waitFor();
    await page.keyboard.press('Control+S');
    await page.getByText('Another window saved this script first.', { exact: true }).waitFor();
    expect((await saved()).body).toBe('return "theirs again";');
    await page.getByRole('button', { name: 'Keep mine as a new version' }).click();
    await expect.poll(async () => (await saved()).body).toBe('return "mine again";');
  });

  test('an open, unmodified script shows what another window saves', async () => {
    const { page } = window;
    await saveElsewhere('return "newer";');
    await expect.poll(() => editorText(page)).toContain('return "newer";');
  });
});
