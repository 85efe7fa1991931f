import type { Json, JsonObject } from '#domain/text/json';

/** What applying a schema to a record takes. */
export interface SchemaCost {
  /** Parts that are applied to one place of a record, references followed. */
  parts: number;
  /**
   * Whether `parts` holds for any record. It does not where a part leads to itself, since each level of a record may then
   * double the work, and where references lead by other ways than a plain pointer, which are not followed here.
   */
  certain: boolean;
}

/** Members of parts that let references lead by other ways than a pointer from the root. */
const OTHER_WAYS = new Set(['$anchor', '$dynamicAnchor', '$dynamicRef', '$id', '$recursiveRef']);

/**
 * How many parts of a schema are applied to one place of a record at most. Parts that refer to one another twice each
 * grow by powers of two: thirty of them keep a process busy for minutes.
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
