import type { Json, JsonObject } from '#domain/text/json';
import { isJsonObject, parseJson } from '#domain/text/json';
import { DEFINITION_LIMITS } from '#domain/tag/tag';
import type { TagDefinition, TagKind, TagType } from '#domain/tag/tag';
import { isNumeric, problemOfFormat } from '#domain/tag/number-format';
import { problemOfTagPath } from '#domain/tag/tag-path';
import type { TypedNumber } from '#domain/text/typed-number';
import { typedNumber } from '#domain/text/typed-number';
import type { WriteValue } from '../../../support/typed-value.ts';
import { editedText, typedValue } from '../../../support/typed-value.ts';
import { durationText, parseDuration } from './duration.ts';
import type { SettingField } from './kind-fields.ts';
import { fieldsOf } from './kind-fields.ts';

/** A definition in the form: texts as typed, valid or not. */
export interface TagForm {
  path: string;
  kind: TagKind;
  type: TagType;
  unit: string;
  /** It stays when the type is no longer a number, so that switching back loses nothing. */
  format: string;
  description: string;
  /** By field name; fields of other kinds and signals stay, so that switching back loses nothing. */
  texts: Readonly<Record<string, string>>;
  /** The rows of a saved recording: too many to edit, but another text can replace them. */
  rows: Json;
}

export type FormResult =
  | { ok: true; definition: TagDefinition }
  | { ok: false; problems: Readonly<Record<string, string>> };

export const EMPTY_FORM: TagForm = {
  path: '',
  kind: 'storage',
  type: 'Double',
  unit: '',
  format: '',
  description: '',
  texts: { 'signal.kind': 'sine', 'signal.loop': 'true' },
  rows: null,
};

/** The form of a definition; `definitionOf` returns the same definition again. */
export function formOf(definition: TagDefinition): TagForm {
  const { path, kind, type, unit, format = '', description, settings } = definition;
  const signal = isJsonObject(settings['signal']) ? settings['signal'] : {};
  const signalKind = typeof signal['kind'] === 'string' ? signal['kind'] : 'sine';
  const texts: Record<string, string> = { ...EMPTY_FORM.texts, 'signal.kind': signalKind };
  for (const field of fieldsOf(kind, signalKind)) {
    const value = memberOf(settings, field.name);
    if (value !== undefined) texts[field.name] = textOf(value, field, type);
  }
  return { path, kind, type, unit, format, description, texts, rows: signal['rows'] ?? null };
}

/** A form for a copy of that tag with another path. */
export function duplicateOf(definition: TagDefinition): TagForm {
  const segments = definition.path.split('.');
  const name = segments.length - 2;
  const path = segments.map((segment, index) => (index === name ? `${segment} copy` : segment)).join('.');
  return { ...formOf(definition), path };
}

/** The definition of a form, or its problems by field, as far as they can be checked without saving. */
export function definitionOf(form: TagForm): FormResult {
  const { kind, type, unit, description, texts, rows } = form;
  const path = form.path.trim();
  const problems: Record<string, string> = {};
  const pathProblem = problemOfTagPath(path);
  if (pathProblem !== null) problems['path'] = pathProblem;
  for (const member of ['unit', 'description'] as const) {
    const most = DEFINITION_LIMITS[member];
    const { length } = form[member];
    if (length > most) problems[member] = `at most ${most.toLocaleString('en')} characters, but it has ${length}`;
  }
  const format = isNumeric(type) ? form.format.trim() : '';
  const formatProblem = format === '' ? null : problemOfFormat(format);
  if (formatProblem !== null) problems['format'] = formatProblem;
  const settings: JsonObject = {};
  for (const field of fieldsOf(kind, texts['signal.kind'] ?? '')) {
    const read = readField(texts[field.name] ?? '', field, type);
    if ('problem' in read) problems[field.name] = read.problem;
    else if (read.value !== undefined) putMember(settings, field.name, read.value);
  }
  const signal = settings['signal'];
  if (isJsonObject(signal) && signal['kind'] === 'csv' && signal['csv'] === undefined) {
    if (rows === null) problems['signal.csv'] = 'a recording needs rows: enter them here, or load them from a file';
    else signal['rows'] = rows;
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    definition: { path, kind, type, unit: unit.trim(), ...(format === '' ? {} : { format }), description, settings },
  };
}

/** The problems that main reported, by field; those of no field are under `''`. Paths are those of the definition. */
export function problemsByField(data: unknown, form: TagForm): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const names = fieldsOf(form.kind, form.texts['signal.kind'] ?? '').map(({ name }) => name);
  for (const { path, message } of issuesOf(data)) {
    const name = path.join('.').replace(/^settings\./, '');
    const whole = ['path', 'kind', 'type', 'unit', 'format', 'description'].find((member) => member === name);
    const field = whole ?? names.find((one) => name === one || name.startsWith(`${one}.`)) ?? rowsField(name) ?? '';
    const text = field === '' && name !== '' ? `${name}: ${message}` : message;
    problems[field] = problems[field] === undefined ? text : `${problems[field]}; ${text}`;
  }
  return problems;
}

const rowsField = (name: string) => (name.startsWith('signal.rows') ? 'signal.csv' : undefined);

/** `{ issues: [{ path, message }] }`, the data of BAD_REQUEST. */
function issuesOf(data: unknown): { path: string[]; message: string }[] {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues)) return [];
  const issues: unknown[] = data.issues;
  return issues.flatMap((issue) => {
    if (typeof issue !== 'object' || issue === null || !('path' in issue) || !('message' in issue)) return [];
    const { path, message } = issue;
    return Array.isArray(path) && typeof message === 'string' ? [{ path: path.map(String), message }] : [];
  });
}

/** The text of an empty string, in a field where empty means none. */
const EMPTY_TEXT = '""';

/** Fields whose text is kept as typed. */
const CODE: ReadonlySet<string> = new Set(['sql', 'expression', 'recording']);

type Read = { value: Json | undefined } | { problem: string };

function readField(text: string, field: SettingField, type: TagType): Read {
  if (field.sort === 'flag') return { value: text === 'true' };
  if (text.trim() === '') {
    return field.optional === true ? { value: undefined } : { problem: `write ${field.label.toLowerCase()}` };
  }
  switch (field.sort) {
    case 'number':
      return readOf(typedNumber(text));
    case 'duration':
      return readOf(parseDuration(text));
    case 'value': {
      if (type === 'String' && text.trim() === EMPTY_TEXT) return { value: '' };
      return readOf(typedValue(text, type));
    }
    case 'json':
      return jsonOf(text);
    default:
      return { value: CODE.has(field.sort) ? text : text.trim() };
  }
}

const readOf = (typed: TypedNumber | WriteValue): Read =>
  typed.ok ? { value: typed.value } : { problem: typed.reason };

function jsonOf(text: string): Read {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { problem: `invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function textOf(value: Json, { sort }: SettingField, type: TagType): string {
  if (sort === 'duration' && typeof value === 'number') return durationText(value);
  if (sort === 'value') return value === '' ? EMPTY_TEXT : editedText(value, type);
  if (sort === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function memberOf(settings: JsonObject, name: string): Json | undefined {
  let value: Json | undefined = settings;
  for (const part of name.split('.')) value = isJsonObject(value) ? value[part] : undefined;
  return value;
}

function putMember(settings: JsonObject, name: string, value: Json): void {
  const [first = '', second] = name.split('.');
  if (second === undefined) settings[first] = value;
  else {
    const inner = settings[first];
    settings[first] = { ...(isJsonObject(inner) ? inner : {}), [second]: value };
  }
}
