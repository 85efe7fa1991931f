import type { Json } from '../text/json.ts';

/**
 * The scope in which a storage or script tag is read or written. `''` is the internal default, shared by all Diagrams
 * or all locations. Other kinds of tags ignore scopes.
 */
export interface Scope {
  readonly diagram: string;
  readonly location: string;
}

export const DEFAULT_SCOPE: Scope = { diagram: '', location: '' };

/** Characters of the name of a Diagram or location. */
export const MAX_SCOPE_LENGTH = 512;

/** Whether a scope is the internal default, for all Diagrams and locations. */
export const isDefaultScope = ({ diagram, location }: Scope): boolean => diagram === '' && location === '';

/** A scope as people see it everywhere: `Overview / W1`, `Overview / default`; `default` for the internal default. */
export const scopeName = (scope: Scope): string =>
  isDefaultScope(scope) ? 'default' : `${scope.diagram || 'default'} / ${scope.location || 'default'}`;

/** The same after the name of a tag: ` [Overview / W1]`, nothing for the internal default. */
export const scopeSuffix = (scope: Scope): string => (isDefaultScope(scope) ? '' : ` [${scopeName(scope)}]`);

/** The problem of a scope, or null if it is valid. */
export function problemOfScope(scope: Scope): string | null {
  if (scope === DEFAULT_SCOPE) return null;
  for (const [name, value] of [
    ['Diagram', scope.diagram],
    ['location', scope.location],
  ] as const) {
    if (value.length > MAX_SCOPE_LENGTH) {
      return `the name of a ${name} has at most ${MAX_SCOPE_LENGTH} characters, but this one has ${value.length}`;
    }
    if (!value.isWellFormed()) return `the name of a ${name} contains an unpaired surrogate; remove it`;
  }
  return null;
}

/** null, undefined and `''` all mean the internal default. */
export function scopeOf(diagram: string | null | undefined, location: string | null | undefined): Scope {
  if (!diagram && !location) return DEFAULT_SCOPE;
  return { diagram: diagram ?? '', location: location ?? '' };
}

/** The scopes in which a read searches for a value, nearest first; the tag's initial value follows the last. */
export function inheritanceOf(scope: Scope): Scope[] {
  const chain: Scope[] = [];
  if (scope.diagram && scope.location) chain.push(scope);
  if (scope.diagram) chain.push({ diagram: scope.diagram, location: '' });
  if (scope.location) chain.push({ diagram: '', location: scope.location });
  chain.push(DEFAULT_SCOPE);
  return chain;
}

/** A value of a storage tag in a scope. */
export interface ScopedValue extends Scope {
  readonly value: Json;
}
