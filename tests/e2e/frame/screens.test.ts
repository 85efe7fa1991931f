import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { storePicture } from '../../support/browser/picture.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { chooseTheme, editorIsThere, goTo, THEMES } from '../steps.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];
/** A window of 1,440 and one of 1,024 px at 200 %. */
const ZOOMED = [
  { width: 720, height: 450 },
  { width: 512, height: 350 },
];

/** The views of the activity bar, so that new views are tested automatically. */
async function viewNames(page: Page): Promise<string[]> {
  const buttons = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
  return buttons.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? ''));
}

/** Opens a view by its shortcut, so that the picture contains no tooltip, and waits until the view is complete. */
async function showView(page: Page, name: string, keys: string): Promise<void> {
  await page.keyboard.press(keys);
  const main = page.getByRole('main', { name, exact: true });
  await expect.poll(async () => (await main.innerText()).trim().length).toBeGreaterThan(0);
  await expect.poll(() => main.getByRole('progressbar').count()).toBe(0);
}

/** Elements that are wider than the window. */
function tooWide(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * The parts of the view whose content is cut off without a mark, and controls that are partly outside the view. Content
 * that an ellipsis cuts off, or that can be scrolled to, is not reported.
 */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector('main:not([hidden])');
    const edge = main?.getBoundingClientRect().right ?? 0;
    const named = (part: Element) => `${part.tagName} "${part.textContent.trim().slice(0, 40)}"`;
    const overflowOf = (part: Element) => getComputedStyle(part).overflowX;
    const scrolls = (part: Element | null): boolean =>
      part !== null && part !== main && (/auto|scroll/.test(overflowOf(part)) || scrolls(part.parentElement));
    return [...(main?.querySelectorAll('*') ?? [])].flatMap((part) => {
      // The editor scrolls by itself, and hides labels for readers in a box of 1 px.
      if (!part.checkVisibility() || part.clientWidth <= 1 || part.closest('.monaco-editor')) return [];
      const isCut =
        part.scrollWidth > part.clientWidth + 1 &&
        /hidden|clip/.test(overflowOf(part)) &&
        getComputedStyle(part).textOverflow !== 'ellipsis';
      if (isCut) return [`${named(part)} has ${part.scrollWidth} px in ${part.clientWidth} px`];
      const isOutside = part.matches('button, input, h1, h2, h3') && part.getBoundingClientRect().right > edge + 1;
      return isOutside && !scrolls(part) ? [`${named(part)} is outside of the view`] : [];
    });
  });
}

/**
 * The controls of the view whose middle, or an end, is behind another element, or cut off by a part that does not
 * scroll. The lines between panes may lie over their ends.
 */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const named = (part: Element) =>
      `${part.tagName} "${(part.getAttribute('aria-label') ?? part.textContent.trim()).slice(0, 40)}"`;
    const belongs = (other: Element, part: Element) =>
      part.contains(other) ||
      other.contains(part) ||
      other.closest('label, .fui-Field, .fui-Input, .fui-Combobox, .fui-Dropdown, .fui-Switch')?.contains(part) ===
        true;
    /** The rectangle of a part that its ancestors show, and whether one that does not scroll hides a part of it. */
    const shownPart = (part: Element) => {
      let { left, right, top, bottom } = part.getBoundingClientRect();
      const width = right - left;
      let cut = false;
      for (let box = part.parentElement; box !== null; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const edge = box.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        if (/auto|scroll/.test(overflowX)) break;
        cut ||= right - left < width - 2;
      }
      return { left, right, top, bottom, cut };
    };
    const controls = 'button, input, select, textarea, a, [role="tab"], [role="combobox"]';
    return [...document.querySelectorAll(`main:not([hidden]) :is(${controls})`)].flatMap((part) => {
      if (!part.checkVisibility({ visibilityProperty: true }) || part.closest('.monaco-editor')) return [];
      const { left, right, top, bottom, cut } = shownPart(part);
      if (right - left < 8 || bottom - top < 8) return [];
      if (cut) return [`${named(part)} is cut off`];
      const upper = [left + 3, (left + right) / 2, right - 3]
        .map((x) => document.elementFromPoint(x, (top + bottom) / 2))
        .find((other) => other !== null && !belongs(other, part) && other.closest('[role="separator"]') === null);
      return upper ? [`${named(part)} is behind ${named(upper)}`] : [];
    });
  });
}

/** How many px of the status bar are cut off, and how many px its last item is from its end. */
function statusBar(page: Page): Promise<{ cut: number; left: number }> {
  return page.getByRole('contentinfo', { name: 'Status' }).evaluate((bar) => {
    const frame = bar.parentElement ?? bar;
    const last = bar.lastElementChild?.getBoundingClientRect();
    const cut = Math.max(bar.scrollWidth - bar.clientWidth, frame.scrollWidth - frame.clientWidth);
    return { cut, left: Math.round(bar.getBoundingClientRect().right - (last?.right ?? Infinity)) };
  });
}

/** The visible toolbars whose parts do not fit in one row. */
function wrapped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main:not([hidden]) header')].flatMap((bar) => {
      const middles = [...bar.querySelectorAll('button, input')]
        .map((part) => part.getBoundingClientRect())
        .filter(({ height }) => height > 0)
        .map(({ top, height }) => top + height / 2);
      const isWrapped = Math.max(...middles) - Math.min(...middles) > 10;
      return isWrapped ? [bar.textContent] : [];
    }),
  );
}

