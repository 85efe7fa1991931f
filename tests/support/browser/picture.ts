import { join } from 'node:path';
import type { Page } from 'playwright';

/** Stores a picture of the page for review, in the folder that `TAGWRIGHT_PICTURES` names; without it, nothing. */
export async function storePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['TAGWRIGHT_PICTURES'];
  if (folder !== undefined && folder !== '') await page.screenshot({ path: join(folder, `${name}.png`) });
}
