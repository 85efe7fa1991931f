import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { Client } from '../client/client.ts';
import type { Transport } from '../transport/transport.ts';
import type { Store } from '../support/store.ts';
import type { Help } from './help/places.ts';
import type { Command, CommandRegistry } from './palette/commands.ts';
import type { TextRange } from './view.ts';
import type { WhySubject } from './why/use-why.ts';
import type { ThemeName, ThemeSwitch } from './theme.ts';

/** A message that needs no response. Errors link to their page of the manual. */
export interface Notice {
  intent: 'success' | 'info' | 'warning' | 'error';
  title: string;
  body?: string;
  /** Why it failed, anything that a call throws: its message is the body. */
  error?: unknown;
  action?: { label: string; run: () => void | Promise<void> };
}

export interface Activity {
  text: string;
  title: string;
  run: () => void;
}

/** The unsaved texts of this window. */
export interface OpenDrafts {
  /** Resolves when everything that was typed is stored, or could not be. */
  flush: () => Promise<void>;
  /** Replaces the body of a draft by its key; false if it is no longer `before`. Ctrl+Z in its editor undoes it. */
  replace: (key: string, before: string, after: string) => Promise<boolean>;
  /** The selected text in the editor, if it is within one line. */
  selected: () => string;
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
  /** Something that lasts, such as a debugged run: a button in the status bar of all views. */
  activity: Store<Activity | null>;
  notify: (notice: Notice) => void;
  /** Whether only the main part of a view is visible, without bars and side panes. */
  zen: Store<boolean>;
  /** Opens the manual next to the view. */
  showHelp: (help: Help) => void;
  /** Shows a view, with the target `what` and a line of its text (from 1), or a part of one of its texts. */
  show: (viewId: string, what?: string, at?: number | TextRange) => void;
  /** Opens the pane that explains a thing, next to the view. */
  explain: (subject: WhySubject) => void;
  /** What *Why?* explains in a view, by the view's id (`useWhySubject`). */
  whySubjects: Store<Readonly<Record<string, WhySubject | null>>>;
  /** The unsaved texts of this window, as soon as a view has some. */
  drafts: Store<OpenDrafts | null>;
}

export const WorkbenchContext = createContext<Workbench | null>(null);

/** The id of the view that a component belongs to; empty in the frame. */
export const ViewContext = createContext('');

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (!workbench) throw new Error('useWorkbench is used outside the frame');
  return workbench;
}

/** Registers commands while the component is mounted: in a layout effect, so that no key meets the former state. */
export function useCommands(commands: readonly Command[]): void {
  const { commands: registry } = useWorkbench();
  const view = useContext(ViewContext);
  const latest = useRef(commands);
  useLayoutEffect(() => {
    latest.current = commands;
  });
  useLayoutEffect(() => registry.add(() => latest.current, view), [registry, view]);
}
