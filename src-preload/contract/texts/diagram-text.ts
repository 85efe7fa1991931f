import { z } from 'zod';
import type { DiagramPart } from '#domain/tag/diagram';
import { DIAGRAM_LIMITS, PART_KINDS, TREND_LIMITS } from '#domain/tag/diagram';
import { onFirstUse } from './on-first-use.ts';

/** The saved part of a Diagram. */
export const diagramText = onFirstUse(() => {
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
  return z.object({
    name: z.string(),
    width: z.int().min(100).max(DIAGRAM_LIMITS.width),
    height: z.int().min(100).max(DIAGRAM_LIMITS.height),
    parts: z.array(part).max(DIAGRAM_LIMITS.parts),
  });
});
