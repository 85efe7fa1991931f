const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
  { name: 'ms', ms: 1 },
] as const;

/** What is said of a text that is no duration. */
export const DURATION_HINT = 'Write a number and its unit: 500 ms, 5 s, 15 min, 8 h or 1 d.';

/** A duration in ms as people write it, in the largest unit that it is a whole number of. */
export function durationText(ms: number): string {
  const unit = UNITS.find((one) => ms !== 0 && ms % one.ms === 0);
  return unit ? `${ms / unit.ms} ${unit.name}` : `${ms} ms`;
}

/** Reads `5 s` or `1,5 min` as whole ms; null for what is no duration. A point and a comma both divide. */
export function durationOf(text: string): number | null {
  const found = /^\s*(\d+(?:[.,]\d+)?)\s*(ms|s|sec|m|min|h|d)\s*$/i.exec(text);
  if (!found) return null;
  const [, digits = '', said = ''] = found;
  const name = { sec: 's', m: 'min' }[said.toLowerCase()] ?? said.toLowerCase();
  const unit = UNITS.find((one) => one.name === name);
  const ms = Number(digits.replace(',', '.')) * (unit?.ms ?? Number.NaN);
  return Number.isFinite(ms) ? Math.round(ms) : null;
}
