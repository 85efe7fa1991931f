import type { Page } from 'playwright';
import { expect } from 'vitest';
import { storePicture } from '../../support/browser/picture.ts';
import { sampled } from '../../support/run/scale.ts';

const SIZES = sampled(
  [
    { width: 1024, height: 700 },
    { width: 1440, height: 900 },
  ],
  1,
);

/** Checks that all names are shown correctly, in the sizes of the run. */
export async function checkNames(page: Page, what: string, names: readonly string[]): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect.poll(() => troublesOf(page, names), { message: `${what} at ${size.width} px` }).toEqual([]);
    await storePicture(page, `names-${what.replaceAll(' ', '-')}-${size.width}`);
  }
}

/**
 * Problems with the names on the page, one line each; empty if there are none. Problems are: a name that is cut or
 * exceeds the window, and cannot be read in a tooltip or by scrolling; a name that overflows its box or reverses the
 * text before or after it; and buttons and fields that a name displaced.
 */
export function troublesOf(page: Page, names: readonly string[]): Promise<string[]> {
  // If one name contains another, the containing one.
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  return page.evaluate((wanted) => {
    const troubles: string[] = [];
    const style = (element: Element) => getComputedStyle(element);
    const isScroller = (element: Element) => /auto|scroll/.test(style(element).overflowX);
    const cuts = (element: Element) => /hidden|clip/.test(style(element).overflowX);
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest('.monaco-editor, [class*="unseen"]');
    const say = (what: string, element: Element, text: string) => {
      const place = element.closest('[aria-label]')?.getAttribute('aria-label') ?? '';
      troubles.push(
        `${what}: "${text.slice(0, 60)}" in <${element.tagName} class="${element.className}"> of "${place}"`,
      );
    };
    const hasTooltip = (element: Element, name: string) => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        if (at.getAttribute('title')?.includes(name)) return true;
      }
      return false;
    };
    /** Whether an element that cannot be scrolled cuts it off. */
    const isCut = (element: Element, box: DOMRect): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        if (isScroller(at)) return false;
        const room = at.getBoundingClientRect();
        const sticksOut = box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 4;
        if (cuts(at) && sticksOut) return true;
      }
      return box.right > innerWidth + 1 || box.left < -1;
    };
    const boxOf = (node: Node, from: number, to: number): DOMRect => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return range.getBoundingClientRect();
    };
    const blockOf = (element: Element): Element => {
      let at = element;
      while (at.parentElement && /^(inline|contents)/.test(style(at).display)) at = at.parentElement;
      return at;
    };
    /** Whether it overflows its box onto neighboring content. */
    const runsOver = (element: Element, box: DOMRect): boolean => {
      const block = blockOf(element);
      for (let at: Element | null = block; at; at = at.parentElement) if (isScroller(at) || cuts(at)) return false;
      const room = block.getBoundingClientRect();
      return (
        box.left < room.left - 2 || box.right > room.right + 2 || box.top < room.top - 6 || box.bottom > room.bottom + 6
      );
    };
    const isOneLine = (box: DOMRect, of: Element) => box.height < 2 * Number.parseFloat(style(of).fontSize);

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.nodeValue ?? '';
      const element = node.parentElement;
      const name = wanted.find((one) => text.includes(one));
      if (name === undefined || !element || !isSeen(element)) continue;
      const from = text.indexOf(name);
      const to = from + name.length;
      const box = boxOf(node, from, to);
      if (box.width === 0) continue;
      if (isCut(element, box) && !hasTooltip(element, name)) say('cut', element, name);
      if (runsOver(element, box)) say('runs over', element, name);

      // The text before and after it on the same line, in its element and in neighbors.
      if (!isOneLine(box, element)) continue;
      const block = blockOf(element);
      const around = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      for (let other = around.nextNode(); other; other = around.nextNode()) {
        const parent = other.parentElement;
        if (!parent || blockOf(parent) !== block || style(block).direction === 'rtl') continue;
        const others: [number, number][] =
          other === node
            ? [
                [0, from],
                [to, text.length],
              ]
            : [[0, other.nodeValue?.length ?? 0]];
        for (const [start, end] of others) {
          const said = (other.nodeValue ?? '').slice(start, end);
          const near = boxOf(other, start, end);
          if (said.trim() === '' || near.width === 0 || Math.abs(box.top - near.top) > 8 || !isOneLine(near, parent))
            continue;
          const isBefore =
            other === node
              ? end <= from
              : (node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
          const inOrder = isBefore ? near.right <= box.left + 2 : near.left >= box.right - 2;
          if (!inOrder) say(`turned round "${said.slice(0, 30)}"`, element, name);
        }
      }
    }
    for (const control of document.querySelectorAll('button, input, select, textarea, [role="tab"]')) {
      if (!isSeen(control) || control.closest('[aria-hidden="true"]')) continue;
      const box = control.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || !isCut(control, box)) continue;
      say('pushed away', control, control.getAttribute('aria-label') ?? control.textContent);
    }
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
      troubles.push('the page is too wide');
    return troubles;
  }, longestFirst);
}
