import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { Client } from '../client/client.ts';
import type { Transport } from '../transport/transport.ts';
import type { Store } from '../support/store.ts';
import type { Command, CommandRegistry } from './palette/commands.ts';
import type { ThemeName, ThemeSwitch } from './theme.ts';

/** Something worth saying that needs no answer. */
export interface Notice {
  intent: 'success' | 'info' | 'warning' | 'error';
  title: string;
  body?: string;
  action?: { label: string; run: () => void | Promise<void> };
}

/** What the frame offers to every view. */
export interface Workbench {
  client: Client;
  transport: Transport;
  commands: CommandRegistry;
  /** The choice of theme. */
  themes: ThemeSwitch;
  /** The theme as it is shown, after following the system. */
  theme: Store<ThemeName>;
  /** What a view has to say on the status bar while it is seen (the place of the cursor), by the view's id. */
  statusTexts: Store<Readonly<Record<string, string>>>;
  notify: (notice: Notice) => void;
  /** Shows a view, and in it what `what` names for that view, and the line of its text (from 1). */
  show: (viewId: string, what?: string, line?: number) => void;
}

export const WorkbenchContext = createContext<Workbench | null>(null);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (!workbench) throw new Error('useWorkbench is used outside of the frame');
  return workbench;
}

/** Offers commands while the component is mounted: those of what is seen, so that no key meets the state before it. */
export function useCommands(commands: readonly Command[]): void {
  const { commands: registry } = useWorkbench();
  const latest = useRef(commands);
  useLayoutEffect(() => {
    latest.current = commands;
  });
  useLayoutEffect(() => registry.add(() => latest.current), [registry]);
}
