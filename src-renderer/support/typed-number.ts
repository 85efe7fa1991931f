import { exactDouble } from '#domain/text/decimal';

/** A number that was typed, or what to write instead. */
export type TypedNumber = { ok: true; value: number } | { ok: false; reason: string };

/** Between thousands these are clear in every country: spaces, apostrophes and low lines. */
const THOUSANDS = /^([-+]?\d{1,3})((?:[\s\u00a0\u202f'’_]\d{3})+)((?:[.,]\d+)?)$/;
const DECIMAL_COMMA = /^([-+]?)(\d*),(\d+)(e[-+]?\d+)?$/i;
const MARKS = /^[-+]?\d+(?:[.,'’_\s]+\d+)+$/;
const DECIMAL_POINT = /^[-+]?\d+\.\d+$/;

/**
 * A number as it is written in any country, as digits with a point before the decimals. A comma counts as that point
 * where it cannot divide thousands: `1,5` and `0,125` are read, `1,500` and `1.000,5` are refused with what to write. A
 * text that does not look like a number comes back as it is.
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
      return { ok: false, reason: `"${typed}" can be two numbers: write ${less} or ${more}` };
    }
    return { ok: true, text: `${sign}${whole}.${fraction}${exponent}` };
  }
  return MARKS.test(typed) && !DECIMAL_POINT.test(typed)
    ? {
        ok: false,
        reason: `"${typed}" has marks between its digits: write the digits, with a point before the decimals`,
      }
    : { ok: true, text: typed };
}

/** The number that was typed. What 64 bits cannot hold without loss is refused too, instead of becoming another number. */
export function typedNumber(text: string): TypedNumber {
  const plain = plainNumber(text);
  if (!plain.ok) return plain;
  const value = exactDouble(plain.text);
  if (value !== null) return { ok: true, value: value + 0 };
  return Number.isFinite(Number(plain.text)) && /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(plain.text)
    ? { ok: false, reason: 'Write fewer digits: a number keeps about 15 of them' }
    : { ok: false, reason: 'Write a number, such as 12.5' };
}

/** The whole number that was typed; commas and points are refused, as in whole numbers they mean different things. */
export function typedWhole(text: string, range?: { min: number; max: number }): TypedNumber {
  const within = range ? ` from ${range.min.toLocaleString('en')} to ${range.max.toLocaleString('en')}` : '';
  const plain = plainNumber(text);
  if (/[.,]/.test(text) || !plain.ok || !/^[-+]?\d+$/.test(plain.text)) {
    return { ok: false, reason: `Write a whole number${within}, without commas and points` };
  }
  const value = Number(plain.text) + 0;
  if (!Number.isSafeInteger(value))
    return { ok: false, reason: 'Write a smaller number: this one has too many digits' };
  return range && (value < range.min || value > range.max)
    ? { ok: false, reason: `Write a number${within}` }
    : { ok: true, value };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const SHORT: Readonly<Record<string, string>> = { sec: 's', m: 'min' };

/** The time in ms that was typed as a number and a unit, such as `1.5 min`; ms where no unit is needed and none is there. */
export function typedDuration(text: string, hint: string, needsUnit: boolean): TypedNumber {
  const [, digits = '', said] = /^(.*?\d)\s*(ms|s|sec|m|min|h|d)?$/is.exec(text.trim()) ?? [];
  const unit = said?.toLowerCase() ?? (needsUnit ? '' : 'ms');
  const factor = UNITS[SHORT[unit] ?? unit];
  if (factor === undefined) return { ok: false, reason: hint };
  const plain = plainNumber(digits);
  if (!plain.ok) return plain;
  if (!/^\d+(?:\.\d+)?$/.test(plain.text)) return { ok: false, reason: hint };
  // Without the noise of binary fractions: 0.07 s are 70 ms.
  return { ok: true, value: Number((Number(plain.text) * factor).toPrecision(15)) };
}
