const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90 s`, `1.5 min`, `250 ms`; a number alone is ms. undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit = 'ms'] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|h|d)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  if (digits === undefined || factor === undefined) return undefined;
  // Without the noise of binary fractions: 0.07 s are 70 ms.
  return Number((Number(digits) * factor).toPrecision(15));
}

/** The shortest exact way to say a time: `60000` is `1 min`, `1500` is `1.5 s`. */
export function durationText(ms: number): string {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1_000 && ms % 10 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
