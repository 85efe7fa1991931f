import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { hoverFor } from '../steps.ts';

let workbench: BrowserWorkbench;
beforeAll(async () => {
  workbench = await startBrowserWorkbench();
});
afterAll(() => workbench.close());

test('the status bar shows the mirror of a hub, while one is set', async () => {
  const window = await workbench.open({ view: 'tags' });
  const { page } = window;
  const status = page.getByRole('contentinfo', { name: 'Status' });
  await workbench.tagwright('settings', 'set', 'hub.site="leeds"', 'hub.url="postgres://a:secret@127.0.0.1:1/x"');
  const hub = status.getByRole('button', { name: 'Hub: not connected' });
  const about = page.getByRole('tooltip').filter({ hasText: 'ECONNREFUSED' });
  // Its text changes with each attempt to connect.
  await hoverFor(hub, about);
  expect(await about.innerText()).not.toContain('secret');
  await workbench.tagwright('settings', 'set', 'hub.site=""', 'hub.url=""');
  await hub.waitFor({ state: 'detached' });
  await window.close();
});
