const DECIMAL = /^([+-]?)(\d+\.?\d*|\.\d+)(?:e([+-]?\d{1,6}))?$/i;
/** The most digits `toPrecision` gives; it is exact up to there. */
const MAX_DIGITS = 100;
/** No Double needs more characters; a longer text is not worth reading. */
const MAX_LENGTH = 1_000;

/** The number in scientific notation without zeros that say nothing, so that equal decimals are equal texts. */
function canonical(sign: string, digits: string, exponent: number): string {
  const leading = digits.length - digits.replace(/^0+/, '').length;
  const significant = digits.slice(leading).replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign === '-' ? '-' : ''}${significant}e${exponent - leading}`;
}

interface Decimal {
  /** Equal for equal decimals: `1.50`, `15e-1` and `+1.5` are one. */
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
 * The Double that a decimal text stands for, or null where the text is not a decimal number or a Double would lose some
 * of its digits: written out with as many digits as the text has, the Double must show the text's own digits.
 */
export function exactDouble(text: string): number | null {
  const decimal = parse(text);
  if (!decimal) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  const digits = Math.min(Math.max(decimal.significantDigits, 1), MAX_DIGITS);
  // Of two decimals that are equally near, one way of writing takes the lower and the other the higher.
  const shown = [String(value), value.toPrecision(digits)];
  return shown.some((written) => parse(written)?.canonical === decimal.canonical) ? value : null;
}
