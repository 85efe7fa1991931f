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
