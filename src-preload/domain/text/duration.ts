const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;
const MS = { name: 'ms', ms: 1 } as const;

/** The largest unit that divides a duration in ms. */
export function unitOf(ms: number): { name: string; ms: number } {
  return (ms === 0 ? undefined : UNITS.find((unit) => ms % unit.ms === 0)) ?? MS;
}

/** A duration in ms for people, in the largest unit that divides it. */
export function durationText(ms: number): string {
  const unit = unitOf(ms);
  return `${ms / unit.ms} ${unit.name}`;
}

/** A measured duration in ms for people: `850 ms`, `1.2 s`, `12 min`, `3 h`, `4 d`. */
export function roundedDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 48 * 3_600_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} d`;
}
