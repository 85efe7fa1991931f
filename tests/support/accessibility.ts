import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/**
 * What axe finds on a page at rest, one line an element, beginning with `state`; empty when all is well. `within` is a
 * CSS selector. Colours that fade in are looked at when they have arrived: axe sees one moment, and a person does not.
 */
export async function accessibilityFindings(page: Page, state: string, within?: string): Promise<string[]> {
  await page.evaluate(async () => {
    // Not those that go on: a spinner, or the time that a notice is there.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) <= 1_000);
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });
  // Elements of the focus library, which no reader meets.
  const builder = new AxeBuilder({ page }).exclude('[data-tabster-dummy]');
  if (within !== undefined) builder.include(within);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) =>
        `${state}: ${id} (${help}): ${target.join(' ')}: ${html}: ${failureSummary ?? ''}`,
    ),
  );
}
