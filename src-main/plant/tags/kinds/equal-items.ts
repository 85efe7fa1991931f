import type { Json } from '#domain/text/json';

/** Whether two items are equal as JSON Schema has it: the order of members does not count. */
export function hasEqualItems(items: readonly Json[]): boolean {
  const seen = new Set<Json>();
  for (const item of items) {
    const key = typeof item === 'object' && item !== null ? `\u0000${canonical(item)}` : item;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

/** JSON text with the members in order of name. */
function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`;
}
