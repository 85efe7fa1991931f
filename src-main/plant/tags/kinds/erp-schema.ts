import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { abbreviate } from '#domain/text/abbreviate';
import { type Json, type JsonObject, isJsonObject, isNestedAtMost } from '#domain/text/json';
import { messageOf } from '../../../platform/errors.ts';
import { TimeLimitError, withinMs } from '../../../platform/time-limit.ts';
import { describeSchemaErrors, stepsOf } from './erp-schema-errors.ts';
import type { SettingIssue } from './kind.ts';
import { schemaCost } from './schema-cost.ts';

/** Limits of a schema: hand-written ones stay far below, and compiling stays fast. */
export const SCHEMA_LIMITS = {
  /** Characters of JSON. */
  length: 256 * 1024,
  levels: 64,
  /** Parts that are applied to one record, including references. */
  cost: 100_000,
  /** Maximum time for compiling it, ms. */
  compileMs: 2_000,
  /** Maximum time for applying it to one record, ms. */
  recordMs: 1_000,
} as const;

/** Maximum work for one record, parts of the schema times characters, without a time limit: a few ms. */
const UNWATCHED = 1_000_000;
/**
 * After exceeding its time, a schema is not applied again for this long, ms: writing must not block everything else.
 */
const LEFT_ALONE_MS = 60_000;

/** Returns why a record is invalid, with the member, or null if it is valid. `length`: characters of its JSON. */
export type RecordCheck = (record: JsonObject, length: number) => string | null;

export type CompiledSchema = { ok: true; check: RecordCheck } | { ok: false; issues: SettingIssue[] };

type SchemaVersion = '2020-12' | 'draft-07';

/**
 * Compiles a JSON Schema, draft 2020-12 unless `$schema` says draft-07. References can only lead to places of the
 * schema itself: nothing is ever fetched. Patterns are regular expressions in RE2's syntax, which are matched in linear
 * time: a record cannot block the process with one. The issues name the place in the schema.
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const problem = problemOfShape(schema);
  if (problem) return problem;
  const draft = draftOf(schema['$schema']);
  if (!draft) return wrong('write "https://json-schema.org/draft/2020-12/schema" or draft-07', ['$schema']);
  const { $schema: _draft, ...body } = schema;
  try {
    const { parts, certain } = schemaCost(body, SCHEMA_LIMITS.cost);
    if (parts >= SCHEMA_LIMITS.cost) {
      return wrong(`its parts refer to each other so often that more than ${SCHEMA_LIMITS.cost} would be applied`, []);
    }
    const validate = validatorOf(body, draft);
    if (typeof validate !== 'function') return validate;
    return { ok: true, check: recordCheck(validate, certain ? parts : Number.POSITIVE_INFINITY) };
  } catch (thrown) {
    return explained(thrown, body);
  }
}

/** A compiler, and the names that it had before a schema was added. */
interface Compiler {
  ajv: Ajv;
  names: ReadonlySet<string>;
}

/** Throws compilation errors, and TimeLimitError. */
function validatorOf(body: JsonObject, draft: SchemaVersion): ValidateFunction | CompiledSchema {
  let used = null as Compiler | null;
  try {
    return withinMs(SCHEMA_LIMITS.compileMs, () => {
      // This is a retry: the compiler was interrupted.
      if (used) made.delete(draft);
      const ajv = ajvOf(draft);
      used = { ajv, names: new Set(Object.keys(ajv.refs)) };
      if (ajv.validateSchema(body)) return ajv.compile(body);
      const [first] = ajv.errors ?? [];
      return wrong(describeSchemaErrors(ajv.errors, 'the schema'), first ? stepsOf(first.instancePath) : []);
    });
  } catch (thrown) {
    if (thrown instanceof TimeLimitError) made.delete(draft);
    throw thrown;
  } finally {
    if (used) forget(used, body);
  }
}

/** Schemas of different tags may have the same $id, for the whole and for parts. */
function forget({ ajv, names }: Compiler, schema: JsonObject): void {
  ajv.removeSchema(schema);
  for (const name of Object.keys(ajv.refs)) if (!names.has(name)) delete ajv.refs[name];
}

