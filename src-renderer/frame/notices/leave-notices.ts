import { useCallback, useEffect, useRef } from 'react';

const NOTICES = '[data-toaster-position]';
const NOTICE = `${NOTICES} .fui-ToastContainer`;

/**
 * Enter on a notice that has the focus runs its first action.
 *
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
  useEffect(() => {
    /** Enter was pressed in a notice, and is still held: it must not act on what gets the focus next. */
    let isHeld = false;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      if (event.repeat && isHeld) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      const { target } = event;
      isHeld = target instanceof Element && target.closest(NOTICES) !== null;
      if (!(target instanceof Element) || !target.matches(NOTICE)) return;
      event.preventDefault();
      target.querySelector('button')?.click();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return useCallback(() => {
    if (document.activeElement?.closest(NOTICES)) former.current?.focus();
  }, []);
}
