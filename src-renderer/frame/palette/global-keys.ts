import { useEffect, useLayoutEffect, useRef } from 'react';
import type { CommandRegistry } from './commands.ts';
import { type Keys, keysOf } from './keys.ts';

/** Keys of the editor's find widget while it has the focus: match case, whole word, regular expression, selection. */
const FIND_KEYS: ReadonlySet<Keys> = new Set(['Alt+C', 'Alt+W', 'Alt+R', 'Alt+L']);

/**
 * Keys of commands work everywhere, before the editor or a list handles them; not while a dialog is open. Keys that are
 * pressed while the code of the visible view loads run their commands as soon as the view has added them.
 */
export function useGlobalKeys(commands: CommandRegistry, current: string): void {
  const view = useRef(current);
  const held = useRef<Keys[]>([]);
  useLayoutEffect(() => {
    view.current = current;
    held.current = [];
  }, [current]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const keys = keysOf(event);
      if (FIND_KEYS.has(keys) && event.target instanceof Element && event.target.closest('.find-widget')) return;
      const command = commands.withKeys(keys);
      if (!command) {
        // The browser acts on them too: F5 reloads a page whose view does not load.
        if (!commands.hasView(view.current)) held.current.push(keys);
        return;
      }
      // Even if it is disabled: otherwise the browser would reload the page on F5 or save it on Ctrl+S.
      event.preventDefault();
      event.stopPropagation();
      if (command.enabled === false || event.repeat || isDialogOpen()) return;
      void command.run();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [commands]);

  useEffect(() => {
    const runHeld = () => {
      for (const keys of held.current.splice(0)) {
        const command = commands.withKeys(keys);
        if (command && command.enabled !== false && !isDialogOpen()) void command.run();
      }
    };
    return commands.onChange(() => {
      // After the other parts of the view have added their commands.
      if (held.current.length > 0 && commands.hasView(view.current)) setTimeout(runHeld, 0);
    });
  }, [commands]);
}

function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null;
}
