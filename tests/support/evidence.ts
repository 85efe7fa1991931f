import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import { ROOT } from './product.ts';

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

/** Set by the setup of the e2e tests. */
export function follow(test: RunningTest): void {
  current = test;
}

export async function beginEvidence(context: BrowserContext): Promise<void> {
  if (TRACES) await context.tracing.start({ screenshots: true, snapshots: true });
}

/** If the test has failed, saves a picture of each page and the trace. Called before pages close. */
export async function keepEvidence(context: BrowserContext): Promise<void> {
  const failed = current?.result?.state === 'fail';
  const named = (ending: string) => {
    kept += 1;
    const name = (current?.fullName ?? '').replaceAll(/[^\w]+/g, '-').slice(0, 120);
    return join(FOLDER, `${name}-${process.pid}-${kept}.${ending}`);
  };
  if (failed) {
    await mkdir(FOLDER, { recursive: true });
    for (const page of context.pages()) {
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
  if (!TRACES) return;
  const path = failed ? named('zip') : undefined;
  await context.tracing.stop(path === undefined ? {} : { path });
  if (path !== undefined) console.error(`npx playwright show-trace ${path}`);
}
