const FOCUSABLE =
  'textarea:not([disabled]), input:not([disabled]):not([readonly]), button:not([disabled]), [tabindex="0"], [href], .native-edit-context';

/**
 * Moves the focus to the next visible pane (or the previous one), cyclically: F6. A pane is an element with
 * `data-pane`; its focus target is `data-pane-focus`, else the first focusable element.
 */
export function movePane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => pane.checkVisibility());
  // The inner one of nested panes, which follows the outer one.
  const now = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  for (let step = 1; step <= panes.length; step++) {
    const from = now === -1 && by === -1 ? 0 : now;
    const pane = panes[(((from + by * step) % panes.length) + panes.length) % panes.length];
    if (pane && focusIn(pane)) return;
  }
}

/** Moves the focus into a pane by its name; false if it has no focusable element. */
export function focusPane(name: string): boolean {
  const pane = document.querySelector<HTMLElement>(`[data-pane="${name}"]`);
  return pane !== null && focusIn(pane);
}

/** Opens a pane by its name if it is in a collapsed side pane, and moves the focus into it; true if it was collapsed. */
export function openPane(name: string): boolean {
  const content = document.querySelector(`[data-pane="${name}"]`)?.closest('[data-pane-content]');
  const strip = content?.previousElementSibling;
  if (!(strip instanceof HTMLButtonElement)) return false;
  strip.click();
  return true;
}

/** What takes the focus when a side pane opens, by its content; without one, its preferred element does. */
const wantedFocus = new WeakMap<Element, () => HTMLElement | null>();

/** Moves the focus to an element of a pane, which is opened first if it is collapsed. */
export function focusInPane(name: string, element: () => HTMLElement | null): void {
  const content = document.querySelector(`[data-pane="${name}"]`)?.closest('[data-pane-content]');
  if (content) wantedFocus.set(content, element);
  if (openPane(name)) return;
  if (content) wantedFocus.delete(content);
  element()?.focus();
}

/** Moves the focus into a side pane that has just opened. */
export function focusOpened(sidePane: HTMLElement): void {
  const content = sidePane.querySelector('[data-pane-content]');
  const wanted = content && wantedFocus.get(content);
  if (content) wantedFocus.delete(content);
  const element = wanted?.();
  if (element) element.focus();
  else focusIn(sidePane);
}

/** Moves the focus into a pane; false if it has no focusable element, or is behind an open dialog. */
export function focusIn(pane: HTMLElement): boolean {
  // A dialog may have opened since this was requested, and has the focus.
  const dialog = document.querySelector('[aria-modal="true"]');
  if (dialog !== null && !dialog.contains(pane)) return false;
  return focusPreferred(pane) || focusOn(pane.matches(FOCUSABLE) ? pane : pane.querySelector<HTMLElement>(FOCUSABLE));
}

/** Moves the focus to the target in a pane; false while there is none. */
export function focusPreferred(pane: HTMLElement): boolean {
  const preferred = pane.querySelector<HTMLElement>('[data-pane-focus]');
  return focusOn(
    preferred?.matches(FOCUSABLE) ? preferred : (preferred?.querySelector<HTMLElement>(FOCUSABLE) ?? null),
  );
}

function focusOn(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null && document.activeElement === element;
}
