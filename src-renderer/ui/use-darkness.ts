import { useSyncExternalStore } from 'react';

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** Whether the current theme is dark: for canvas drawings, which can't use CSS colors. */
export function useDarkness(): boolean {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'] !== 'light');
}
