import { selectors } from '../ui/fields/code/selection.ts';
import type { TextRange } from './view.ts';

const LOOK_MS = 40;
/** A form that has to be loaded first is drawn by then. */
const MOST_LOOKS = 100;

/**
 * Moves the focus to the field of a text in a pane (null: in a dialog), and selects the part of the text, as soon as the field is drawn.
 * Returns the function that gives up.
 */
export function focusField(pane: string | null, { field, start, end }: TextRange): () => void {
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    const parent = pane === null ? '[aria-modal="true"]' : `[data-pane="${pane}"]`;
    const element = document.querySelector(`${parent} [name="${CSS.escape(field)}"]`);
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const select = element && selectors.get(element);
    if (isField && element.checkVisibility()) {
      element.focus();
      element.setSelectionRange(start, end);
      scrollTo(element, start);
    } else if (element instanceof HTMLElement && select && element.checkVisibility()) {
      element.focus();
      select({ from: start, to: end });
    }
    if (isField || select || looks === MOST_LOOKS) clearInterval(timer);
  }, LOOK_MS);
  return () => clearInterval(timer);
}

/** A selection that a script makes is not scrolled into view by all browsers. */
function scrollTo(element: HTMLInputElement | HTMLTextAreaElement, start: number): void {
  element.scrollIntoView({ block: 'nearest' });
  const lines = element.value.slice(0, start).split('\n').length;
  const height = Number.parseFloat(getComputedStyle(element).lineHeight) || 0;
  if (lines * height > element.clientHeight) element.scrollTop = lines * height - element.clientHeight / 2;
}
