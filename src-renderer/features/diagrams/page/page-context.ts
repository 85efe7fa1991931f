import { createContext, useContext, useEffect, useState } from 'react';
import type { DiagramPart } from '#domain/diagram';
import type { Json } from '#domain/json';
import type { TagDefinition } from '#domain/tag';
import type { Client } from '../../../client/client.ts';
import { refusalOf } from '../../../client/errors.ts';
import type { LiveValues, ViewScope } from '../../../client/live-values.ts';

/** What the parts of a page need. */
export interface PageServices {
  values: LiveValues;
  definitions: ReadonlyMap<string, TagDefinition>;
  /** Writes for the scopes of the page; resolves with why it was refused, or null. */
  write: (tag: string, value: Json) => Promise<string | null>;
}

export const PageContext = createContext<PageServices | null>(null);

export function usePage(): PageServices {
  const services = useContext(PageContext);
  if (!services) throw new Error('a part is shown outside of a page');
  return services;
}

const NONE: ReadonlyMap<string, TagDefinition> = new Map();

/** The definitions of the tags of a page, as far as there are such tags; read anew when definitions change. */
export function useDefinitions(
  client: Pick<Client, 'tags'>,
  parts: readonly DiagramPart[],
): ReadonlyMap<string, TagDefinition> {
  const [definitions, setDefinitions] = useState(NONE);
  const paths = JSON.stringify(pathsOf(parts));
  useEffect(() => {
    const end = new AbortController();
    const wanted: string[] = JSON.parse(paths);
    const load = async () => {
      const found = await Promise.all(
        wanted.map((path) => client.tags.definition({ path }, { signal: end.signal }).catch(() => null)),
      );
      if (end.signal.aborted) return;
      setDefinitions(new Map(found.filter((one) => one !== null).map((one) => [one.path, one])));
    };
    void load();
    return () => end.abort();
  }, [client, paths]);
  return definitions;
}

/** The tags of a page, each once. */
export function pathsOf(parts: readonly DiagramPart[]): string[] {
  return [...new Set(parts.map(({ tag }) => tag))].filter((tag) => tag !== '').toSorted();
}

/** Writes a tag as a page does: for its scopes. */
export async function writeFor(
  { client, values, scope }: { client: Pick<Client, 'tags'>; values: LiveValues; scope: ViewScope },
  tag: string,
  value: Json,
): Promise<string | null> {
  try {
    values.put(await client.tags.set({ items: [{ tag, value }], ...scope }));
    return null;
  } catch (error) {
    return refusalOf(error);
  }
}
