import { exactDouble } from '#domain/text/decimal';

/** A parsed number, or a hint. */
export type TypedNumber = { ok: true; value: number } | { ok: false; reason: string };

/** These thousands separators are unambiguous in every country: spaces, apostrophes and underscores. */
const THOUSANDS = /^([-+]?\d{1,3})((?:[\s\u00a0\u202f'’_]\d{3})+)((?:[.,]\d+)?)$/;
const DECIMAL_COMMA = /^([-+]?)(\d*),(\d+)(e[-+]?\d+)?$/i;
const MARKS = /^[-+]?\d+(?:[.,'’_\s]+\d+)+$/;
const DECIMAL_POINT = /^[-+]?\d+\.\d+$/;

/**
 * A number in the notation of any country, as digits with a decimal point. A comma is a decimal point if it can't
 * separate thousands: `1,5` and `0,125` are accepted, `1,500` and `1.000,5` are rejected with a hint. A text that does
 * not look like a number is returned unchanged.
 */
export function plainNumber(text: string): { ok: true; text: string } | { ok: false; reason: string } {
  const typed = text.trim().replace(/^\u2212/, '-');
  const [, head, groups, decimals] = THOUSANDS.exec(typed) ?? [];
  if (head !== undefined && groups !== undefined && decimals !== undefined) {
    return { ok: true, text: head + groups.replaceAll(/\D/g, '') + decimals.replace(',', '.') };
  }
  const [, sign = '', whole = '', fraction, exponent = ''] = DECIMAL_COMMA.exec(typed) ?? [];
  if (fraction !== undefined) {
    if (fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) {
      const [less, more] = [`${sign}${whole}.${fraction}${exponent}`, `${sign}${whole}${fraction}${exponent}`];
      return { ok: false, reason: `"${typed}" is ambiguous: enter ${less} or ${more}` };
    }
    return { ok: true, text: `${sign}${whole}.${fraction}${exponent}` };
  }
  return MARKS.test(typed) && !DECIMAL_POINT.test(typed)
    ? {
        ok: false,
        reason: `"${typed}" has separators between its digits: enter the digits, with a decimal point if needed`,
      }
    : { ok: true, text: typed };
}

/**
 * The parsed number. A number that 64 bits can't represent exactly is also rejected, instead of becoming another
 * number.
 */
export function typedNumber(text: string): TypedNumber {
  const plain = plainNumber(text);
  if (!plain.ok) return plain;
  const value = exactDouble(plain.text);
  if (value !== null) return { ok: true, value: value + 0 };
  return Number.isFinite(Number(plain.text)) && /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(plain.text)
    ? { ok: false, reason: 'Enter fewer digits: a number keeps about 15 of them' }
    : { ok: false, reason: 'Enter a number, such as 12.5' };
}

/** The parsed whole number; commas and points are rejected, because they are ambiguous in whole numbers. */
export function typedWhole(text: string, range?: { min: number; max: number }): TypedNumber {
  const within = range ? ` from ${range.min.toLocaleString('en')} to ${range.max.toLocaleString('en')}` : '';
  const plain = plainNumber(text);
  if (/[.,]/.test(text) || !plain.ok || !/^[-+]?\d+$/.test(plain.text)) {
    return { ok: false, reason: `Enter a whole number${within}, without commas and points` };
  }
  const value = Number(plain.text) + 0;
  if (!Number.isSafeInteger(value))
    return { ok: false, reason: 'Enter a smaller number: this one has too many digits' };
  return range && (value < range.min || value > range.max)
    ? { ok: false, reason: `Enter a number${within}` }
    : { ok: true, value };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const SHORT: Readonly<Record<string, string>> = { sec: 's', m: 'min' };

/** The time in ms of a number with a unit, such as `1.5 min`; ms without a unit, if it is optional. */
export function typedDuration(text: string, hint: string, needsUnit: boolean): TypedNumber {
  const [, digits = '', typedUnit] = /^(.*?\d)\s*(ms|s|sec|m|min|h|d)?$/is.exec(text.trim()) ?? [];
  const unit = typedUnit?.toLowerCase() ?? (needsUnit ? '' : 'ms');
  const factor = UNITS[SHORT[unit] ?? unit];
  if (factor === undefined) return { ok: false, reason: hint };
  const plain = plainNumber(digits);
  if (!plain.ok) return plain;
  if (!/^\d+(?:\.\d+)?$/.test(plain.text)) return { ok: false, reason: hint };
  // Without the noise of binary fractions: 0.07 s are 70 ms.
  return { ok: true, value: Number((Number(plain.text) * factor).toPrecision(15)) };
}
