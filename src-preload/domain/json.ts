/** A value that survives JSON unchanged: what crosses every boundary of the product. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [member: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
