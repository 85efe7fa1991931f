/** A value that survives JSON unchanged: what crosses every boundary of the product. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [member: string]: Json;
}

/** The value of a JSON text. Throws a SyntaxError for any other text. */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** About how many characters of JSON a value has; counting ends beyond `enough`. */
export function lengthOfJson(value: Json, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 4;
  const members = Object.values(value);
  // Quotes, names and commas.
  let length = 8 * members.length;
  for (const member of members) {
    if (length > enough) break;
    length += lengthOfJson(member, enough - length);
  }
  return length;
}

/** Whether arrays and objects are nested at most `levels` deep in the value; a primitive has no level. */
export function isNestedAtMost(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isNestedAtMost(item, levels - 1));
  for (const member of Object.keys(value)) {
    if (!isNestedAtMost(value[member] ?? null, levels - 1)) return false;
  }
  return true;
}

/** Whether an object in the value has a member `__proto__`, which JSON can say, and JavaScript takes for something else. */
export function hasPrototypeMember(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasPrototypeMember);
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeMember);
}
