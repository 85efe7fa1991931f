import type { Json, JsonObject } from '#domain/text/json';

/** The cost of applying a schema to a record. */
export interface SchemaCost {
  /** Parts that are applied to one place of a record, including references. */
  parts: number;
  /**
   * Whether `parts` is valid for any record. It is not if a part leads to itself, because each level of a record may
   * then double the work, or if a reference is not a plain pointer, which is not followed here.
   */
  certain: boolean;
}

/** Members of parts that make references lead elsewhere than a pointer from the root. */
const OTHER_WAYS = new Set(['$anchor', '$dynamicAnchor', '$dynamicRef', '$id', '$recursiveRef']);

/**
 * Maximum number of parts of a schema that are applied to one place of a record. Parts that each refer to the next
 * twice grow by powers of two: thirty of them block a process for minutes.
 *
 * @param enough counting ends here
 */
export function schemaCost(schema: JsonObject, enough: number): SchemaCost {
  const known = new Map<string, number | 'being counted'>();
  let certain = true;

  function partsOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return 0;
    let sum = 1;
    for (const [member, inner] of Object.entries(value)) {
      if (OTHER_WAYS.has(member) && typeof inner === 'string' && value !== schema) certain = false;
      sum += member === '$ref' && typeof inner === 'string' ? partsOfTarget(inner) : partsOf(inner);
      if (sum >= enough) return enough;
    }
    return sum;
  }

  function partsOfTarget(reference: string): number {
    const present = known.get(reference);
    if (typeof present === 'number') return present;
    const target = reference.startsWith('#/') ? memberAt(schema, reference) : null;
    if (present !== undefined || target === null) {
      certain = false;
      return 1;
    }
    known.set(reference, 'being counted');
    const parts = partsOf(target);
    known.set(reference, parts);
    return parts;
  }

  const parts = partsOf(schema);
  return { parts, certain };
}

/** The target of a JSON pointer in a fragment, or null. */
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
