import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron as electron } from 'playwright';
import { expect, test } from 'vitest';
import { builtProduct, DESKTOP_BUNDLE, ROOT } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { editorIsThere, runToEnd, showPane } from '../steps.ts';

/** Why the real desktop runtime cannot run here; null if it can. */
function missing(): string | null {
  const folder = join(ROOT, 'node_modules', 'electron');
  const named = join(folder, 'path.txt');
  if (!existsSync(named) || !existsSync(join(folder, 'dist', readFileSync(named, 'utf8').trim()))) {
    return 'the desktop runtime (Electron) is not installed: node node_modules/electron/install.js fetches it';
  }
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY ? 'there is no display' : null;
}

const why = missing();
const notRun = why === null ? '' : ` (not run: ${why})`;

test.skipIf(why !== null)(`the real desktop window opens the sample, runs a script and ends${notRun}`, async () => {
  await builtProduct();
  const application = await electron.launch({ args: [DESKTOP_BUNDLE, '--workspace', temporaryFolder()] });
  try {
    const page = await application.firstWindow();
    expect(page.url()).toBe('app://tagwright/');
    await page.evaluate(() => localStorage.setItem('tagwright.first-steps', '"done"'));
    await page.reload();
    await editorIsThere(page);
    await runToEnd(page, 'ok');
    await expect.poll(() => showPane(page, 'Trace')).toContain('Bottling.Line1.Capper.Speed.Value');
    expect(await page.evaluate(() => 'process' in globalThis || 'require' in globalThis)).toBe(false);
  } finally {
    await application.close();
  }
});
