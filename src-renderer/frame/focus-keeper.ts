import { useEffect, useState } from 'react';
import { focusIn, focusPreferred } from './panes.ts';

/** A place that had the focus. */
interface Place {
  element: HTMLElement;
  /** The pane that it was in. */
  pane: HTMLElement | null;
  /** The view that it was in; null for what stands around the views. */
  view: Element | null;
}

const MOST_PLACES = 20;
/** Longer than a dialog or a command takes to give the focus away itself, shorter than anybody waits. */
const LOOK_MS = 120;
const MOST_LOOKS = 6;
const SEEN_VIEW = 'main:not([hidden])';
/** What stands in front of the rest for a moment: the focus in it is not a place to come back to. */
const IN_FRONT = '[aria-modal="true"], [role="menu"]';
const MODAL = '[aria-modal="true"]';

/**
 * Keeps the focus from falling out of the workbench. Where the button that was pressed goes away, the view is changed, or
 * a dialog closes, the browser leaves the focus on the document, where no key does anything; it is put back where it was
 * before, else into the same pane, else into the view. A focus that somebody took away, by a click beside everything, is
 * left alone.
 *
 * Browsers tell nobody when an element goes away with the focus, so it is looked for.
 */
export class FocusKeeper {
  #places: Place[] = [];

  /** The view that the focus was last in, or was led to. */
  #view: Element | null = null;

  /** The element that the user left for nothing. */
  #left: Element | null = null;

  #wasInFront = false;

  /** How often a pane had nothing yet that could take the focus. */
  #looksAtNothing = 0;

  /** To be told of everything that gets the focus. */
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

  /** Somebody asks for the view that is seen: a focus that is nowhere, or was left alone, is led into it. */
  lead(): void {
    if (isNowhere(document.activeElement)) this.#view = document.body;
  }

  /** Puts the focus back where it is lost. */
  look(): void {
    const { activeElement } = document;
    const isLost = isNowhere(activeElement);
    const seen = document.querySelector(SEEN_VIEW);
    this.#view ??= seen;
    const another = seen !== this.#view;
    // Whoever asks for a view by key from the status bar means the view.
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
      // What takes its place may still be on its way.
      this.#looksAtNothing += 1;
      if (this.#looksAtNothing < MOST_LOOKS) return undefined;
    }
    if (!seen) return undefined;
    const panes = [...seen.querySelectorAll<HTMLElement>('[data-pane]')];
    const main = panes.find((pane) => pane.hasAttribute('data-pane-main'));
    // What it is made of may still be on its way: a later look finds it.
    if (main) focusPreferred(main);
    else panes.some((pane) => focusIn(pane));
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
    // Which view is there at first: another may be asked for before the timer looks.
    keeper.look();
    const timer = setInterval(() => keeper.look(), LOOK_MS);
    return () => {
      document.removeEventListener('focusin', note);
      clearInterval(timer);
    };
  }, [keeper]);
  return keeper;
}
