/** A selected part of a text, as offsets (UTF-16 units). */
export interface Selection {
  from: number;
  to: number;
}

/** Selects a part of a code field, and scrolls to it. By the element that has the focus and the name of the field. */
export const selectors = new WeakMap<Element, (selection: Selection) => void>();
