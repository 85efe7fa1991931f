import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { Client } from '../client/client.ts';
import type { Transport } from '../transport/transport.ts';
import type { Store } from '../support/store.ts';
import type { Command, CommandRegistry } from './palette/commands.ts';
import type { ThemeName, ThemeSwitch } from './theme.ts';

/** A message that needs no response. */
export interface Notice {
  intent: 'success' | 'info' | 'warning' | 'error';
  title: string;
  body?: string;
  action?: { label: string; run: () => void | Promise<void> };
}

/** The API of the frame for views. */
export interface Workbench {
  client: Client;
  transport: Transport;
  commands: CommandRegistry;
  /** The selected theme. */
  themes: ThemeSwitch;
  /** The resulting theme, after following the system. */
  theme: Store<ThemeName>;
  /** The text of a view in the status bar while it is visible (the cursor position), by the view's id. */
  statusTexts: Store<Readonly<Record<string, string>>>;
  notify: (notice: Notice) => void;
  /** Shows a view, with the target `what` and a line of its text (from 1). */
  show: (viewId: string, what?: string, line?: number) => void;
}

export const WorkbenchContext = createContext<Workbench | null>(null);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (!workbench) throw new Error('useWorkbench is used outside the frame');
  return workbench;
}

/** Registers commands while the component is mounted: in a layout effect, so that no key meets the former state. */
export function useCommands(commands: readonly Command[]): void {
  const { commands: registry } = useWorkbench();
  const latest = useRef(commands);
  useLayoutEffect(() => {
    latest.current = commands;
  });
  useLayoutEffect(() => registry.add(() => latest.current), [registry]);
}
