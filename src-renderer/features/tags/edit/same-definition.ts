import type { TagDefinition } from '#domain/tag/tag';

/** Whether two definitions differ, ignoring the order of their members. */
export function differs(one: TagDefinition, other: TagDefinition): boolean {
  return JSON.stringify(one, sorted) !== JSON.stringify(other, sorted);
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
