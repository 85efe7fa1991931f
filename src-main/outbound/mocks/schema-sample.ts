import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import { percentDecoded } from '../http/percent.ts';

const MAX_DEPTH = 12;
const MAX_MEMBERS = 200;
/**
 * Maximum number of values of one sample; the rest is null. References can make a small document unfold without bound.
 */
const MAX_VALUES = 5_000;
/** Maximum for all samples of a document. */
const MAX_VALUES_OF_DOCUMENT = 500_000;

/** Follows `#/a/b` within a document; undefined for a pointer to nothing, or outside. */
export function follow(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: Json | undefined = document;
  for (const step of reference.slice(2).split('/')) {
    const name = percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = value[Number(name)];
    else if (isJsonObject(value) && Object.hasOwn(value, name)) value = value[name];
    else return undefined;
  }
  return value;
}

/** The object, or the target of its `$ref`, over at most a few steps. */
export function resolved(document: JsonObject, value: Json | undefined): JsonObject | null {
  let current = value;
  for (let step = 0; step < 8 && isJsonObject(current); step += 1) {
    const { $ref } = current;
    if (typeof $ref !== 'string') return current;
    current = follow(document, $ref);
  }
  return null;
}

/**
 * Creates samples of the schemas of a document: a value that a schema of OpenAPI or JSON Schema allows, its example if
 * it has one. Throws if the schemas unfold to an unreasonable number of values.
 */
export function sampler(document: JsonObject): (schema: Json | undefined) => Json {
  let leftOfDocument = MAX_VALUES_OF_DOCUMENT;
  return (schema) => {
    const budget = { left: MAX_VALUES };
    const sample = sampleOf(document, schema, 0, budget);
    leftOfDocument -= MAX_VALUES - budget.left;
    if (leftOfDocument < 0) {
      throw new Error(
        `its schemas unfold to more than ${MAX_VALUES_OF_DOCUMENT} values; give its responses examples, or import a part of it`,
      );
    }
    return sample;
  };
}

interface Budget {
  left: number;
}

function sampleOf(document: JsonObject, schema: Json | undefined, depth: number, budget: Budget): Json {
  if (depth > MAX_DEPTH || budget.left <= 0) return null;
  budget.left -= 1;
  const found = resolved(document, schema);
  if (found === null) return null;
  const { example, examples, default: usual, const: only, enum: choices, allOf, oneOf, anyOf } = found;
  if (example !== undefined) return example;
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0];
  if (only !== undefined) return only;
  if (usual !== undefined) return usual;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  if (Array.isArray(allOf)) {
    const parts = [...allOf, { ...found, allOf: null }].map((part) => sampleOf(document, part, depth + 1, budget));
    const objects = parts.filter(isJsonObject);
    return objects.length > 0 ? Object.assign({}, ...objects) : (parts.find((part) => part !== null) ?? null);
  }
  const choice = Array.isArray(oneOf) ? oneOf[0] : Array.isArray(anyOf) ? anyOf[0] : undefined;
  return choice === undefined
    ? sampleOfType(document, found, depth, budget)
    : sampleOf(document, choice, depth + 1, budget);
}

function sampleOfType(document: JsonObject, schema: JsonObject, depth: number, budget: Budget): Json {
  const { properties, items } = schema;
  const type = Array.isArray(schema['type']) ? schema['type'].find((one) => one !== 'null') : schema['type'];
  if (type === 'object' || isJsonObject(properties)) {
    const members = Object.entries(isJsonObject(properties) ? properties : {}).slice(0, MAX_MEMBERS);
    return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(document, member, depth + 1, budget)]));
  }
  switch (type) {
    case 'array':
      return items === undefined ? [] : [sampleOf(document, items, depth + 1, budget)];
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
