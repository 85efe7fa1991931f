import { isJsonObject, type Json } from '#domain/text/json';
import { fieldsOf } from './match-body.ts';

/** The data of a template. */
export interface TemplateValues {
  method: string;
  url: URL;
  /** The named parts of the path. */
  path: Readonly<Record<string, string>>;
  header(name: string): string | null;
  body: string | null;
  /** How many responses the mock has sent, including this one. */
  hits: number;
  /** ms since 1970. */
  now: number;
  uuid(): string;
  /** Called with the length of each inserted text; throws if a response gets too long. */
  put(length: number): void;
}

const EXPRESSION = /\{\{\s*([a-zA-Z][\w.-]{0,200})\s*\}\}/g;

/**
 * The text with its expressions replaced: `{{request.method}}`, `{{request.url}}`, `{{request.path.NAME}}`,
 * `{{request.query.NAME}}`, `{{request.header.NAME}}`, `{{request.body}}`, `{{request.body.a.0.b}}`, `{{hits}}`,
 * `{{now}}`, `{{now.unix}}`, `{{uuid}}`. Missing values become empty; other expressions stay. `quoted` escapes values
 * for use inside a JSON string.
 */
export function fillTemplate(text: string, values: TemplateValues, quoted: boolean): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(EXPRESSION, (whole, expression: string) => {
    const value = valueOf(expression, values);
    if (value === undefined) return whole;
    values.put(value.length);
    return quoted ? JSON.stringify(value).slice(1, -1) : value;
  });
}

/** Fills the texts of a JSON value; a text that is a single expression for JSON of the body becomes that JSON. */
export function fillJsonTemplate(value: Json, values: TemplateValues): Json {
  if (typeof value === 'string') {
    const whole = /^\{\{\s*request\.body((?:\.[\w-]+)*)\s*\}\}$/.exec(value);
    if (whole !== null) {
      const found = bodyMember(values.body, (whole[1] ?? '').split('.').slice(1));
      if (found !== undefined) {
        values.put(JSON.stringify(found).length);
        return found;
      }
    }
    return fillTemplate(value, values, false);
  }
  if (Array.isArray(value)) return value.map((item) => fillJsonTemplate(item, values));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillJsonTemplate(member, values)]));
}

function valueOf(expression: string, values: TemplateValues): string | undefined {
  switch (expression) {
    case 'request.method':
      return values.method;
    case 'request.url':
      return values.url.href;
    case 'request.body':
      return values.body ?? '';
    case 'hits':
      return String(values.hits);
    case 'now':
      return new Date(values.now).toISOString();
    case 'now.unix':
      return String(Math.floor(values.now / 1_000));
    case 'uuid':
      return values.uuid();
    default:
      return memberOf(expression, values);
  }
}

function memberOf(expression: string, values: TemplateValues): string | undefined {
  const [request, part, ...rest] = expression.split('.');
  const name = rest.join('.');
  if (request !== 'request' || name === '') return undefined;
  switch (part) {
    case 'path':
      return Object.hasOwn(values.path, name) ? values.path[name] : '';
    case 'query':
      return values.url.searchParams.get(name) ?? '';
    case 'header':
      return values.header(name) ?? '';
    case 'body': {
      const found = bodyMember(values.body, rest);
      if (found === undefined || found === null) return '';
      return typeof found === 'object' ? JSON.stringify(found) : String(found);
    }
    default:
      return undefined;
  }
}

function bodyMember(body: string | null, path: readonly string[]): Json | undefined {
  let value: Json | undefined = body === null ? undefined : fieldsOf(body);
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}
