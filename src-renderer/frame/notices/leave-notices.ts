import { useCallback, useEffect, useRef } from 'react';

const NOTICES = '[data-toaster-position]';

/**
 * Returns a function that moves the focus from a notice to its former element. Fluent moves it when a notice has faded
 * out, and takes it from an element that the user has moved it to in the meantime.
 */
export function useLeaveNotices(): () => void {
  const former = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !target.closest(NOTICES)) former.current = target;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  return useCallback(() => {
    if (document.activeElement?.closest(NOTICES)) former.current?.focus();
  }, []);
}
