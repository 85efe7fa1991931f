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
    const ORDER = 'focus-order-semantics';
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    // Elements of the focus library, which screen readers never reach.
    const context = { ...(include !== null && { include: [include] }), exclude: ['[data-tabster-dummy]'] };
    const rules = Object.fromEntries(injected.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
    // Checks the same elements as "color-contrast-enhanced" for less contrast, and takes a fifth of the time.
    rules['color-contrast'] = { enabled: false };
    rules[ORDER] = { enabled: false };
    const resultTypes: axe.resultGroups[] = ['violations'];
    const { violations } = await injected.run(context, { rules, resultTypes });
    // In WAI-ARIA 1.2, a separator that can be focused is a widget, and column headers are a kind of gridcell, which is
    // one. Axe takes both for structure. Only for this rule: others would measure the line of a splitter, although the
    // area that the pointer can grab is wider.
    const widget = { type: 'widget' } as const;
    injected.configure({ standards: { ariaRoles: { separator: widget, columnheader: widget } } });
    const order = await injected.run(context, { runOnly: [ORDER], resultTypes });
    injected.reset();
    return [...violations, ...order.violations].flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, html, failureSummary }) => `${id} (${help}): ${target.join(' ')}: ${html}: ${failureSummary ?? ''}`,
      ),
    );
  }, within ?? null);
}
