const FOCUSABLE =
  'textarea:not([disabled]), input:not([disabled]):not([readonly]), button:not([disabled]), [tabindex="0"], [href], .native-edit-context';

/**
 * Moves the focus to the next pane that is seen (or the previous one), round and round: F6. A pane is an element with
 * `data-pane`; what gets the focus in it is `data-pane-focus`, else the first thing that can.
 */
export function movePane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => pane.offsetParent !== null);
  // Of panes within one another the inner one, which stands after the outer one.
  const now = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  for (let step = 1; step <= panes.length; step++) {
    const from = now === -1 && by === -1 ? 0 : now;
    const pane = panes[(((from + by * step) % panes.length) + panes.length) % panes.length];
    if (pane && focusIn(pane)) return;
  }
}

/** Puts the focus into a pane by its name; false when it has nothing that can take it. */
export function focusPane(name: string): boolean {
  const pane = document.querySelector<HTMLElement>(`[data-pane="${name}"]`);
  return pane !== null && focusIn(pane);
}

/** Puts the focus into a pane; false when it has nothing that can take it. */
export function focusIn(pane: HTMLElement): boolean {
  return focusPreferred(pane) || focusOn(pane.querySelector<HTMLElement>(FOCUSABLE));
}

/** Puts the focus on what is to have it in a pane; false while that is not there. */
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
