import { useEffect, useState } from 'react';
import { focusIn, focusPreferred } from './panes/panes.ts';

/** An element that had the focus. */
interface FocusPlace {
  element: HTMLElement;
  /** Its pane. */
  pane: HTMLElement | null;
  /** Its view; null for the parts around the views. */
  view: Element | null;
}

const MOST_PLACES = 20;
/** Longer than a dialog or a command takes to move the focus, but too short to notice. */
const LOOK_MS = 120;
const MOST_LOOKS = 6;
const SEEN_VIEW = 'main:not([hidden])';
/** Overlays: focus in them is not a place to return to. */
const IN_FRONT = '[aria-modal="true"], [role="menu"]';
const MODAL = '[aria-modal="true"]';

/**
 * Keeps the focus inside the workbench. When a pressed button disappears, the view changes, or a dialog closes, the
 * browser moves the focus to the document, where no key works. Then the focus returns to its former element, else to
 * the same pane, else to the view. Focus that the user removed, by clicking outside everything, is not restored.
 * Browsers send no event when the focused element is removed, so this checks for it.
 */
export class FocusKeeper {
  #places: FocusPlace[] = [];

  /** The view that last had the focus, or was activated. */
  #view: Element | null = null;

  /** The element whose focus the user removed. */
  #left: Element | null = null;

  #wasInFront = false;

  /** How often a pane had no focusable element yet. */
  #looksAtNothing = 0;

  /** Listens to every focus change. */
  note(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement)) return;
    this.#left = null;
    this.#looksAtNothing = 0;
    this.#wasInFront = target.closest(IN_FRONT) !== null;
    if (this.#wasInFront) return;
    const view = target.closest('main');
    if (view) this.#view = view;
    this.#places = this.#places.filter(({ element }) => element !== target);
    this.#places.push({ element: target, pane: target.closest<HTMLElement>('[data-pane]'), view });
    if (this.#places.length > MOST_PLACES) this.#places.shift();
  }

  /** Activates the visible view: a focus that is nowhere, was removed or is in a pane next to the views moves into it. */
  lead(): void {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.closest('[data-pane="help"], [data-pane="why"]'))
      activeElement.blur();
    if (isNowhere(document.activeElement)) this.#view = document.body;
  }

  /** Restores a lost focus. */
  look(): void {
    const { activeElement } = document;
    const isLost = isNowhere(activeElement);
    const seen = document.querySelector(SEEN_VIEW);
    this.#view ??= seen;
    const another = seen !== this.#view;
    // A request for a view by key, from the status bar, targets the view.
    if (!isLost && !(another && activeElement?.closest('[data-pane="status"]'))) return;
    if (document.querySelector(MODAL)) return;
    if (!another) {
      const last = this.#places.at(-1)?.element;
      if (!last || this.#left === last) return;
      if (!this.#wasInFront && canHaveFocus(last)) {
        this.#left = last;
        return;
      }
    }
    for (const { element, pane, view } of this.#places.toReversed()) {
      if (view !== seen && (view !== null || another)) continue;
      if (canHaveFocus(element)) return element.focus();
      if (!pane?.checkVisibility()) continue;
      if (focusIn(pane)) return undefined;
      // The replacement may still be loading.
      this.#looksAtNothing += 1;
      if (this.#looksAtNothing < MOST_LOOKS) return undefined;
    }
    if (!seen) return undefined;
    const panes = [...seen.querySelectorAll<HTMLElement>('[data-pane]')];
    const main = panes.find((pane) => pane.hasAttribute('data-pane-main'));
    // The content may still be loading: a later check finds it.
    if (main) focusPreferred(main);
    else if (panes.length > 0) panes.some((pane) => focusIn(pane));
    // A view that failed has only a button.
    else seen.querySelector('button')?.focus();
    return undefined;
  }
}

function isNowhere(active: Element | null): boolean {
  return active === null || active === document.body;
}

function canHaveFocus(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [inert] *')
  );
}

/** Keeps the focus in the workbench while the component is mounted. */
export function useFocusKeeper(): FocusKeeper {
  const [keeper] = useState(() => new FocusKeeper());
  useEffect(() => {
    const note = ({ target }: FocusEvent) => keeper.note(target);
    document.addEventListener('focusin', note);
    // The initial view: another one may be requested before the timer fires.
    keeper.look();
    const timer = setInterval(() => keeper.look(), LOOK_MS);
    return () => {
      document.removeEventListener('focusin', note);
      clearInterval(timer);
    };
  }, [keeper]);
  return keeper;
}
