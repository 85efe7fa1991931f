import { createContext, useContext, useEffect, useState } from 'react';
import type { DiagramPart } from '#domain/tag/diagram';
import { tagsOfPart } from '#domain/tag/diagram';
import type { Json } from '#domain/text/json';
import type { TagDefinition, TagValue } from '#domain/tag/tag';
import type { Client } from '../client/client.ts';
import { refusalOf } from '../client/errors.ts';
import { stayCurrent } from '../client/stay-current.ts';
import { useLiveValue } from '../client/live-values.ts';
import type { LiveValues, ViewScope } from '../client/live-values.ts';
import type { MenuEntry } from '../ui/lists/row-menu.tsx';
import type { TrendPoint } from './trend-buffer.ts';

/** A note about a tag, such as `dry run`, and a replacement for its value; null shows the value itself. */
export interface Overlay {
  why: string;
  value: TagValue | null;
}

/** What the menu of a part does: the workbench has it, a window with only the Diagram does not. */
export interface PageActions {
  /** The menu of a tag of the page, at a time of its trend unless it is about its value now. `one`: its only tag. */
  entriesOf: (tag: string, at: number | null, one: boolean) => MenuEntry[];
  /** What an element about a tag says (`data-why`). */
  attributesOf: (tag: string, at: number | null) => Readonly<Record<`data-${string}`, string>>;
}

/** The zoom of the page around a part: 1 is its own size. */
export const PageScale = createContext(1);

/** The context of the parts of a page. */
export interface PageServices {
  values: LiveValues;
  definitions: ReadonlyMap<string, TagDefinition>;
  /** By path. */
  overlays: ReadonlyMap<string, Overlay>;
  /** Writes in the scope of the page; resolves with the reason of a rejection, or null. Null on a read-only page. */
  write: ((tag: string, value: Json) => Promise<string | null>) | null;
  actions: PageActions | null;
  /** The past of tags as far as it can be computed; nothing if it can't be read. */
  past: (wanted: PastInput, signal: AbortSignal) => Promise<readonly TagPast[]>;
}

export interface PastInput {
  paths: string[];
  from: number;
  to: number;
  points: number;
}

interface TagPast {
  path: string;
  points: readonly TrendPoint[];
}

export const PageContext = createContext<PageServices | null>(null);

export function usePage(): PageServices {
  const services = useContext(PageContext);
  if (!services) throw new Error('a part is rendered outside a page');
  return services;
}

/** What a page shows of a tag, undefined until it is known. */
export function useShownValue(tag: string): TagValue | undefined {
  const { values, overlays } = usePage();
  const value = useLiveValue(values, tag);
  return overlays.get(tag)?.value ?? value;
}

const NONE: ReadonlyMap<string, TagDefinition> = new Map();

/** The definitions of the existing tags of a page; reloaded when definitions change. */
export function useDefinitions(
  client: Pick<Client, 'tags'>,
  parts: readonly DiagramPart[],
  active: boolean,
): ReadonlyMap<string, TagDefinition> {
  const [definitions, setDefinitions] = useState(NONE);
  const paths = JSON.stringify(pathsOf(parts));
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const wanted: string[] = JSON.parse(paths);
    const read = async (signal: AbortSignal) => {
      const found = await Promise.all(
        wanted.map((path) => client.tags.definition({ path }, { signal }).catch(() => null)),
      );
      if (signal.aborted) return;
      setDefinitions(new Map(found.filter((one) => one !== null).map((one) => [one.path, one])));
    };
    void stayCurrent({ changes: [(signal) => client.tags.changes(undefined, { signal })], read }, end.signal);
    return () => end.abort();
  }, [client, paths, active]);
  return definitions;
}

/** The tags of a page, each once. */
export function pathsOf(parts: readonly DiagramPart[]): string[] {
  return [...new Set(parts.flatMap(tagsOfPart))].toSorted();
}

/** Writes a tag in the scope of the page. */
export async function writeFor(
  { client, scope }: { client: Pick<Client, 'tags'>; scope: ViewScope },
  tag: string,
  value: Json,
): Promise<string | null> {
  try {
    // The watch shows what readers see now.
    await client.tags.set({ items: [{ tag, value }], ...scope });
    return null;
  } catch (error) {
    return refusalOf(error);
  }
}
