import { basename } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { isSampled } from '../run/scale.ts';

/** The pause before a finding of axe is checked again, in ms. */
const SECOND_LOOK_MS = 300;

/** The rules whose outcome depends on the theme. */
const COLORS = ['color-contrast-enhanced', 'link-in-text-block'];

/** The states that this worker has examined by all rules, each with its file. */
const examined = new Set<string>();

/**
 * The problems that all rules of axe find on a page at rest, also those beyond WCAG AA, one line per element, each starting with `state`; empty if there are
 * none. `within` is a CSS selector. Waits for animations to end, because axe would check colors that are still fading.
 * A page may change while axe checks it, so a problem counts only if it is still there after a pause.
 *
 * `state` names the state, without its theme: if a file examines it again, only the rules about colors run. The short
 * form of the tests examines a third of the states, selected by the seed of the run.
 */
export async function accessibilityFindings(page: Page, state: string, within?: string): Promise<string[]> {
  const key = [basename(expect.getState().testPath ?? ''), state, within].join('\n');
  if (!isSampled(key, 1 / 3)) {
    // Tests continue from the same state in both forms.
    await animationsEnded(page);
    return [];
  }
  const only = examined.has(key) ? COLORS : null;
  examined.add(key);
  const first = await findingsNow(page, within, only);
  if (first.length === 0) return [];
  await page.waitForTimeout(SECOND_LOOK_MS);
  const second = new Set(await findingsNow(page, within, only));
  const theme = await page.locator('html').getAttribute('data-theme');
  return first.filter((finding) => second.has(finding)).map((finding) => `${state}, ${theme}: ${finding}`);
}

/** Excludes endless or long animations: spinners, and the lifetime of notices. */
async function animationsEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const fading = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) <= 1_000);
    // Their states: the promise of one that ended and was played again may stay pending.
    while (fading.some(({ playState }) => playState === 'running')) await new Promise(requestAnimationFrame);
  });
}

async function findingsNow(page: Page, within: string | undefined, only: string[] | null): Promise<string[]> {
  await animationsEnded(page);
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
    await page.evaluate(() => {
      const { axe: injected } = globalThis as unknown as { axe: typeof axe };
      // Only styles that are marked as important can fail. This omits the rows of tables, whose places are styles.
      injected.configure({ rules: [{ id: 'avoid-inline-spacing', selector: '[style*="important" i]' }] });
    });
  }
  // Runs in the page and omits passed rules. The adapter for Playwright transfers all of them to the test, which costs
  // more than running the rules.
  return page.evaluate(
    async ([include, runOnly]) => {
      const { axe: injected } = globalThis as unknown as { axe: typeof axe };
      // Elements of the focus library, which screen readers never reach.
      const context = { ...(include !== null && { include: [include] }), exclude: ['[data-tabster-dummy]'] };
      const rules = Object.fromEntries(injected.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
      // Checks the same elements as "color-contrast-enhanced" for less contrast, and takes a fifth of the time.
      rules['color-contrast'] = { enabled: false };
      // Asks people to look, and never fails.
      rules['hidden-content'] = { enabled: false };
      const { violations } = await injected.run(context, {
        ...(runOnly === null ? { rules } : { runOnly }),
        resultTypes: ['violations'],
        elementRef: true,
      });
      // In WAI-ARIA 1.2, a separator that can be focused is a widget, and column headers are a kind of gridcell, which
      // is one. Axe takes both for structure.
      const widgets = new Set(['separator', 'columnheader']);
      return violations.flatMap(({ id, help, nodes }) =>
        nodes
          .filter(({ element }) => id !== 'focus-order-semantics' || !widgets.has(element?.getAttribute('role') ?? ''))
          .map(
            ({ target, html, failureSummary }) =>
              `${id} (${help}): ${target.join(' ')}: ${html}: ${failureSummary ?? ''}`,
          ),
      );
    },
    [within ?? null, only] as const,
  );
}
