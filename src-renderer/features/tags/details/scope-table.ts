import type { ScopedValue } from '#domain/tag/scope';
import type { Json } from '#domain/text/json';

/** Values by scope as a grid: a row for each Diagram, a column for each location, the defaults first. */
export interface ScopeTable {
  diagrams: readonly string[];
  locations: readonly string[];
  /** The value of exactly this scope; undefined if none is stored. */
  at: (diagram: string, location: string) => Json | undefined;
}

/** The grid of the stored values, including the current scope. */
export function scopeTable(values: readonly ScopedValue[], looked: { diagram: string; location: string }): ScopeTable {
  const byScope = new Map(values.map((one) => [slot(one.diagram, one.location), one.value]));
  return {
    diagrams: named([looked.diagram, ...values.map(({ diagram }) => diagram)]),
    locations: named([looked.location, ...values.map(({ location }) => location)]),
    at: (diagram, location) => byScope.get(slot(diagram, location)),
  };
}

const slot = (diagram: string, location: string) => JSON.stringify([diagram, location]);

function named(names: readonly string[]): string[] {
  return [...new Set(['', ...names])].toSorted(compare);
}

const { compare } = new Intl.Collator(undefined, { numeric: true });
