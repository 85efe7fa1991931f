import { useCallback, useLayoutEffect, useRef, useState } from 'react';

const MODAL = '[aria-modal="true"]';

/**
 * The open overlay (command palette, keys), if any. It keeps the focus while it is open. When it closes, the focus
 * returns to its former element, or to the one that requested it in the meantime: a view that has opened a script
 * focuses the editor when its text has loaded, which may be after the user pressed Ctrl+K again, and then the palette
 * would not get any keys.
 */
export function useOverlay<Overlay extends string>() {
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const before = useRef<Element | null>(null);
  const open = useCallback((which: Overlay) => {
    before.current = document.activeElement;
    setOverlay(which);
  }, []);
  const close = useCallback(() => setOverlay(null), []);

  useLayoutEffect(() => {
    if (overlay === null) return undefined;
    let inside = document.activeElement?.closest(MODAL) ? document.activeElement : null;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.hasAttribute('data-tabster-dummy')) return;
      if (target.closest(MODAL)) {
        inside = target;
      } else if (inside instanceof HTMLElement && inside.isConnected) {
        before.current = target;
        inside.focus();
      }
    };
    document.addEventListener('focusin', onFocus, { capture: true });
    return () => {
      document.removeEventListener('focusin', onFocus, { capture: true });
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, [overlay]);
  return { overlay, open, close };
}
