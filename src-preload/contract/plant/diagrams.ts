import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { Diagram, DiagramPart, DiagramSummary, DiagramText } from '#domain/tag/diagram';
import { DIAGRAM_LIMITS, PART_KINDS, TREND_LIMITS } from '#domain/tag/diagram';
import { procedure } from '../procedure.ts';

const place = z.int().min(0).max(DIAGRAM_LIMITS.width);
const size = z.int().min(DIAGRAM_LIMITS.smallest).max(DIAGRAM_LIMITS.width);
const path = z.string().max(1_000);
const trend = z.object({
  tags: z.array(path).max(TREND_LIMITS.tags),
  spanMs: z.int().min(TREND_LIMITS.spanMs.min).max(TREND_LIMITS.spanMs.max),
});
const gauge = z.object({ min: z.number(), max: z.number(), low: z.number().nullable(), high: z.number().nullable() });
const part: z.ZodType<DiagramPart, DiagramPart> = z.object({
  id: z.string().min(1).max(100),
  kind: z.enum(PART_KINDS),
  x: place,
  y: place,
  width: size,
  height: size,
  label: z.string().max(DIAGRAM_LIMITS.text),
  tag: path,
  value: z.json(),
  trend: trend.exactOptional(),
  gauge: gauge.exactOptional(),
});
const text = {
  name: z.string(),
  width: z.int().min(100).max(DIAGRAM_LIMITS.width),
  height: z.int().min(100).max(DIAGRAM_LIMITS.height),
  parts: z.array(part).max(DIAGRAM_LIMITS.parts),
};
const saved = { id: z.int().positive(), version: z.int().positive(), savedAt: z.string() };
const summary: z.ZodType<DiagramSummary, DiagramSummary> = z.object({ ...saved, name: z.string(), parts: z.int() });
const diagram: z.ZodType<Diagram, Diagram> = z.object({ ...text, ...saved });

/** The saved part of a Diagram. */
export const diagramText: z.ZodType<DiagramText, DiagramText> = z.object(text);

/** The Diagrams: pages of parts that are bound to tags. */
export const diagrams = {
  /** Ordered by name. */
  list: procedure.read.output(z.array(summary)),
  get: procedure.read.input(z.union([z.object({ id: saved.id }), z.object({ name: z.string() })])).output(diagram),
  /**
   * Without `id` a new one (CONFLICT if the name is taken); with it that one, where a `baseVersion` other than the
   * stored one is a CONFLICT whose data.current is the stored version.
   */
  save: procedure.write
    .input(z.object({ ...text, id: saved.id.optional(), baseVersion: z.int().nonnegative().optional() }))
    .output(diagram),
  delete: procedure.write.input(z.object({ id: saved.id })).output(z.object({})),
  /** Sent when Diagrams are saved or deleted: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ id: saved.id }))),
};
