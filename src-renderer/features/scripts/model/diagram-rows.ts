import { isBound } from '#domain/diagram';
import type { DiagramText } from '#domain/diagram';
import type { Json } from '#domain/json';
import type { RunActs } from '#domain/run';
import type { Scope } from '#domain/scope';
import type { TagValue } from '#domain/tag';
import type { TraceItem } from './trace.ts';

/** A part of a Diagram that is bound to a tag, beside what a run did with that tag. */
export interface DiagramRow {
  id: string;
  label: string;
  tag: string;
  /** As the Diagram at the location sees it now; undefined while that is not known. */
  value: TagValue | undefined;
  /** What the run did with the tag, also in nested runs; null for nothing. */
  run: 'read' | 'written' | null;
  /** What the run wrote last for this Diagram and location, or for a default that they inherit. */
  written: { value: Json } | null;
}

/** The bound parts of a Diagram in their order, from the top left. */
export function diagramRows(
  { name, parts }: DiagramText,
  location: string,
  values: readonly TagValue[],
  trace: readonly TraceItem[],
): DiagramRow[] {
  const valueOf = new Map(values.map((value) => [value.path, value]));
  const read = new Set<string>();
  const written = new Map<string, Json>();
  const anywhere = new Set<string>();
  for (const item of trace) {
    if (item.what === 'read') read.add(item.path);
    if (item.what !== 'write') continue;
    anywhere.add(item.path);
    if (isSeen(item, name, location)) written.set(item.path, item.value);
  }
  return parts
    .filter(({ kind, tag }) => isBound(kind) && tag !== '')
    .toSorted((a, b) => a.y - b.y || a.x - b.x)
    .map(({ id, label, kind, tag }) => ({
      id,
      label: label === '' ? kind : label,
      tag,
      value: valueOf.get(tag),
      run: anywhere.has(tag) ? 'written' : read.has(tag) ? 'read' : null,
      written: written.has(tag) ? { value: written.get(tag) ?? null } : null,
    }));
}

function isSeen({ diagram, location }: Scope, name: string, workcenter: string): boolean {
  return (diagram === '' || diagram === name) && (location === '' || location === workcenter);
}

/** How many tags of the run a Diagram shows: the best one to look at has the most. */
export function sharedTags({ parts }: DiagramText, acts: Pick<RunActs, 'reads' | 'writes'> | null): number {
  if (!acts) return 0;
  const touched = new Set([...acts.reads, ...acts.writes].map(({ path }) => path));
  return new Set(parts.filter(({ tag }) => touched.has(tag)).map(({ tag }) => tag)).size;
}
