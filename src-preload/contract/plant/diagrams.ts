import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { Diagram, DiagramSummary } from '#domain/tag/diagram';
import { procedure } from '../procedure.ts';
import { diagramText } from '../texts/diagram-text.ts';

const text = diagramText();
const saved = { id: z.int().positive(), version: z.int().positive(), savedAt: z.string() };
const summary: z.ZodType<DiagramSummary, DiagramSummary> = z.object({ ...saved, name: z.string(), parts: z.int() });
const diagram: z.ZodType<Diagram, Diagram> = text.extend(saved);

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
    .input(text.extend({ id: saved.id.optional(), baseVersion: z.int().nonnegative().optional() }))
    .output(diagram),
  delete: procedure.write.input(z.object({ id: saved.id })).output(z.object({})),
  /** Sent when Diagrams are saved or deleted: clients list again. */
  changes: procedure.changes.output(eventIterator(z.object({ id: saved.id }))),
};
