import type { ComponentType, ReactNode } from 'react';
import type { Client } from '../client/client.ts';
import type { Help } from './help/places.ts';
import type { Keys } from './palette/keys.ts';
import type { Deferred } from '../ui/deferred.tsx';
import { remembered } from '../support/local-storage.ts';

/** The context of a view. */
export interface ViewProps {
  /** Whether the view is visible; a hidden view keeps its state and stops its streams. */
  active: boolean;
  /** The last requested target (`Line1.OEE.Value`, a script's id); a new object for each request. */
  target: ViewTarget | null;
}

export interface ViewTarget {
  what: string;
  /** A line of its text, from 1. */
  line?: number;
  /** A match in one of its texts. */
  place?: TextRange;
}

/** A part of a text of an item. */
export interface TextRange {
  /** The place of the text in the item: `body`, `settings.expression`; the name of its form field. */
  field: string;
  /** Offsets in the text (UTF-16 units). */
  start: number;
  end: number;
  /** Line of its start, from 1. */
  line: number;
  column: number;
}

/** A result of a view in the command palette. */
export interface Finding {
  /** Default: that of the view. */
  icon?: ReactNode;
  title: string;
  detail: string;
  /** Passed to the view as its target. */
  what: string;
}

/** A view adds itself to the frame with one such registration, in the order of the activity bar. */
export interface View {
  id: string;
  title: string;
  icon: ComponentType;
  /** Its page of the manual, for F1. */
  help: Help;
  component: Deferred<ViewProps>;
  /** Starts to load files that the code of the component needs later. */
  preload?: () => void;
  /** Its commands that the command palette offers while another view is visible, with their ids and titles. */
  offers?: readonly { id: string; title: string; keys?: Keys }[];
  /** Its results in the command palette: the heading, and up to about twenty results, best first. */
  find?: { heading: string; search: (client: Client, text: string, signal: AbortSignal) => Promise<Finding[]> };
}

/** The initial view: the last visible one. */
export function firstView(views: readonly View[]): View | undefined {
  const last = remembered<string>('view', '');
  return views.find((view) => view.id === last) ?? views[0];
}

/** A page that is still starting would get its first rows later. */
const STARTED_MS = 2_000;

/**
 * Loads the code of views, one by one while the page is idle, so that the first opening of a view does not wait for it.
 * Ends early without a connection: a view that is opened then shows the failure.
 */
export async function loadWhenIdle(views: readonly View[], isConnected: () => boolean): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, STARTED_MS));
  for (const { component } of views) {
    await idle();
    if (!isConnected()) return;
    try {
      await component.load();
    } catch {
      return;
    }
  }
}

/** Safari does not know when it is idle. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve, 200);
  });