describe('every view', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));

  test.for(sampled(THEMES, 1))('in theme %s: axe finds nothing, and nothing is cut off', async (theme) => {
    const { page } = await shared();
    await chooseTheme(page, theme);
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    const names = await viewNames(page);
    expect(names).toContain('Tags');
    const found: string[] = [];
    const sizes = sampled(SIZES, 1);
    for (const [index, name] of names.entries()) {
      await showView(page, name, `Control+${index + 1}`);
      found.push(...(await accessibilityFindings(page, name)));
      for (const size of sizes) {
        await page.setViewportSize(size);
        await expect
          .poll(() => tooWide(page), { message: `${name} is wider than a window of ${size.width} px` })
          .toBeLessThanOrEqual(0);
        await expect.poll(() => cutOff(page), { message: `${name} in a window of ${size.width} px` }).toEqual([]);
        const picture = `${name.toLowerCase().replaceAll(' ', '-')}-${theme}-${size.width}x${size.height}`;
        await storePicture(page, picture);
      }
    }
    expect(found).toEqual([]);
  });

  test('the whole status bar is visible in every window, also at 200 %', async () => {
    const { page } = await shared();
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    const status = page.getByRole('contentinfo', { name: 'Status' });
    await status.getByText(/^Ln \d+, Col \d+$/).waitFor();
    for (const size of [...SIZES, ...ZOOMED]) {
      await page.setViewportSize(size);
      await expect.poll(() => statusBar(page), { message: `at ${size.width} px` }).toEqual({ cut: 0, left: 6 });
      // The path of the workspace gives way first, then long texts.
      const long = size.width < 1024 ? [] : [/^Hosts: /, /\/api\/events$/, /^API calls: /];
      for (const text of ['Connected', /^Ln \d+, Col \d+$/, ...long]) {
        const item = status.getByText(text);
        const cut = () => item.evaluate((part) => part.scrollWidth - part.clientWidth);
        await expect.poll(cut, { message: String(text) }).toBeLessThanOrEqual(0);
      }
    }
  });

  test('no control is behind another one, also in small windows', async () => {
    const { page } = await shared();
    await goTo(page, 'Scripts');
    await editorIsThere(page);
    const names = await viewNames(page);
    for (const size of [...SIZES, ...ZOOMED]) {
      await page.setViewportSize(size);
      for (const [index, name] of names.entries()) {
        await showView(page, name, `Control+${index + 1}`);
        await expect.poll(() => covered(page), { message: `${name} in a window of ${size.width} px` }).toEqual([]);
      }
    }
  });

  test('forms are on a grid: fields begin at few places, which are far apart', async () => {
    const { page } = await shared();
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const [keys, name, open] of [
      ['Control+2', 'New tag', 'Alt+N'],
      ['Control+3', 'Rule', null],
      ['Control+5', 'Mock', null],
    ] as const) {
      await page.keyboard.press(keys);
      await page.getByRole('main').getByRole('row').nth(1).waitFor();
      if (open === null) await page.getByRole('main').getByRole('grid').first().getByRole('row').nth(1).click();
      else await page.keyboard.press(open);
      const form = page.getByRole('form', { name, exact: true });
      await form.waitFor();
      await expect.poll(() => form.locator('.fui-Field').filter({ visible: true }).count()).toBeGreaterThan(3);
      const look = (element: Element) => {
        const fields = [...element.querySelectorAll('.fui-Field')].filter((one) => one.checkVisibility());
        const left = (part: Element) => Math.round(part.getBoundingClientRect().left);
        /** A field whose label and control begin at different places. */
        const isApart = (one: Element) => {
          const [label, control] = [one.querySelector('label'), one.querySelector('.fui-Input, .fui-Textarea')];
          return label !== null && control !== null && Math.abs(left(label) - left(control)) > 1;
        };
        return {
          edges: [...new Set(fields.map(left))].toSorted((a, b) => a - b),
          apart: fields.filter(isApart).map((one) => one.textContent),
          starts: [
            ...new Set(
              [...element.querySelectorAll('.fui-Field, .fui-Input, .fui-Textarea, .fui-Dropdown')]
                .filter((one) => one.checkVisibility())
                .map(left),
            ),
          ].toSorted((a, b) => a - b),
        };
      };
      const found = async () => {
        const { edges, apart, starts } = await form.evaluate(look);
        // Controls that begin almost at the same place look like a mistake.
        const near = starts.filter((start, index) => start - (starts[index - 1] ?? -100) < 40);
        return [...apart, ...edges.slice(5), ...(near.length > 0 ? [starts.join()] : [])];
      };
      // The form takes its layout from its width, a moment after it is shown.
      await expect.poll(found, { message: name }).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  test('the toolbar of a Diagram stays in one row in a small window', async () => {
    const { page } = await shared();
    await page.setViewportSize({ width: 1024, height: 700 });
    await showView(page, 'Diagrams', 'Control+6');
    await page.getByRole('grid', { name: 'Diagrams' }).getByRole('row').nth(1).click();
    // The name is a part of the Diagram; its keys work a moment later.
    await page.getByRole('main', { name: 'Diagrams' }).getByText('Label drawing').nth(1).waitFor();
    await page.getByRole('button', { name: 'Arrange' }).press('Enter');
    await page.getByRole('button', { name: 'Add a part' }).waitFor();
    await expect.poll(() => wrapped(page)).toEqual([]);
  });
});
