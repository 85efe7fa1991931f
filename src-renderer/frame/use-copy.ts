import { useCallback } from 'react';
import { useWorkbench } from './workbench.ts';

/** A hint for the case that the browser denies copying. */
const ALLOW = 'Allow this page to use the clipboard, then copy again.';

/** Copies a text to the clipboard and confirms with `title` (and `body`), or shows a hint. */
export function useCopy(): (text: string, title: string, more?: { body?: string; instead?: string }) => Promise<void> {
  const { notify } = useWorkbench();
  return useCallback(
    async (text, title, { instead = ALLOW, ...more } = {}) => {
      try {
        await navigator.clipboard.writeText(text);
        notify({ intent: 'success', title, ...more });
      } catch {
        notify({ intent: 'error', title: 'The clipboard is not available', body: instead });
      }
    },
    [notify],
  );
}
