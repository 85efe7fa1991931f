import { tagsOfPart } from '#domain/tag/diagram';
import type { DiagramText } from '#domain/tag/diagram';
import type { RunActs } from '#domain/run/run';
import type { TraceItem } from '../../model/trace.ts';

/** A part of a Diagram with a tag, and the effect of a run on that tag. */
export interface BoundPart {
  id: string;
  label: string;
  tag: string;
  /** The effect of the run on the tag, including nested runs; null for none. */
  run: 'read' | 'written' | null;
}

/** The bound parts of a Diagram in order, from the top left. */
export function diagramRows({ parts }: Pick<DiagramText, 'parts'>, trace: readonly TraceItem[]): BoundPart[] {
  const read = new Set<string>();
  const written = new Set<string>();
  for (const item of trace) {
    if (item.what === 'read') read.add(item.path);
    if (item.what === 'write') written.add(item.path);
  }
  return parts
    .toSorted((a, b) => a.y - b.y || a.x - b.x)
    .flatMap((part) =>
      tagsOfPart(part).map((tag, place) => ({
        id: place === 0 ? part.id : `${part.id} ${tag}`,
        label: part.label === '' ? part.kind : part.label,
        tag,
        run: written.has(tag) ? 'written' : read.has(tag) ? 'read' : null,
      })),
    );
}

/** The number of tags of the run in a Diagram; the best Diagram has the most. */
export function sharedTags({ parts }: DiagramText, acts: Pick<RunActs, 'reads' | 'writes'> | null): number {
  if (!acts) return 0;
  const touched = new Set([...acts.reads, ...acts.writes].map(({ path }) => path));
  return new Set(parts.flatMap(tagsOfPart).filter((tag) => touched.has(tag))).size;
}
