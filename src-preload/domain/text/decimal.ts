const DECIMAL = /^([+-]?)(\d+\.?\d*|\.\d+)(?:e([+-]?\d{1,6}))?$/i;
/** The maximum number of digits of `toPrecision`, which is exact up to there. */
const MAX_DIGITS = 100;
/** No Double needs more characters; a longer text is rejected without parsing. */
const MAX_LENGTH = 1_000;

/** The number in scientific notation without redundant zeros, so that equal decimals are equal texts. */
function canonical(sign: string, digits: string, exponent: number): string {
  const leading = digits.length - digits.replace(/^0+/, '').length;
  const significant = digits.slice(leading).replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign === '-' ? '-' : ''}${significant}e${exponent - leading}`;
}

interface Decimal {
  /** Equal for equal decimals: `1.50`, `15e-1` and `+1.5` are the same. */
  canonical: string;
  significantDigits: number;
}

function parse(text: string): Decimal | null {
  const match = text.length > MAX_LENGTH ? null : DECIMAL.exec(text);
  if (!match) return null;
  const [, sign = '', mantissa = '', exponent = '0'] = match;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const significantDigits = digits.replace(/^0+/, '').replace(/0+$/, '').length;
  return { canonical: canonical(sign, digits, whole.length + Number(exponent)), significantDigits };
}

/**
 * The Double of a decimal text, or null if the text is not a decimal number or a Double would lose some of its digits:
 * formatted with as many digits as the text has, the Double must have the text's own digits.
 */
export function exactDouble(text: string): number | null {
  const decimal = parse(text);
  if (!decimal) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  const digits = Math.min(Math.max(decimal.significantDigits, 1), MAX_DIGITS);
  // For two equally near decimals, one format rounds down and the other up.
  const shown = [String(value), value.toPrecision(digits)];
  return shown.some((written) => parse(written)?.canonical === decimal.canonical) ? value : null;
}
