import { useCallback } from 'react';
import { useWorkbench } from './workbench.ts';

/** What can be done where the browser refuses to copy. */
const ALLOW = 'Let this page use the clipboard, then copy again.';

/** Copies a text to the clipboard and says so with `title` (and `body`), or says what to do instead. */
export function useCopy(): (text: string, title: string, more?: { body?: string; instead?: string }) => Promise<void> {
  const { notify } = useWorkbench();
  return useCallback(
    async (text, title, { instead = ALLOW, ...more } = {}) => {
      try {
        await navigator.clipboard.writeText(text);
        notify({ intent: 'success', title, ...more });
      } catch {
        notify({ intent: 'error', title: 'The clipboard cannot be used', body: instead });
      }
    },
    [notify],
  );
}