/** @param parts number applied to each place of a record; Infinity if unknown */
function recordCheck(validate: ValidateFunction, parts: number): RecordCheck {
  let aloneUntil = 0;
  const problemOf = (record: JsonObject) =>
    validate(record) ? null : describeSchemaErrors(validate.errors, 'the record');
  return (record, length) => {
    if (performance.now() < aloneUntil) {
      return 'its schema took too long for an earlier record; it is retried after a minute, or when the tag is saved';
    }
    try {
      if (parts * length <= UNWATCHED) return problemOf(record);
      return withinMs(SCHEMA_LIMITS.recordMs, () => problemOf(record));
    } catch (thrown) {
      if (thrown instanceof TimeLimitError) aloneUntil = performance.now() + LEFT_ALONE_MS;
      // A schema that refers to itself endlessly, or very often.
      return `the schema cannot be applied to it (${abbreviate(messageOf(thrown), 200)})`;
    }
  };
}

function problemOfShape(schema: JsonObject): CompiledSchema | null {
  if (!isNestedAtMost(schema, SCHEMA_LIMITS.levels)) {
    return wrong(`a schema can be nested at most ${SCHEMA_LIMITS.levels} levels deep`, []);
  }
  const { length } = JSON.stringify(schema);
  if (length > SCHEMA_LIMITS.length) {
    return wrong(`a schema has at most ${SCHEMA_LIMITS.length} characters of JSON, but this one has ${length}`, []);
  }
  const async = placeOf(schema, (member) => member === '$async');
  return async ? wrong('asynchronous schemas are not supported', async) : null;
}

function draftOf(name: Json | undefined): SchemaVersion | null {
  if (name === undefined) return '2020-12';
  if (typeof name !== 'string') return null;
  const [, draft] = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07)\/schema#?$/.exec(name) ?? [];
  if (draft === undefined) return null;
  return draft === 'draft-07' ? draft : '2020-12';
}

const made = new Map<SchemaVersion, Ajv>();

/** Created when first needed: compiling the meta-schemas takes 0.1 s. */
function ajvOf(draft: SchemaVersion): Ajv {
  const present = made.get(draft);
  if (present) return present;
  const options: Options = {
    strict: false,
    logger: false,
    // A schema with many nested references would be unfolded into endless code.
    inlineRefs: false,
    code: { regExp: linearPattern },
  };
  const ajv = draft === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  ajvFormats.default(ajv);
  // The library's version compares every item with every other one.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: Json[]) => !wanted || !hasEqualItems(items),
    error: { message: 'must not have two equal items' },
  });
  made.set(draft, ajv);
  return ajv;
}

class WrongPattern extends Error {
  readonly pattern: string;

  constructor(pattern: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.pattern = pattern;
  }
}

/** A regular expression whose time is proportional to the length of the text, for any text. */
function linearPattern(pattern: string): { test: (text: string) => boolean; toString: () => string } {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    // The library distinguishes patterns by their text.
    return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
  } catch (thrown) {
    throw new WrongPattern(pattern, thrown);
  }
}
linearPattern.code = 'linearPattern';

/** A compilation error, with its place in the schema. */
function explained(thrown: unknown, schema: JsonObject): CompiledSchema {
  if (thrown instanceof WrongPattern) {
    const { pattern } = thrown;
    const place = placeOf(
      schema,
      (member, value) =>
        (member === 'pattern' && value === pattern) ||
        (isJsonObject(value) && pattern in value && member === 'patternProperties'),
    );
    return wrong(
      `the pattern ${JSON.stringify(abbreviate(pattern, 80))} cannot be used: ${abbreviate(thrown.message, 120)}. ` +
        'Patterns cannot have lookahead, lookbehind or back references, and can repeat at most 1,000 times',
      place ?? [],
    );
  }
  const missing = thrown instanceof Error && 'missingRef' in thrown ? String(thrown.missingRef) : null;
  if (missing !== null) {
    const place = placeOf(schema, (member, value) => member.endsWith('$ref') && value === missing);
    return wrong(`"${abbreviate(missing, 120)}" is not in this schema; nothing is fetched from elsewhere`, place ?? []);
  }
  return wrong(abbreviate(messageOf(thrown), 300), []);
}

function wrong(message: string, place: readonly (string | number)[]): { ok: false; issues: SettingIssue[] } {
  return { ok: false, issues: [{ path: ['settings', 'schema', ...place], message }] };
}

/** The first place of a schema, in order, whose member has the wanted value. */
function placeOf(value: Json, isIt: (member: string, value: Json) => boolean): (string | number)[] | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    if (isIt(key, inner)) return [step];
    const place = placeOf(inner, isIt);
    if (place) return [step, ...place];
  }
  return null;
}

/** Whether two items are equal by the rules of JSON Schema: the order of members does not count. */
function hasEqualItems(items: readonly Json[]): boolean {
  const seen = new Set<Json>();
  for (const item of items) {
    const key = typeof item === 'object' && item !== null ? `\u0000${canonical(item)}` : item;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

/** JSON text with the members ordered by name. */
function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`;
}
