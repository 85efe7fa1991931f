import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import { ROOT } from './product.ts';

/** Where the pictures and traces of failed tests go. */
const FOLDER = join(ROOT, 'out', 'test', 'failed');
/** Off, since traces slow all pages down: `TAGWRIGHT_TRACE=1 npx vitest run --project e2e …`. */
const TRACES = process.env['TAGWRIGHT_TRACE'] === '1';

/** The part of a page's text that is printed, in characters. */
const MOST_SHOWN = 8_000;

interface RunningTest {
  fullName: string;
  result?: { state: string } | undefined;
}

let current: RunningTest | null = null;
let kept = 0;

/** The setup of the e2e tests says which test runs. */
export function follow(test: RunningTest): void {
  current = test;
}

export async function beginEvidence(context: BrowserContext): Promise<void> {
  if (TRACES) await context.tracing.start({ screenshots: true, snapshots: true });
}

/** Before pages close: a picture of each, and the trace, where the test has failed. */
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
      // A page that has crashed or hangs has none.
      await page.screenshot({ path, timeout: 5_000 }).then(
        () => console.error(`The page when the test failed: ${path}`),
        () => undefined,
      );
      // The log of a run elsewhere has the text, where the picture can't be fetched.
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
