import type { HeaderPair } from '#domain/mock/api-call';
import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';

/** Requests and examples of one file; a folder can contain folders up to this depth. */
export const CLIENT_LIMITS = { requests: 10_000, examples: 100, depth: 50 } as const;

/** The objects of a list; none if it is not a list. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];

export const objectOf = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {};

export const textIn = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Pairs such as `{ key, value, disabled }` and `{ name, value, enabled }`, without disabled ones. */
export function pairsIn(value: Json | undefined): HeaderPair[] {
  return objectsIn(value)
    .filter(({ disabled, enabled }) => disabled !== true && enabled !== false)
    .map(({ key, name, value: text }): HeaderPair => [textIn(key ?? name), textIn(text)])
    .filter(([name]) => name !== '');
}
