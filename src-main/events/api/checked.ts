/** The result of checking client input; `detail` describes what to send instead. */
export type Checked<T> = { ok: true; value: T } | { ok: false; detail: string };

export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });
export const refuse = (detail: string): { ok: false; detail: string } => ({ ok: false, detail });

const POSITIVE = /^[1-9]\d{0,15}$/;

/**
 * Reads a positive integer from a path or query. The text is checked before it is converted: `0x1`, `1e3`, `007`, `+1`,
 * `%31` and numbers that a double cannot represent exactly (above 2^53 - 1) are rejected.
 *
 * @param what its name in the detail, such as `The id of an event`
 */
export function positiveInteger(text: string, what: string): Checked<number> {
  const value = POSITIVE.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return accept(value);
  return refuse(
    `${what} is a positive integer in plain digits, such as 42, not ${shown(text)}. The largest is 9007199254740991.`,
  );
}

/** Client text as quoted in a detail. */
export const shown = (text: string): string => `"${bounded(text)}"`;

/** Client text cut to one line, without control characters. */
export function bounded(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return short.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}
