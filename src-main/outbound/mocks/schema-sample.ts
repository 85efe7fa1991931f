import { isJsonObject, type Json, type JsonObject } from '#domain/json';

const MAX_DEPTH = 12;
const MAX_MEMBERS = 200;

/** Follows `#/a/b` within a document; undefined for what leads nowhere, or outside. */
export function follow(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: Json | undefined = document;
  for (const step of reference.slice(2).split('/')) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = value[Number(name)];
    else if (isJsonObject(value) && Object.hasOwn(value, name)) value = value[name];
    else return undefined;
  }
  return value;
}

/** The object, or what its `$ref` leads to, over at most a few steps. */
export function resolved(document: JsonObject, value: Json | undefined): JsonObject | null {
  let current = value;
  for (let step = 0; step < 8 && isJsonObject(current); step += 1) {
    const { $ref } = current;
    if (typeof $ref !== 'string') return current;
    current = follow(document, $ref);
  }
  return null;
}

/** A value that a schema of OpenAPI or JSON Schema may have: its example where it has one. */
export function sampleOf(document: JsonObject, schema: Json | undefined, depth = 0): Json {
  const found = resolved(document, schema);
  if (found === null || depth > MAX_DEPTH) return null;
  const { example, examples, default: usual, const: only, enum: choices, allOf, oneOf, anyOf } = found;
  if (example !== undefined) return example;
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0];
  if (only !== undefined) return only;
  if (usual !== undefined) return usual;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  if (Array.isArray(allOf)) {
    const parts = [...allOf, { ...found, allOf: null }].map((part) => sampleOf(document, part, depth + 1));
    const objects = parts.filter(isJsonObject);
    return objects.length > 0 ? Object.assign({}, ...objects) : (parts.find((part) => part !== null) ?? null);
  }
  const choice = Array.isArray(oneOf) ? oneOf[0] : Array.isArray(anyOf) ? anyOf[0] : undefined;
  return choice === undefined ? sampleOfType(document, found, depth) : sampleOf(document, choice, depth + 1);
}

function sampleOfType(document: JsonObject, schema: JsonObject, depth: number): Json {
  const { properties, items } = schema;
  const type = Array.isArray(schema['type']) ? schema['type'].find((one) => one !== 'null') : schema['type'];
  if (type === 'object' || isJsonObject(properties)) {
    const members = Object.entries(isJsonObject(properties) ? properties : {}).slice(0, MAX_MEMBERS);
    return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(document, member, depth + 1)]));
  }
  switch (type) {
    case 'array':
      return items === undefined ? [] : [sampleOf(document, items, depth + 1)];
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return true;
    case 'string':
      return textOf(schema['format']);
    default:
      return null;
  }
}

function textOf(format: Json | undefined): string {
  switch (format) {
    case 'date-time':
      return '2026-01-01T00:00:00Z';
    case 'date':
      return '2026-01-01';
    case 'uuid':
      return '00000000-0000-4000-8000-000000000000';
    case 'email':
      return 'somebody@example.com';
    case 'uri':
      return 'https://example.com/';
    case 'byte':
      return 'AAAA';
    default:
      return 'text';
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
