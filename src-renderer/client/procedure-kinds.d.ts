declare module 'virtual:procedure-kinds' {
  import type { ProcedureKind } from '#contract/procedure';

  /** The kind of every procedure by name, as `tags.get`; see build/procedure-kinds.ts. */
  const kinds: Readonly<Record<string, ProcedureKind>>;
  export default kinds;
}
