import { isJsonObject, type Json } from '#domain/text/json';
import type { MockBodyMatch } from '#domain/mock/mock';

export function matchesBody(wanted: MockBodyMatch | null, body: string | null): boolean {
  if (wanted === null) return true;
  if ('contains' in wanted) return (body ?? '').includes(wanted.contains);
  const value = fieldsOf(body ?? '');
  return value !== undefined && holds(value, wanted.json);
}

/** The body as JSON, or the fields of a form as an object. */
export function fieldsOf(body: string): Json | undefined {
  try {
    const value: Json = JSON.parse(body);
    return value;
  } catch {
    return /^[^\s=&{[<]{1,200}=/.test(body) ? Object.fromEntries(new URLSearchParams(body)) : undefined;
  }
}

/** Whether the value contains the expected one: every named member, and arrays of equal length. */
function holds(value: Json, wanted: Json): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => holds(value[index] ?? null, item))
    );
  }
  if (!isJsonObject(wanted)) return value === wanted;
  if (!isJsonObject(value)) return false;
  return Object.entries(wanted).every(([name, member]) => {
    const found = value[name];
    return Object.hasOwn(value, name) && found !== undefined && holds(found, member);
  });
}
