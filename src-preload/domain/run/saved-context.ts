export const VALUE_MODES = ['none', 'json', 'text', 'number'] as const;
export type ValueMode = (typeof VALUE_MODES)[number];

/** The context of a run as typed: texts, possibly incomplete. */
export interface SavedContext {
  tagName: string;
  diagram: string;
  location: string;
  valueMode: ValueMode;
  valueText: string;
}

/** The contexts of a script in the preview. */
export interface ScriptContexts {
  /** The last typed one; null if there is none. */
  current: SavedContext | null;
  /** Those of manual runs, most recent first, without duplicates. */
  used: SavedContext[];
}

export const CONTEXT_LIMITS = {
  /** The number of stored contexts per script. */
  used: 8,
  /** Characters of a tag's path or the name of a Diagram or location, as typed. */
  name: 1_000,
  /** Characters of a value. */
  value: 1_000_000,
} as const;

export const EMPTY_CONTEXT: SavedContext = { tagName: '', diagram: '', location: '', valueMode: 'none', valueText: '' };

export const NO_CONTEXTS: ScriptContexts = { current: null, used: [] };

/** Whether two contexts are equal for a run. */
export function sameContext(a: SavedContext, b: SavedContext): boolean {
  const valueOf = ({ valueMode, valueText }: SavedContext) => (valueMode === 'none' ? '' : `${valueMode} ${valueText}`);
  return a.tagName === b.tagName && a.diagram === b.diagram && a.location === b.location && valueOf(a) === valueOf(b);
}

/** The contexts with a just used one in front; an empty one is not stored. */
export function withUsed(used: readonly SavedContext[], context: SavedContext): SavedContext[] {
  if (sameContext(context, EMPTY_CONTEXT)) return [...used];
  return [context, ...used.filter((other) => !sameContext(other, context))].slice(0, CONTEXT_LIMITS.used);
}
