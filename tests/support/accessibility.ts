import axe from 'axe-core';
import type { Page } from 'playwright';

/** Between two looks at what axe found, in ms. */
const SECOND_LOOK_MS = 300;

/**
 * What axe finds on a page at rest, one line an element, beginning with `state`; empty when all is well. `within` is a
 * CSS selector. Colors that fade are checked when they have arrived: axe sees one moment, and a person doesn't. A page
 * may change while axe looks at it, so a finding counts when it is still there a moment later.
 */
export async function accessibilityFindings(page: Page, state: string, within?: string): Promise<string[]> {
  const first = await findingsNow(page, within);
  if (first.length === 0) return [];
  await page.waitForTimeout(SECOND_LOOK_MS);
  const second = new Set(await findingsNow(page, within));
  return first.filter((finding) => second.has(finding)).map((finding) => `${state}: ${finding}`);
}

async function findingsNow(page: Page, within: string | undefined): Promise<string[]> {
  await page.evaluate(async () => {
    // Not those that go on: a spinner, or the time that a notice is there.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) <= 1_000);
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // In the page, and without what passed: the adapter for Playwright takes all of that through the test, which costs more
  // than the rules themselves.
  return page.evaluate(async (include) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    // Elements of the focus library, which no reader meets.
    const context = { ...(include !== null && { include: [include] }), exclude: ['[data-tabster-dummy]'] };
    const { violations } = await injected.run(context, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, html, failureSummary }) => `${id} (${help}): ${target.join(' ')}: ${html}: ${failureSummary ?? ''}`,
      ),
    );
  }, within ?? null);
}
