/** A value that survives JSON unchanged, as at every boundary of the product. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [member: string]: Json;
}

/** Parses a JSON text. Throws a SyntaxError for any other text. */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The approximate number of JSON characters of a value; counting stops beyond `enough`. */
export function lengthOfJson(value: Json, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 4;
  // Quotes, names and commas.
  let length = 0;
  if (Array.isArray(value)) {
    length = 8 * value.length;
    for (const item of value) {
      if (length > enough) break;
      length += lengthOfJson(item, enough - length);
    }
    return length;
  }
  // A list of the members would take twice as long as to count them.
  for (const name in value) {
    if (length > enough) break;
    length += 8 + lengthOfJson(value[name] ?? null, enough - length);
  }
  return length;
}

/** The approximate memory of a value in bytes, rounded up. */
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
 * Why a value is not portable: it is nested more than `levels` deep, or an object in it has a member `__proto__`, which
 * is valid JSON, but special in JavaScript. Null if it is valid.
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
    // Depth is checked first, wherever it occurs.
    const fault = faultOfJson(value[member] ?? null, levels - 1);
    if (fault === 'depth') return fault;
    found ??= fault;
  }
  return found;
}
