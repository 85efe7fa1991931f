/** Fewer digits are in values by chance: `123456` is the shortest number that is hidden. */
const LEAST = 100_000;
/** More digits than a number has without an exponent. */
const NUMERIC = /^\d{6,21}$/;

/** Whether a number has enough digits to be a secret. Other numbers are never hidden. */
export const mayBeSecret = (value: number): boolean => value >= LEAST && Number.isInteger(value);

/** A secret as a number, as a script gets it with `Number(secret)`; null if it is none, or has too few digits. */
export function numberOf(secret: string): number | null {
  if (!NUMERIC.test(secret)) return null;
  const value = Number(secret);
  return mayBeSecret(value) ? value : null;
}
