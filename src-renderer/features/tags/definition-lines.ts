import type { Json, JsonObject } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import { durationText } from './edit/duration.ts';

export interface DefinitionLine {
  name: string;
  text: string;
}

const LONGEST = 400;

/**
 * The settings of a tag as names and texts: `periodMs: 60000` becomes “Period: 60 s”, and members of a signal are
 * separate.
 */
export function definitionLines(settings: JsonObject, prefix = ''): DefinitionLine[] {
  return Object.entries(settings).flatMap(([key, value]): DefinitionLine[] => {
    const name = nameOf(prefix, key);
    if (key === 'signal' && isJsonObject(value)) return definitionLines(value, name);
    return [{ name, text: textOf(key, value) }];
  });
}

function nameOf(prefix: string, key: string): string {
  const words = key
    .replace(/Ms$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const name = prefix === '' ? words : `${prefix.toLowerCase()} ${words}`;
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function textOf(key: string, value: Json): string {
  if (key.endsWith('Ms') && typeof value === 'number') return durationText(value);
  if (key === 'rows' && Array.isArray(value)) return `${value.length} recorded rows`;
  if (value === null) return 'none';
  if (value === '') return '""';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
