import { useSyncExternalStore } from 'react';

/** The element that has the current theme. */
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

/** Whether the current theme is dark: for canvas drawings, which can't use CSS colours. */
export function useDarkness(): boolean {
  return useSyncExternalStore(subscribe, () => themed()?.getAttribute('data-theme') !== 'light');
}
