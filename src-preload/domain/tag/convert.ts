import { abbreviate } from '../text/abbreviate.ts';
import { isBase64 } from '../text/base64.ts';
import { parseDateTime } from '../text/date-time.ts';
import { exactDouble } from '../text/decimal.ts';
import type { Json } from '../text/json.ts';
import { faultOfJson } from '../text/json.ts';
import type { TagType, TagWrite } from './tag.ts';

export type Conversion = { ok: true; value: Json } | { ok: false; reason: string };

/** Maximum nesting of arrays and objects in a value; SQLite itself fails at 1,000. */
export const MAX_JSON_LEVELS = 500;
/** Characters of a value in a message. */
const SHOWN = 60;

/**
 * Converts a value to the type of a tag, only if nothing is lost: `"12.5"` to Double, `1` or `"true"` to Boolean, ISO
 * text to DateTime, any primitive to String; null is "no value" in every type. The reason of a rejection has the type,
 * the value, and a hint. Converting twice has no further effect.
 */
export function convert(value: Json, type: TagType): Conversion {
  return value === null ? { ok: true, value } : CONVERSIONS[type](value);
}

/** The value of an item for a tag of this type, before it is converted: some types store what JSON cannot represent. */
export function valueOfItem({ value, unfit }: TagWrite, type: TagType): Conversion {
  if (unfit === undefined) return { ok: true, value };
  if ('lost' in unfit) return { ok: false, reason: `${unfit.lost}, which a tag of type ${type} cannot store` };
  if ('problem' in unfit) return { ok: false, reason: unfit.problem };
  if (type === 'String') return { ok: true, value: unfit.digits };
  const what = `the value is a BigInt (${abbreviate(unfit.digits, SHOWN)}n) beyond ±2^53`;
  return { ok: false, reason: `${what}, which a tag of type ${type} cannot store; use a tag of type String` };
}

const CONVERSIONS: Record<TagType, (value: Json) => Conversion> = {
  Boolean: toBoolean,
  Int: toInt,
  Double: toDouble,
  String: toText,
  DateTime: toDateTime,
  Json: toJson,
  Bytes: toBytes,
};

function refuse(value: Json, type: TagType, advice: string): Conversion {
  return { ok: false, reason: `${describeValue(value)} cannot be converted to ${type}: ${advice}` };
}

/** The value in a message: its kind and an abbreviated form. */
export function describeValue(value: Json): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return `the text ${JSON.stringify(abbreviate(value, SHOWN))}`;
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.keys(value).slice(0, 5).join(', ');
  return members === '' ? 'an empty object' : `the object {${abbreviate(members, SHOWN)}}`;
}

function toBoolean(value: Json): Conversion {
  if (typeof value === 'boolean') return { ok: true, value };
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 1 || word === '1' || word === 'true') return { ok: true, value: true };
  if (word === 0 || word === '0' || word === 'false') return { ok: true, value: false };
  return refuse(value, 'Boolean', 'use true, false, 1 or 0');
}

function toInt(value: Json): Conversion {
  const number = numberOf(value);
  if (number === null || !Number.isInteger(number)) return refuse(value, 'Int', 'use a whole number');
  if (!Number.isSafeInteger(number)) {
    return refuse(value, 'Int', `an Int ranges from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`);
  }
  return { ok: true, value: number };
}

function toDouble(value: Json): Conversion {
  const number = numberOf(value);
  return number === null
    ? refuse(value, 'Double', 'use a decimal number that 64 bits can represent exactly, such as 12.5')
    : { ok: true, value: number };
}

/** The finite number of a number, a decimal text or a Boolean, or null; negative zero becomes zero. */
function numberOf(value: Json): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' ? exactDouble(value.trim()) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : null;
}

function toText(value: Json): Conversion {
  if (typeof value === 'string') return { ok: true, value };
  if (typeof value === 'boolean') return { ok: true, value: String(value) };
  if (typeof value === 'number' && Number.isFinite(value)) return { ok: true, value: String(value) };
  return refuse(value, 'String', 'use a text, or call JSON.stringify(value) first');
}

function toDateTime(value: Json): Conversion {
  if (typeof value !== 'string') return refuse(value, 'DateTime', 'use ISO text such as 2026-01-31T06:00:00Z');
  const result = parseDateTime(value.trim());
  return result.ok ? { ok: true, value: result.text } : refuse(value, 'DateTime', result.reason);
}

function toJson(value: Json): Conversion {
  const fault = faultOfJson(value, MAX_JSON_LEVELS);
  if (fault === 'depth')
    return refuse(value, 'Json', `it is nested more than ${MAX_JSON_LEVELS} levels deep; flatten it`);
  return fault === 'prototype'
    ? refuse(value, 'Json', 'the property name "__proto__" is not allowed; rename it')
    : { ok: true, value };
}

function toBytes(value: Json): Conversion {
  return typeof value === 'string' && isBase64(value)
    ? { ok: true, value }
    : refuse(value, 'Bytes', 'use Base64 text with padding');
}
