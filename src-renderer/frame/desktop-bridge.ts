import { useEffect } from 'react';
import type { DesktopAsk, OfferedCommand } from '#contract/bridge';
import type { Workbench } from './workbench.ts';

/** Menus are not in a hurry, and commands come and go by the dozen when a view opens. */
const TELL_AFTER_MS = 300;

/**
 * In the desktop window: main learns which commands there are, for its native menu, and what menus, links and notices of
 * main ask for is done. Nothing in a browser.
 */
export function useDesktopBridge(workbench: Workbench): void {
  useEffect(() => {
    const bridge = window.tagwright;
    if (!bridge) return undefined;
    const { commands } = workbench;
    let told = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      const offered = offeredCommands(commands.all());
      const text = JSON.stringify(offered);
      if (text === told) return;
      told = text;
      bridge.offer(offered);
    };
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(tell, TELL_AFTER_MS);
    };
    bridge.onAsk((ask) => answer(workbench, ask));
    const forget = commands.onChange(soon);
    // Whether a command can be done changes with what the user does.
    const occasions = ['focus', 'keyup', 'pointerup'] as const;
    for (const occasion of occasions) window.addEventListener(occasion, soon);
    soon();
    return () => {
      clearTimeout(timer);
      forget();
      for (const occasion of occasions) window.removeEventListener(occasion, soon);
    };
  }, [workbench]);
}

/** Each id once, as the palette and the keys find it: the one that can be done comes first. */
export function offeredCommands(
  all: readonly { id: string; title: string; section: string; keys?: string; enabled?: boolean }[],
): OfferedCommand[] {
  const offered = new Map<string, OfferedCommand>();
  for (const { id, title, section, keys = '', enabled = true } of all) {
    if (offered.get(id)?.enabled) continue;
    offered.set(id, { id, title, section, keys, enabled });
  }
  return [...offered.values()];
}

function answer({ commands, show, notify }: Workbench, ask: DesktopAsk): void {
  switch (ask.kind) {
    case 'command': {
      const command = commands.all().find(({ id, enabled }) => id === ask.id && enabled !== false);
      // Behind an open dialog nothing is done, as with keys.
      if (command && !document.querySelector('[aria-modal="true"]')) void command.run();
      return;
    }
    case 'show':
      return show(ask.view, ask.what === '' ? undefined : ask.what);
    case 'notice':
      return notify({ intent: ask.intent, title: ask.title, ...(ask.body !== '' && { body: ask.body }) });
  }
}
