import type { Json, JsonObject } from '#domain/json';

/**
 * How many parts of a schema are applied to one record at most, its references followed; a reference into a part that
 * leads there counts once, since the depth of the record bounds it. Parts that refer to one another twice each grow by
 * powers of two: thirty of them keep a process busy for minutes.
 *
 * @param enough counting ends here
 */
export function schemaCost(schema: JsonObject, enough: number): number {
  const known = new Map<string, number>();

  function costOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return 0;
    let sum = 1;
    for (const [member, inner] of Object.entries(value)) {
      sum += member === '$ref' && typeof inner === 'string' ? costOfTarget(inner) : costOf(inner);
      if (sum >= enough) return enough;
    }
    return sum;
  }

  function costOfTarget(reference: string): number {
    const present = known.get(reference);
    if (present !== undefined) return present;
    const target = reference.startsWith('#/') ? memberAt(schema, reference) : null;
    if (target === null) return 1;
    known.set(reference, 1);
    const cost = costOf(target);
    known.set(reference, cost);
    return cost;
  }

  return costOf(schema);
}

/** What a JSON pointer in a fragment leads to, or null. */
function memberAt(schema: JsonObject, pointer: string): Json {
  let at: Json = schema;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return null;
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: Json | undefined = Array.isArray(at) ? at[Number(name)] : Object.hasOwn(at, name) ? at[name] : null;
    at = next ?? null;
  }
  return at;
}
