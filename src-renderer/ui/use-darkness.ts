import { useSyncExternalStore } from 'react';

/** The element on which the frame says which theme is shown. */
function themed(): Element | null {
  return document.querySelector('[data-theme]');
}

function subscribe(changed: () => void): () => void {
  const element = themed();
  if (!element) return () => {};
  const observer = new MutationObserver(changed);
  observer.observe(element, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** Whether the theme that is shown has a dark ground: for what is drawn on a canvas and cannot take its colours by CSS. */
export function useDarkness(): boolean {
  return useSyncExternalStore(subscribe, () => themed()?.getAttribute('data-theme') !== 'light');
}
