import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { abbreviate } from '#domain/text/abbreviate';
import { tagKind, tagType } from '#contract/schemas';
import type { Json, JsonObject } from '#domain/text/json';
import { isJsonObject, isNestedAtMost, parseJson } from '#domain/text/json';
import type { TagDefinition } from '#domain/tag/tag';
import { TAG_KINDS } from '#domain/tag/tag';
import { messageOf, TagwrightError } from '../../../platform/errors.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import { PLAIN, placeText } from '../../../platform/plain-words.ts';
import { Turns } from '../../../platform/turns.ts';
import { csvRecordsInTurns } from './csv-records.ts';
import { MAX_SETTINGS_LEVELS } from './definition.ts';

export type ExchangeFormat = 'csv' | 'json';

/** A definition of an imported text, not yet checked, or why it is not a definition. `row` as people see it. */
export type ImportedRow = { row: number; path: string } & (
  | { ok: true; definition: TagDefinition }
  | { ok: false; reason: string }
);

/** `format` is only written if a tag has one. */
const COLUMNS = ['path', 'kind', 'type', 'unit', 'format', 'description', 'settings'] as const;
const REQUIRED = ['path', 'kind', 'type'] as const;

const shape = z.strictObject({
  path: z.string(),
  // People write ERP and DB, as the window shows them.
  kind: z.preprocess((given) => {
    const text = typeof given === 'string' ? given.toLowerCase() : '';
    return TAG_KINDS.find((kind) => kind === text) ?? given;
  }, tagKind),
  type: tagType,
  unit: z.string().default(''),
  format: z.string().exactOptional(),
  description: z.string().default(''),
  // Its members come from JSON.
  settings: z.record(z.string(), z.custom<Json>()).default({}),
});

/** Definitions as text: CSV by RFC 4180 with the settings as JSON, or a JSON array with a definition per line. */
export function exportText(format: ExchangeFormat, definitions: readonly TagDefinition[]): string {
  if (format === 'json') {
    if (definitions.length === 0) return '[]\n';
    const lines = definitions.map((definition) => `  ${JSON.stringify(ordered(definition, definition.settings))}`);
    return `[\n${lines.join(',\n')}\n]\n`;
  }
  const hasFormats = definitions.some((definition) => definition.format !== undefined);
  const columns = COLUMNS.filter((column) => column !== 'format' || hasFormats);
  return stringify(
    definitions.map((definition) => ordered(definition, JSON.stringify(definition.settings))),
    { header: true, columns, record_delimiter: '\r\n', quoted_match: /[\r\n]|^\s|\s$/ },
  );
}

/** The members in the order of the columns. */
function ordered<T>({ path, kind, type, unit, format, description }: TagDefinition, settings: T) {
  return { path, kind, type, unit, ...(format === undefined ? {} : { format }), description, settings };
}

/**
 * The rows of an exported or hand-made text, each a definition or the reason why it is not one. CSV rows are counted as
 * in a spreadsheet (the header is row 1), JSON rows by their index in the array, from 1. Throws BAD_REQUEST for a text
 * that is not in the format at all.
 */
export function importedRows(format: ExchangeFormat, text: string): Promise<ImportedRow[]> {
  return format === 'csv' ? rowsOfCsv(text) : rowsOfJson(text);
}

async function rowsOfCsv(text: string): Promise<ImportedRow[]> {
  const [header, ...records] = await attempt('CSV', () => csvRecordsInTurns(text));
  const names = withoutEmptyEnd(header?.fields.map((name) => name.trim().toLowerCase()) ?? [], 0);
  const missing = REQUIRED.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw unreadable(
      'CSV',
      `the first row must name the columns ${COLUMNS.join(', ')}; missing: ${missing.join(', ')}`,
    );
  }
  const odd = names.filter(
    (name, index) => !COLUMNS.some((column) => column === name) || names.indexOf(name) !== index,
  );
  if (odd.length > 0) {
    throw unreadable(
      'CSV',
      `the first row has an unknown or duplicate column: ${abbreviate(odd.map((name) => name || '""').join(', '), 100)}`,
    );
  }
  return inTurns(records, ({ fields: given, row }) => {
    const fields = withoutEmptyEnd(given, names.length);
    const members = Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
    const path = members['path'] ?? '';
    if (fields.length !== names.length) {
      const reason = `it has ${fields.length} fields, but the first row has ${names.length}; quote fields that contain commas`;
      return { row, path, ok: false, reason };
    }
    try {
      const settings = (members['settings'] ?? '').trim();
      return definitionOf(row, { ...members, settings: settings === '' ? {} : parseJson(settings) });
    } catch (thrown) {
      const why = abbreviate(messageOf(thrown), 200);
      return { row, path, ok: false, reason: `settings: not JSON: ${why}. Write an object such as {"initial":1}` };
    }
  });
}

/** Without the empty columns that a spreadsheet adds at the end. */
function withoutEmptyEnd(fields: string[], atLeast: number): string[] {
  let end = fields.length;
  while (end > atLeast && fields[end - 1]?.trim() === '') end--;
  return fields.slice(0, end);
}

async function rowsOfJson(text: string): Promise<ImportedRow[]> {
  const parsed = await attempt('JSON', () => parseJson(text.replace(/^\ufeff/, '')));
  if (!Array.isArray(parsed)) throw unreadable('JSON', 'it must be an array of tags');
  return inTurns(parsed, (item, index) =>
    isJsonObject(item)
      ? definitionOf(index + 1, item)
      : { row: index + 1, path: '', ok: false, reason: 'a tag is an object with path, kind and type' },
  );
}

function definitionOf(row: number, members: JsonObject): ImportedRow {
  const path = typeof members['path'] === 'string' ? members['path'] : '';
  if (!isNestedAtMost(members, MAX_SETTINGS_LEVELS + 1)) {
    return { row, path, ok: false, reason: `settings: nested more than ${MAX_SETTINGS_LEVELS} levels deep` };
  }
  const parsed = shape.safeParse(members, PLAIN);
  if (parsed.success) return { row, path, ok: true, definition: parsed.data };
  const reason = parsed.error.issues.map((issue) => `${placeText(issue.path) || 'tag'}: ${issue.message}`).join('; ');
  return { row, path, ok: false, reason };
}

/** Creates the rows of a large text a few ms at a time. */
async function inTurns<T>(items: readonly T[], rowOf: (item: T, index: number) => ImportedRow): Promise<ImportedRow[]> {
  const rows: ImportedRow[] = [];
  const turns = new Turns();
  for (const [index, item] of items.entries()) {
    rows.push(rowOf(item, index));
    const pause = turns.due();
    if (pause) await pause;
  }
  return rows;
}

async function attempt<T>(format: string, read: () => MaybePromise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    throw unreadable(format, messageOf(thrown));
  }
}

function unreadable(format: string, what: string): TagwrightError {
  const message = `Nothing was imported: the text is not valid ${format}: ${abbreviate(what, 400)}`;
  return new TagwrightError('BAD_REQUEST', message, {
    data: { issues: [{ path: ['text'], message: abbreviate(what, 400) }] },
  });
}
