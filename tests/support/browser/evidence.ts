import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import { isOfTest } from './browser.ts';
import { ROOT } from '../product/product.ts';

/** The folder for pictures and traces of failed tests. */
const FOLDER = join(ROOT, 'out', 'test', 'failed');
/** Off by default, because traces slow down all pages: `TAGWRIGHT_TRACE=1 npx vitest run --project e2e …`. */
const TRACES = process.env['TAGWRIGHT_TRACE'] === '1';

/** How much of a page's text is printed, in characters. */
const MOST_SHOWN = 8_000;

interface RunningTest {
  fullName: string;
  result?: { state: string } | undefined;
}

let current: RunningTest | null = null;
let kept = 0;
/** The contexts whose pages may be open. */
const open = new Set<BrowserContext>();

/** Set by the setup of the e2e tests. */
export function follow(test: RunningTest): void {
  current = test;
}

export async function beginEvidence(context: BrowserContext): Promise<void> {
  open.add(context);
  if (TRACES) await context.tracing.start({ screenshots: true, snapshots: true });
}

/**
 * If the test has failed, saves a picture of each page and the trace. Called before the pages of a context close; the
 * pages of others are included, because a failed test does not close the windows that it opened itself.
 */
export async function keepEvidence(context: BrowserContext): Promise<void> {
  const failed = current?.result?.state === 'fail';
  const named = (ending: string) => {
    kept += 1;
    const name = (current?.fullName ?? '').replaceAll(/[^\w]+/g, '-').slice(0, 120);
    return join(FOLDER, `${name}-${process.pid}-${kept}.${ending}`);
  };
  if (failed) {
    await mkdir(FOLDER, { recursive: true });
    const pages = [...open].flatMap((one) => one.pages()).filter(isOfTest);
    for (const page of pages) {
      const path = named('png');
      // A crashed or hanging page has no picture.
      await page.screenshot({ path, timeout: 5_000 }).then(
        () => console.error(`The page when the test failed: ${path}`),
        () => undefined,
      );
      // For runs on other machines, where only the log is available and not the picture.
      const shown = await page
        .locator('body')
        .ariaSnapshot({ timeout: 5_000 })
        .catch(() => '');
      console.error(`It showed:\n${shown.slice(0, MOST_SHOWN)}`);
    }
  }
  open.delete(context);
  if (!TRACES) return;
  const path = failed ? named('zip') : undefined;
  await context.tracing.stop(path === undefined ? {} : { path });
  if (path !== undefined) console.error(`npx playwright show-trace ${path}`);
}
