/**
 * The scope under which a storage or script tag is read or written. `''` is the internal default, shared by all
 * Diagrams or all locations. Other kinds of tags ignore scopes.
 */
export interface Scope {
  readonly diagram: string;
  readonly location: string;
}

export const DEFAULT_SCOPE: Scope = { diagram: '', location: '' };

/** null, undefined and `''` all mean the internal default. */
export function scopeOf(diagram: string | null | undefined, location: string | null | undefined): Scope {
  if (!diagram && !location) return DEFAULT_SCOPE;
  return { diagram: diagram ?? '', location: location ?? '' };
}

/** The scopes in which a read looks for a value, nearest first; the tag's initial value comes after the last. */
export function inheritanceOf(scope: Scope): Scope[] {
  const chain: Scope[] = [];
  if (scope.diagram && scope.location) chain.push(scope);
  if (scope.diagram) chain.push({ diagram: scope.diagram, location: '' });
  if (scope.location) chain.push({ diagram: '', location: scope.location });
  chain.push(DEFAULT_SCOPE);
  return chain;
}
