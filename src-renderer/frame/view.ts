import type { ComponentType } from 'react';
import type { Client } from '../client/client.ts';
import { remembered } from '../support/local-storage.ts';

/** What a view gets. */
export interface ViewProps {
  /** Whether the view is the one that is seen; a view that is not seen keeps its state and stops its streams. */
  active: boolean;
  /** What it was last asked to show (`Line1.OEE.Value`, a script's id); a new object each time it is asked. */
  target: ViewTarget | null;
}

export interface ViewTarget {
  what: string;
  /** A line of its text, from 1. */
  line?: number;
}

/** Something that the palette found in a view. */
export interface Finding {
  title: string;
  detail: string;
  /** Given back to the view as its target. */
  what: string;
}

/** A view plugs into the frame with one such registration, in the order of the rail. */
export interface View {
  id: string;
  title: string;
  icon: ComponentType;
  component: ComponentType<ViewProps>;
  /** Fetches what the component is made of, before it is first drawn. */
  load: () => Promise<unknown>;
  /** Commands of it that the palette offers while another view is seen, by the ids and titles that it gives them. */
  offers?: readonly { id: string; title: string }[];
  /** What the palette finds in it: the heading, and at most some twenty findings, best first. */
  find?: { heading: string; search: (client: Client, text: string, signal: AbortSignal) => Promise<Finding[]> };
}

/** The view that is seen first: the one that was seen last. */
export function firstView(views: readonly View[]): View | undefined {
  const last = remembered<string>('view', '');
  return views.find((view) => view.id === last) ?? views[0];
}
