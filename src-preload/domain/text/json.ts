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

/** About how many bytes of memory a value takes, rather too many than too few. */
export function bytesOfJson(value: Json): number {
  if (typeof value === 'string') return 32 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  let bytes = 64;
  const members = Object.values(value);
  for (const member of members) bytes += 16 + bytesOfJson(member);
  return bytes;
}

/** Whether arrays and objects are nested at most `levels` deep in the value; a primitive has no level. */
export function isNestedAtMost(value: Json, levels: number): boolean {
  return faultOfJson(value, levels) !== 'depth';
}

/**
 * Why a value is none that everybody can be given: it is nested more than `levels` deep, or an object in it has a member
 * `__proto__`, which JSON can say, and JavaScript takes for something else. Null where it is right.
 */
export function faultOfJson(value: Json, levels: number): 'depth' | 'prototype' | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return 'depth';
  let found: 'prototype' | null = null;
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = faultOfJson(item, levels - 1);
      if (fault === 'depth') return fault;
      found ??= fault;
    }
    return found;
  }
  for (const member of Object.keys(value)) {
    if (member === '__proto__') found = 'prototype';
    // Depth comes first, wherever it is.
    const fault = faultOfJson(value[member] ?? null, levels - 1);
    if (fault === 'depth') return fault;
    found ??= fault;
  }
  return found;
}
