import { format, getFormatInfo, tokenize } from 'numfmt';
import type { ResultType } from './tag.ts';

/** Formats that forms suggest, the most common first. */
export const SUGGESTED_FORMATS = ['0', '0.0', '0.00', '0.000', '#,##0', '#,##0.0', '0.00E+0', '0 %', '0.0 %'] as const;

const EXAMPLES = 'Write a pattern such as 0.00, #,##0.0, 0.00E+0 or 0 %';

/** What a pattern can show; dates, times and texts are excluded, because the value of a tag is a number. */
const NUMBERS: ReadonlySet<string> = new Set(['number', 'grouped', 'percent', 'scientific', 'currency', 'fraction']);
/** Parts of dates and texts, which a pattern also accepts with digits: the `g` of an unquoted `kg` is an era. */
const NOT_NUMBERS: ReadonlySet<string> = new Set([
  'datetime',
  'duration',
  'ampm',
  'modifier',
  'calendar',
  'text',
  'error',
]);
const DATES: ReadonlySet<string> = new Set(['date', 'time', 'datetime']);
const DIGITS: ReadonlySet<string> = new Set(['zero', 'hash', 'qmark']);
/** Numbers of every sign and of two sizes: a format must show each of them. */
const SAMPLES = [0, 1.25, -1.25, 12_345.678, -12_345.678] as const;
/** Beyond it, a double has no digits for decimal places. */
const MOST_EXACT = 1e15;

/** Whether values of this type can have a number format. */
export const isNumeric = (type: ResultType): boolean => type === 'Int' || type === 'Double';

/** The problem of a number format, with what to write instead; null if it is valid. */
export function problemOfFormat(pattern: string): string | null {
  const parts = partsOf(pattern);
  if (parts === null) return `not a number format. ${EXAMPLES}; put other text in quotes: 0.0 "kg"`;
  const { tokens, kind, shown } = parts;
  if (DATES.has(kind)) return `only numbers have a format, not dates. ${EXAMPLES}`;
  const odd = tokens.find(({ type }) => NOT_NUMBERS.has(type));
  if (odd) return `"${odd.raw}" is not a part of a number. ${EXAMPLES}; put other text in quotes: 0.0 "kg"`;
  if (!NUMBERS.has(kind) || !tokens.some(({ type }) => DIGITS.has(type))) return `it shows no digits. ${EXAMPLES}`;
  if (hasTwoPoints(tokens)) return `it has more than one decimal point. ${EXAMPLES}`;
  const hidden = shown.findIndex((text) => /^[\s.,]*$/.test(text));
  return hidden < 0 ? null : `it shows nothing for ${SAMPLES[hidden]}. Write 0 where a digit is always shown: 0.##`;
}

/** Whether a section, such as that of negative numbers, has two decimal points. */
function hasTwoPoints(tokens: readonly { type: string }[]): boolean {
  let points = 0;
  for (const { type } of tokens) {
    if (type === 'break') points = 0;
    else if (type === 'point' && ++points > 1) return true;
  }
  return false;
}

/** null if it can't be read. */
function partsOf(pattern: string) {
  try {
    return {
      tokens: tokenize(pattern),
      kind: getFormatInfo(pattern).type,
      shown: SAMPLES.map((sample) => format(pattern, sample)),
    };
  } catch {
    return null;
  }
}

/** A number as its format shows it; null if the format cannot show it: it is invalid, or the number is too large. */
export function formatted(value: number, pattern: string): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= MOST_EXACT) return null;
  try {
    // Spreadsheets show 12 in the format 0.## as "12."
    return format(pattern, value)
      .replace(/(\d)\.(?!\d)/, '$1')
      .trim();
  } catch {
    return null;
  }
}
