import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { remoteServer } from '../../support/services/remote-server.ts';
import { cursorAt, dialogGone, dialogThere, focusIn, heldNotice, tabTo, undo } from '../steps.ts';

const AWKWARD = 'Orders "Prüfung", שלום 🧪';

describe('the API mocks view', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  let sample: string[];
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    sample = (await listed()).mocks.map(({ name }) => name);
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() =>
    workbench.open({ view: 'mocks', reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] }),
  );
  beforeEach(async () => {
    window = await shared();
    await tab('Mocks');
    await show(window.page);
  });

  const listed = async () => (await workbench.client()).mocks.list();
  const mockOf = async (name: string) => (await listed()).mocks.find((mock) => mock.name === name);
  const show = async (page: Page) => {
    await page.getByRole('button', { name: 'API mocks' }).click();
    await page
      .getByRole('status')
      .getByText(/^\d+ mocks?$/)
      .waitFor();
  };
  const grid = (name = 'Mocks') => window.page.getByRole('grid', { name });
  const row = (text: string) => grid().getByRole('row').filter({ hasText: text });
  const form = () => window.page.getByRole('form', { name: 'Mock', exact: true });
  const field = (name: string) => form().getByRole('textbox', { name, exact: true });
  const outcome = () => window.page.getByRole('status', { name: 'Result' });
  const notice = (text: string | RegExp) => window.page.getByText(text).first().waitFor();
  const tab = (name: string) => window.page.getByRole('tab', { name }).click();
  const newMock = async () => {
    await window.page.keyboard.press('Alt+N');
    await expect.poll(() => field('Name').inputValue()).toBe('');
    await focusIn(field('Name'));
  };
  const choose = async (name: string) => {
    await row(name).first().click();
    await expect.poll(() => field('Name').inputValue()).toBe(name);
  };
  /** A row of the list, counted from the end; the last is 1. */
  const rowFromEnd = (place: number) => grid().getByRole('row').nth(-place);
  const mode = async (name: string) => {
    await window.page.getByLabel('API calls go').selectOption(name);
    await expect.poll(async () => (await listed()).mode).toBe(name);
  };
  const more = async (item: string) => {
    await window.page.getByRole('button', { name: 'More' }).click();
    await window.page.getByRole('menuitem', { name: item }).click();
  };
  /** Runs a script with the command line. Returns its result. */
  const run = async (name: string, body: string): Promise<unknown> => {
    await workbench.saveScript(`Mocked/${name}`, body);
    const report: { result: unknown } = JSON.parse(
      await workbench.tagwright('run', '--script', `Mocked/${name}`, '--json'),
    );
    return report.result;
  };

  test('by keyboard: a new mock is checked while typing, tried, saved, and responds', async () => {
    const { page } = window;
    await newMock();
    await page.keyboard.type(AWKWARD);
    await tabTo(field('URL pattern'));
    await page.keyboard.type('orders.example/api');
    await form()
      .getByText(/Write it as https/)
      .waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('https://orders.example/api/{id}');
    await expect
      .poll(() =>
        form()
          .getByText(/Write it as https/)
          .count(),
      )
      .toBe(0);
    await form().getByLabel('JSON of the response').and(page.locator('.cm-content')).waitFor();
    await tabTo(form().getByLabel('JSON of the response'));
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{"order": "{{request.path.id}}", "price": 1,5}');
    await form()
      .getByText(/Invalid JSON/)
      .waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{"order": "{{request.path.id}}", "price": 1.5}');
    await tabTo(form().getByRole('switch', { name: 'Replace {{expressions}}' }));
    await page.keyboard.press('Space');

    await page.keyboard.press('F5');
    await outcome().getByText(`Response from “${AWKWARD}”`).waitFor();
    await expect.poll(() => outcome().innerText()).toContain('"order": "1"');
    expect(await mockOf(AWKWARD)).toBeUndefined();
    // Trying a mock does not count as a call.
    await tab('Call log');
    await notice(/No script has called an API/);
    await tab('Mocks');

    // A double save still creates one mock, and the focus stays.
    await field('URL pattern').focus();
    await page.keyboard.press('Control+S');
    await page.keyboard.press('Control+S');
    await notice(`Saved “${AWKWARD}”`);
    await focusIn(field('URL pattern'));
    expect((await listed()).mocks.filter(({ name }) => name === AWKWARD)).toHaveLength(1);
    const body = "return ApiValueManager.Fetch('https://orders.example/api/42', 'get', '').ResponseObject;";
    expect(await run('Order', body)).toBe('{"order":"42","price":1.5}');
    await expect.poll(() => row(AWKWARD).getByRole('gridcell').last().innerText()).toBe('1');
    await more('Reset the hits');
    await expect.poll(() => row(AWKWARD).getByRole('gridcell').last().innerText()).toBe('0');
  });

  test('a draft survives another selection and a reload until saved or discarded', async () => {
    const { page } = window;
    const [, second = ''] = sample;
    await choose(second);
    await field('Name').fill('Renamed, unsaved');
    await form().getByText('Not saved; draft kept').waitFor();
    await choose(sample[2] ?? '');
    await page.reload();
    await show(page);
    await row('unsaved').first().click();
    await expect.poll(() => field('Name').inputValue()).toBe('Renamed, unsaved');
    expect(await mockOf('Renamed, unsaved')).toBeUndefined();
    await form().getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => field('Name').inputValue()).toBe(second);
    await undo(page, 'Changes discarded');
    await expect.poll(() => field('Name').inputValue()).toBe('Renamed, unsaved');

    // Another window saves the mock first: nothing is lost, and a notice is shown.
    const other = await workbench.open({ view: 'mocks', reducedMotion: 'reduce' });
    await show(other.page);
    await other.page.getByRole('grid', { name: 'Mocks' }).getByRole('row').filter({ hasText: second }).click();
    await expect.poll(() => other.page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(second);
    await other.page.getByRole('textbox', { name: 'Priority', exact: true }).fill('33');
    await other.page.keyboard.press('Control+S');
    await other.page.getByText(`Saved “${second}”`).first().waitFor();
    await other.close();
    await form().getByText('Another window saved this mock.').waitFor();
    await page.keyboard.press('Control+S');
    await notice(/Another window saved this mock first/);
    await form().getByRole('button', { name: 'Use theirs' }).click();
    await expect.poll(() => field('Priority').inputValue()).toBe('33');
    await form().getByText('Saved', { exact: true }).waitFor();
  });

  test('mocks are switched, moved, duplicated, deleted, restored (with hits) by keys', async () => {
    const { page } = window;
    await grid().focus();
    await focusIn(grid());
    await page.keyboard.press('End');
    const last = (await listed()).mocks.at(-1)?.name ?? '';
    await expect.poll(() => field('Name').inputValue()).toBe(last);
    // Each key starts from the visible state, so that is awaited too.
    const enabled = (checked: boolean) =>
      grid()
        .getByRole('checkbox', { name: `Enabled: ${last}`, checked })
        .waitFor();
    await page.keyboard.press('e');
    await enabled(false);
    await expect.poll(async () => (await mockOf(last))?.enabled).toBe(false);
    await page.keyboard.press('e');
    await enabled(true);
    await expect.poll(async () => (await mockOf(last))?.enabled).toBe(true);
    await page.keyboard.press('Alt+ArrowUp');
    await rowFromEnd(2).filter({ hasText: last }).waitFor();
    await expect.poll(async () => (await listed()).mocks.at(-2)?.name).toBe(last);
    await page.keyboard.press('Alt+ArrowDown');
    await rowFromEnd(1).filter({ hasText: last }).waitFor();
    await expect.poll(async () => (await listed()).mocks.at(-1)?.name).toBe(last);

    await page.keyboard.press('Control+D');
    await expect.poll(() => field('Name').inputValue()).toBe(`${last} copy`);
    await page.keyboard.press('Control+S');
    await notice(`Saved “${last} copy”`);
    const before = (await listed()).mocks;
    await expect.poll(() => row(`${last} copy`).count()).toBe(1);
    await choose(`${last} copy`);
    await focusIn(grid());
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(() => grid().getByRole('row', { selected: true }).count()).toBe(2);
    await page.keyboard.press('Delete');
    const deleted = await heldNotice(page, 'Deleted 2 mocks');
    await expect.poll(async () => (await listed()).mocks.length).toBe(before.length - 2);
    await deleted.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await listed()).mocks).toEqual(before);
  });

  test('a file is the body of a response, with its size; a larger one is rejected', async () => {
    const { page } = window;
    await newMock();
    await form().getByLabel('Body', { exact: true }).selectOption('base64');
    const chooseFile = async (name: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await form().getByRole('button', { name: 'Choose a file…' }).click();
      await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer });
    };
    await chooseFile('label.bin', Buffer.from([0, 1, 2, 255]));
    await form().getByText('4 bytes; a file of up to 8 MB').waitFor();
    await expect.poll(() => field('Base64 of the response').inputValue()).toBe('AAEC/w==');
    await chooseFile('large.bin', Buffer.alloc(8 * 1_048_576 + 1));
    await notice('“large.bin” is larger than 8 MB');
    await expect.poll(() => field('Base64 of the response').inputValue()).toBe('AAEC/w==');
    await form().getByRole('button', { name: 'Discard' }).click();
  });

  test('a trial says why another mock responds instead of the edited one', async () => {
    const { page } = window;
    await newMock();
    await field('Name').fill('Never asked');
    await field('URL pattern').fill('https://login.bottling.example/**');
    await form().getByLabel('Method').selectOption('POST');
    await form().getByLabel('Result', { exact: true }).selectOption('refused');
    await page.getByRole('textbox', { name: 'URL to try' }).fill('https://login.bottling.example/oauth/nowhere');
    await page.keyboard.press('Enter');
    await outcome()
      .getByText(/ConnectionRefused/)
      .waitFor();
    const url = (await listed()).mocks.find(({ name }) => name.startsWith('Token'))?.request.url ?? '';
    await page.getByRole('textbox', { name: 'URL to try' }).fill(url);
    await page.getByRole('button', { name: 'Headers, body' }).click();
    await page.getByRole('button', { name: 'Try' }).click();
    await outcome()
      .getByText(/“Never asked” does not match: “Token.*” also matches and/)
      .waitFor();
    await page.getByRole('textbox', { name: 'URL to try' }).fill('nowhere');
    await page.keyboard.press('F5');
    await outcome()
      .getByText(/is not a URL. Write one as in a script/)
      .waitFor();
    expect(await mockOf('Never asked')).toBeUndefined();
    await form().getByRole('button', { name: 'Discard' }).click();
  });

  test('an OpenAPI import reports what it skipped and can be undone; mocks are exported', async () => {
    const { page } = window;
    const before = (await listed()).mocks;
    const reply = { responses: { 200: { content: { 'application/json': { example: { id: 7 } } } } } };
    const text = JSON.stringify({
      openapi: '3.1.0',
      servers: [{ url: 'https://imported.example' }],
      paths: { '/items/{id}': { get: { operationId: 'readItem', ...reply }, patch: reply } },
    });
    await more('Import…');
    const dialog = await dialogThere(page.getByRole('dialog'));
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('Choose a file first.').waitFor();
    const chooseFile = async (name: string, content: string) => {
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: 'Choose files…' }).click();
      await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
      await dialog.getByText(name).waitFor();
    };
    await chooseFile('wrong.json', 'no JSON at all');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect.poll(() => dialog.getByRole('alert').count()).toBeGreaterThan(0);
    await chooseFile('api.json', text);
    await dialog.getByText('1 mock (OpenAPI), 1 remark').waitFor();
    await dialog.getByRole('checkbox', { name: 'Replace all existing mocks' }).check();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('list', { name: 'Skipped' }).getByText(/PATCH/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialogGone(dialog);
    const imported = await heldNotice(page, 'Imported');
    await expect
      .poll(async () => (await listed()).mocks.map(({ request }) => request.url))
      .toEqual(['https://imported.example/items/{id}']);
    await imported.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await listed()).mocks).toEqual(before);

    const downloading = page.waitForEvent('download');
    await more('Export');
    const exported: { mocks: { name: string }[] } = JSON.parse(
      await readFile(await (await downloading).path(), 'utf8'),
    );
    expect(exported.mocks.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  });

  test('the recorder creates masked mocks of live calls; the status bar has the mode', async () => {
    const { page } = window;
    const end = await remoteServer((_asked, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"level":12.5,"access_token":"very-secret-token"}');
    });
    await mode('offline');
    await page.getByRole('switch', { name: 'Record live calls' }).click();
    await page.getByText('Offline mode sends no calls').waitFor();
    await mode('mockFirst');
    await page.getByRole('contentinfo').getByText('API calls: mock first').waitFor();
    const url = `${end.base}/level?api_key=key-12345`;
    const fetch = `return ApiValueManager.FetchWithBearerToken('${url}', 'get', '', 'token-98765').StatusCode;`;
    await expect.poll(async () => (await listed()).record).toBe(true);
    expect(await run('Record', fetch)).toBe('200');
    await page.getByText('1 mock recorded').waitFor();
    await row('recorded').click();
    await expect.poll(() => field('URL pattern').inputValue()).toBe(`${end.base}/level?api_key=*`);
    await expect.poll(() => form().getByLabel('Text of the response').innerText()).toContain('"access_token":"***"');
    expect(await page.locator('body').innerText()).not.toMatch(/very-secret-token|token-98765|key-12345/);
    await page.getByRole('switch', { name: 'Record live calls' }).click();
    await expect.poll(async () => (await listed()).record).toBe(false);
    // The same call gets its response without the remote server.
    await end.close();
    expect(await run('Record', fetch)).toBe('200');
  });

  test('the call log shows calls live and masked; a mock is created from a call', async () => {
    const { page } = window;
    await page.keyboard.press('Alt+2');
    await workbench.tagwright('run', '--script', 'Documents/Show the label drawing', '--json');
    const calls = grid('Calls');
    const image = calls.getByRole('row').filter({ hasText: 'Image of a document' }).first();
    await image.click();
    await page.getByRole('img', { name: 'Response, as an image' }).waitFor();
    await calls.getByRole('row').filter({ hasText: 'Token' }).last().click();
    const details = page.getByRole('region', { name: 'Call details' });
    await expect.poll(() => details.innerText()).toContain('***');

    await mode('offline');
    const fetch =
      "return ApiValueManager.Fetch('https://missing.example/a?b=1', 'post', '{\"line\": 7}').ResponseObject;";
    expect(await run('Missing', fetch)).toBeNull();
    await calls.getByRole('row').filter({ hasText: 'NoMock' }).first().click();
    await details.getByText('No mock matches').waitFor();
    await page.keyboard.press('Control+M');
    await expect.poll(() => field('URL pattern').inputValue()).toBe('https://missing.example/a?b=1');
    await form().getByLabel('JSON of the response').fill('{"found": true}');
    await page.keyboard.press('Control+S');
    await notice(/Saved “POST missing.example/);
    expect(await run('Missing', fetch)).toBe('{"found":true}');

    await tab('Call log');
    await page.getByRole('searchbox', { name: 'Filter calls' }).fill('missing nomock');
    await expect.poll(() => calls.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    await notice(/No script has called an API/);
    await page.getByRole('searchbox', { name: 'Filter calls' }).fill('');
    await mode('mockFirst');
  });

  test('secrets are set, replaced and deleted but never shown; placeholders are copied', async () => {
    const { page } = window;
    // So fast that the dialog opens before the tab has moved the focus.
    await page.evaluate(async () => {
      const press = (code: string, key: string) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { code, key, altKey: true, bubbles: true }));
      press('Digit3', '3');
      await Promise.resolve();
      press('KeyN', 'n');
    });
    const dialog = await dialogThere(page.getByRole('dialog'));
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ERP key');
    await dialog.getByText(/Enter a letter, then letters/).waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ERP_KEY');
    await dialog.getByLabel('Value').fill('abc');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter at least 4 characters.').waitFor();
    await dialog.getByLabel('Value').fill('s3cret-of-the-erp');
    await page.keyboard.press('Enter');
    await notice('Saved the secret ERP_KEY');
    await dialogGone(dialog);
    const secret = grid('Secrets').getByRole('row').filter({ hasText: 'ERP_KEY' });
    await secret.getByText('encrypted').waitFor();
    await page.getByRole('button', { name: 'Copy placeholder' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('{{secret:ERP_KEY}}');
    await secret.dblclick();
    await dialogThere(dialog);
    await dialog.getByLabel('Value').fill('another-secret');
    await page.keyboard.press('Enter');
    await notice('Replaced the value of ERP_KEY');
    await dialogGone(dialog);
    expect(await page.content()).not.toMatch(/s3cret-of-the-erp|another-secret/);
    expect(await accessibilityFindings(page, 'secrets', 'main')).toEqual([]);

    const usedBy = page.getByRole('region', { name: 'Used by' });
    await usedBy.getByText('Not referenced by any script, mock or setting.').waitFor();
    await workbench.saveScript('Mocked/Key', "\n\nreturn '{{secret:ERP_KEY}}';");
    await usedBy.getByRole('listitem').filter({ hasText: 'Mocked/Key' }).filter({ hasText: 'line 3' }).waitFor();
    expect(await accessibilityFindings(page, 'what uses a secret', 'main')).toEqual([]);
    // Notices of other tests cover it for a pointer.
    await usedBy.getByRole('button', { name: 'Mocked/Key' }).press('Enter');
    await cursorAt(page, /^Ln 3, /);
    await page.getByRole('button', { name: 'API mocks' }).click();
    await secret.waitFor();

    await grid('Secrets').focus();
    await focusIn(grid('Secrets'));
    await page.keyboard.press('Delete');
    await dialogThere(dialog);
    await dialog.getByText(/You can't restore its value/).waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'Mocked/Key' }).filter({ hasText: 'line 3' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await notice('There are no secrets yet.');
  });

  test('axe finds nothing in any tab, with a draft, an issue and a trial result', async () => {
    const { page } = window;
    const found: string[] = [];
    await newMock();
    await field('URL pattern').fill('nowhere');
    await form().getByRole('button', { name: 'Required header' }).click();
    await form()
      .getByText(/Write it as https/)
      .waitFor();
    await page.keyboard.press('F5');
    await outcome().getByText(/./).first().waitFor();
    found.push(...(await accessibilityFindings(page, 'mock with an issue', 'main')));
    await form().getByRole('button', { name: 'Expressions' }).click();
    await page.getByText('{{request.path.id}}').waitFor();
    found.push(...(await accessibilityFindings(page, 'expressions', 'main')));
    await page.keyboard.press('Escape');
    await form().getByRole('button', { name: 'Discard' }).click();
    await workbench.tagwright('run', '--script', 'Documents/Show the label drawing', '--json');
    await page.keyboard.press('Alt+2');
    await grid('Calls').getByRole('row').nth(1).click();
    await page.getByRole('region', { name: 'Response' }).waitFor();
    found.push(...(await accessibilityFindings(page, 'a call', 'main')));
    expect(found).toEqual([]);
  });
});
