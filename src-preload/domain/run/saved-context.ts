export const VALUE_MODES = ['none', 'json', 'text', 'number'] as const;
export type ValueMode = (typeof VALUE_MODES)[number];

/** The context of a run as it is typed: texts, which may be unfinished. */
export interface SavedContext {
  tagName: string;
  diagram: string;
  location: string;
  valueMode: ValueMode;
  valueText: string;
}

/** What a script is run with in the preview. */
export interface ScriptContexts {
  /** The one that was typed last; null where none was. */
  current: SavedContext | null;
  /** Those that it was run with by hand, the last one first, each once. */
  used: SavedContext[];
}

export const CONTEXT_LIMITS = {
  /** How many contexts are remembered of each script. */
  used: 8,
  /** Characters of a tag's path or the name of a Diagram or location, as they are typed. */
  name: 1_000,
  /** Characters of a value. */
  value: 1_000_000,
} as const;

export const EMPTY_CONTEXT: SavedContext = { tagName: '', diagram: '', location: '', valueMode: 'none', valueText: '' };

export const NO_CONTEXTS: ScriptContexts = { current: null, used: [] };

/** Whether two contexts give a run the same. */
export function sameContext(a: SavedContext, b: SavedContext): boolean {
  const valueOf = ({ valueMode, valueText }: SavedContext) => (valueMode === 'none' ? '' : `${valueMode} ${valueText}`);
  return a.tagName === b.tagName && a.diagram === b.diagram && a.location === b.location && valueOf(a) === valueOf(b);
}

/** The contexts with one that was just used in front; an empty one is not remembered. */
export function withUsed(used: readonly SavedContext[], context: SavedContext): SavedContext[] {
  if (sameContext(context, EMPTY_CONTEXT)) return [...used];
  return [context, ...used.filter((other) => !sameContext(other, context))].slice(0, CONTEXT_LIMITS.used);
}
