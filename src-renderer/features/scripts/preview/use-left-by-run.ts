import { useEffect, useMemo, useState } from 'react';
import type { DiagramText } from '#domain/tag/diagram';
import type { WriteEntry } from '#domain/run/run';
import type { Client } from '../../../client/client.ts';
import type { Overlay } from '../../../diagram-page/page-context.ts';
import { leftByRun } from '../model/left-by-run.ts';
import type { WrittenTag } from '../model/left-by-run.ts';
import type { TraceItem } from '../model/trace.ts';

const NOTHING: ReadonlyMap<string, WrittenTag> = new Map();

/**
 * The notes on a Diagram about tags that the run wrote: after a normal run that it wrote them, after a dry run the
 * values that they would show.
 */
export function useLeftByRun(
  client: Pick<Client, 'tags'>,
  { name, parts }: Pick<DiagramText, 'name' | 'parts'>,
  location: string,
  trace: readonly TraceItem[],
  dryRun: boolean,
): ReadonlyMap<string, Overlay> {
  const writes = useMemo(() => {
    const onPage = new Set(parts.map(({ tag }) => tag));
    const entries = trace.filter((item): item is TraceItem & WriteEntry => item.what === 'write');
    return Map.groupBy(
      entries.filter(({ path }) => onPage.has(path)),
      ({ path }) => path,
    );
  }, [parts, trace]);
  const [tags, setTags] = useState(NOTHING);

  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const look = async (path: string): Promise<WrittenTag> => {
      const { kind } = await client.tags.definition({ path }, { signal });
      const stored = kind === 'storage' ? (await client.tags.scopes({ path }, { signal })).values : [];
      return { path, kind, stored };
    };
    // Tags deleted since then have no note.
    void Promise.allSettled([...writes.keys()].map(look)).then((all) => {
      if (signal.aborted) return;
      const found = all.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
      setTags(new Map(found.map((tag) => [tag.path, tag])));
    });
    return () => end.abort();
  }, [client, writes]);

  return useMemo(() => {
    const overlays = new Map<string, Overlay>();
    for (const [path, entries] of writes) {
      const tag = tags.get(path);
      const left = tag && leftByRun(tag, entries, { diagram: name, location });
      if (left === undefined || left === 'hidden') continue;
      const why = dryRun ? 'dry run' : 'written';
      overlays.set(path, { why, value: dryRun && left !== 'unknown' ? left : null });
    }
    return overlays;
  }, [writes, tags, name, location, dryRun]);
}
