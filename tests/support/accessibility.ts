import axe from 'axe-core';
import type { Page } from 'playwright';

/** The pause before a finding of axe is checked again, in ms. */
const SECOND_LOOK_MS = 300;

/**
 * The problems that all rules of axe find on a page at rest, also those beyond WCAG AA, one line per element, each starting with `state`; empty if there are
 * none. `within` is a CSS selector. Waits for animations to end, because axe would check colors that are still fading.
 * A page may change while axe checks it, so a problem counts only if it is still there after a pause.
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
    // Excludes endless or long animations: spinners, and the lifetime of notices.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) <= 1_000);
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // Runs in the page and omits passed rules. The adapter for Playwright transfers all of them to the test, which costs
  // more than running the rules.
  return page.evaluate(async (include) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    // Elements of the focus library, which screen readers never reach.
    const context = { ...(include !== null && { include: [include] }), exclude: ['[data-tabster-dummy]'] };
    const rules = Object.fromEntries(injected.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
    // Experimental, and takes splitters, column headers, notices and parts of a Diagram for texts, although keys move,
    // sort, dismiss and arrange them.
    rules['focus-order-semantics'] = { enabled: false };
    const { violations } = await injected.run(context, { rules, resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, html, failureSummary }) => `${id} (${help}): ${target.join(' ')}: ${html}: ${failureSummary ?? ''}`,
      ),
    );
  }, within ?? null);
}
