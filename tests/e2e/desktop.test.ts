import { createServer } from 'node:net';
import type { Browser, Page } from 'playwright';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import type { Desktop } from '../support/desktop-on-double.ts';
import { startDesktop } from '../support/desktop-on-double.ts';
import { builtProduct } from '../support/product.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { editorIsThere, editorText, runToEnd, showPane } from './steps.ts';

const ORIGIN = 'https://tagwright.test';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** The built main and preload bundles on the double of Electron, with pages of a real Chromium as their windows. */
describe('the desktop application over its own way to main', () => {
  let browser: Browser;
  let seen: Browser;
  beforeAll(async () => {
    await builtProduct();
    const port = await freePort();
    browser = await launchBrowser([`--remote-debugging-port=${port}`]);
    vi.stubEnv('DOUBLE_CDP', `http://127.0.0.1:${port}`);
    seen = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  }, 180_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await seen.close();
    await browser.close();
  });

  const pages = () => seen.contexts().flatMap((context) => context.pages());
  const pageAt = async (path: string): Promise<Page> => {
    await expect.poll(() => pages().some((page) => page.url() === `${ORIGIN}${path}`), { timeout: 60_000 }).toBe(true);
    const found = pages().find((page) => page.url() === `${ORIGIN}${path}`);
    if (!found) throw new Error(`no page shows ${path}`);
    return found;
  };
  const connected = (page: Page) =>
    page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();

  test('a script runs, the menu leads to a view, a link to a script, and a page that loads anew goes on', async () => {
    const desktop: Desktop = startDesktop(temporaryFolder());
    const page = await pageAt('/');
    await connected(page);
    // As if the first steps had been seen: they are for people.
    await page.evaluate(() => localStorage.setItem('tagwright.first-steps', '"done"'));
    await page.reload();
    await connected(page);
    await editorIsThere(page);
    expect(await editorText(page)).toContain('TagValueManager');
    await runToEnd(page, 'ok');
    expect(await showPane(page, 'Trace')).toContain('Bottling.Line1.Capper.Speed.Value');

    await expect.poll(() => desktop.ask({ do: 'menu', label: 'Go to Events' })).toBe(true);
    await page.getByRole('main', { name: 'Events' }).waitFor();
    const tag = 'Bottling.Line1.Filler.Speed.Value';
    await desktop.ask({ do: 'second-instance', args: [`tagwright://tag/${tag}`] });
    await page.getByRole('main', { name: 'Tags' }).getByText(tag).first().waitFor();
    await desktop.ask({ do: 'second-instance', args: ['tagwright://script/Not/There'] });
    await page.getByText('What the link names is not there').first().waitFor();

    await desktop.ask({ do: 'second-instance', args: ['tagwright://diagram/line%20overview'] });
    await pageAt('/diagrams/Line%20overview');
    await desktop.ask({ do: 'quit' });
    expect(await desktop.ended).toBe(0);
  });
});
