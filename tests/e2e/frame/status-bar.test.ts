import { expect, test } from 'vitest';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';

test('items of the status bar keep their places when the counts of hosts change', async () => {
  const workbench = await startBrowserWorkbench();
  try {
    const { page, close } = await workbench.open({ view: 'tags' });
    const client = await workbench.client();
    const status = page.getByRole('contentinfo', { name: 'Status' });
    const hosts = status.getByRole('button', { name: /^Hosts:/ });
    const placesOf = () =>
      status.evaluate((bar) =>
        [...bar.children]
          .filter((item) => !/Hosts|Last saved/.test(item.textContent) && item.textContent !== '')
          .map((item) => `${item.textContent} ${Math.round(item.getBoundingClientRect().x)}`),
      );
    await expect.poll(() => hosts.innerText()).toMatch(/idle$/);
    await page.getByRole('row', { name: 'Label' }).first().waitFor();
    const before = await placesOf();
    expect(before.length).toBeGreaterThan(5);
    const end = new AbortController();
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const run = client.runs.execute({ body: 'for (;;);', context, dryRun: true }, { signal: end.signal });
    await expect.poll(() => hosts.innerText()).toContain('busy');
    expect(await placesOf()).toEqual(before);
    end.abort();
    await run.catch(() => undefined);
    await close();
  } finally {
    await workbench.close();
  }
});
