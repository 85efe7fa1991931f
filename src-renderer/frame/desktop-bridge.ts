import { useEffect } from 'react';
import type { DesktopRequest, OfferedCommand } from '#contract/bridge';
import type { Workbench } from './workbench.ts';

/** Menus are not urgent, and many commands change at once when a view opens. */
const PUBLISH_AFTER_MS = 300;

/**
 * In the desktop window: sends the commands to main for its native menu, and executes requests from menus, links and
 * notices of main. Does nothing in a browser.
 */
export function useDesktopBridge(workbench: Workbench): void {
  useEffect(() => {
    const bridge = window.tagwright;
    if (!bridge) return undefined;
    const { commands } = workbench;
    let published = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const publish = () => {
      const offered = offeredCommands(commands.all());
      const text = JSON.stringify(offered);
      if (text === published) return;
      published = text;
      bridge.offer(offered);
    };
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(publish, PUBLISH_AFTER_MS);
    };
    bridge.onRequest((request) => handle(workbench, request));
    const forget = commands.onChange(soon);
    // Whether a command is enabled depends on the user's actions.
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

/** Each id once, in the order of the command palette and the keys: the enabled one comes first. */
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

function handle({ commands, show, notify }: Workbench, request: DesktopRequest): void {
  switch (request.kind) {
    case 'command': {
      const command = commands.all().find(({ id, enabled }) => id === request.id && enabled !== false);
      // An open dialog blocks commands, like keys.
      if (command && !document.querySelector('[aria-modal="true"]')) void command.run();
      return;
    }
    case 'show':
      return show(request.view, request.what === '' ? undefined : request.what);
    case 'notice':
      return notify({
        intent: request.intent,
        title: request.title,
        ...(request.body !== '' && { body: request.body }),
      });
  }
}
