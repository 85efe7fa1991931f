import type { z } from 'zod';

/** Most characters of a wrong value that a message repeats. */
const SHOWN = 60;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number such as 12.5',
  int: 'a whole number such as 12',
  boolean: 'true or false',
  array: 'a list in brackets, [ ]',
  tuple: 'a list in brackets, [ ]',
  object: 'an object in braces, { }',
  record: 'an object in braces, { }',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  base64: 'base64',
  datetime: 'a date and time such as 2026-08-01T10:15:00Z',
  date: 'a date such as 2026-08-01',
  url: 'an address such as https://example.com',
};

/**
 * For `safeParse` of what people write: its problems say in plain words what to write instead. Messages that a schema
 * has of its own stay. Text is repeated only where a few words are allowed, since it may be secret.
 */
export const PLAIN: { error: z.core.$ZodErrorMap } = { error: inPlainWords };

function inPlainWords(issue: z.core.$ZodRawIssue): string {
  const wanted = wantedBy(issue);
  if (issue.code === 'unrecognized_keys') return unknownFields(issue.keys, issue.inst);
  if (issue.input === undefined) return `is missing: write ${wanted ?? 'a value'}`;
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return ofUnion(issue.errors);
  if (wanted === undefined) return 'is not valid here';
  if (issue.code === 'invalid_type') return `must be ${wanted}, not ${typeOf(issue.input)}`;
  const given = issue.code === 'invalid_format' ? '' : givenIn(issue);
  return `must ${issue.code === 'too_small' || issue.code === 'too_big' ? '' : 'be '}${wanted}${given}`;
}

/** What to write, after "must be", or for limits after "must". */
function wantedBy(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(issue.options) : undefined;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'have at least one character';
      return limited(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return limited(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_format':
      return FORMATS[issue.format] ?? `of the format ${issue.pattern ?? issue.format}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
}

function limited(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `have ${bound} ${limit} items`;
  return `be ${bound} ${limit}`;
}

function oneOf(values: readonly unknown[]): string {
  const [first, ...others] = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
  return others.length === 0 ? String(first) : `one of ${[first, ...others].join(', ')}`;
}

/** The wrong value, if it is short and no free text. */
function givenIn(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  if (issue.code === 'too_small' || issue.code === 'too_big') return typeof input === 'number' ? `, not ${input}` : '';
  const isUnion = issue.code === 'invalid_union' && typeof issue.discriminator === 'string';
  const value: unknown =
    isUnion && typeof input === 'object' && input !== null ? Reflect.get(input, issue.discriminator) : input;
  if (value === undefined) return ', but is missing';
  if (typeof value === 'string') return value.length > SHOWN ? '' : `, not "${value}"`;
  return typeof value === 'number' ? `, not ${value}` : `, not ${typeOf(value)}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? `the number ${value}` : JSON.stringify(value);
}

function unknownFields(keys: readonly string[], schema: unknown): string {
  const names = keys.slice(0, 3).map((key) => `"${key.slice(0, SHOWN)}"`);
  const what = names.length === 1 ? `${names.join()} is not a field` : `${names.join(', ')} are not fields`;
  const known = fieldsOf(schema);
  return `${what} here: remove ${names.length === 1 ? 'it' : 'them'}${known === '' ? '' : `, or write ${known}`}`;
}

/** The fields of the schema of an object, at most 12. */
function fieldsOf(schema: unknown): string {
  let at = schema;
  for (const step of ['_zod', 'def', 'shape'])
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : null;
  const names = typeof at === 'object' && at !== null ? Object.keys(at) : [];
  return names.length > 12 ? '' : names.join(', ');
}

/** The problems of each alternative, except those of another type, if some alternative has the right one. */
function ofUnion(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const ofType = (issues: readonly z.core.$ZodIssue[]) =>
    issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
  const close = alternatives.filter((issues) => !ofType(issues));
  const texts = (close.length > 0 ? close : alternatives).map((issues) =>
    issues.map(({ path, message }) => (path.length === 0 ? message : `${placeText(path)} ${message}`)).join(', and '),
  );
  return [...new Set(texts)].join('; or ');
}

/** The place of a field, as JavaScript writes it: `outputs[0].tag`. */
export function placeText(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');
}
