import type { Contract } from '#contract';

/** `tags.get`: every procedure of the contract by name. */
export type ProcedureName = {
  [Group in keyof Contract & string]: `${Group}.${keyof Contract[Group] & string}`;
}[keyof Contract & string];

/** Procedures that answer with a stream: continued on the next connection after a loss. */
export const STREAMS: ReadonlySet<ProcedureName> = new Set<ProcedureName>([
  'app.status',
  'scripts.changes',
  'tags.watch',
  'tags.changes',
]);

/** Procedures that change nothing: asked again after a loss. Whatever is in neither list is never sent twice. */
export const READS: ReadonlySet<ProcedureName> = new Set<ProcedureName>([
  'app.info',
  'scripts.list',
  'scripts.get',
  'scripts.versions',
  'drafts.list',
  'tags.list',
  'tags.definition',
  'tags.complete',
  'tags.get',
  'tags.export',
  'settings.get',
]);
