import { parseDateTime } from '../text/date-time.ts';
import type { Json } from '../text/json.ts';
import type { Quality } from './quality.ts';
import { randomAt, walkAt } from './signal-noise.ts';
import type { MachineSettings, ReplayRow, Signal, SignalValue } from './signal.ts';
import type { TagType } from './tag.ts';

export interface SignalReading {
  value: Json;
  quality: Quality;
}

const NO_DATA: SignalReading = { value: null, quality: 'BadNoData' };
/** Separates the added noise from the noise of a random walk. */
const NOISE_SEED = 0x5bd1e995;

/** The number of the update at `t` (ms since 1970): the value changes only with it. */
export function updateAt(t: number, updateMs: number): number {
  return Math.floor(t / updateMs);
}

/**
 * The value of a machine tag at `t` (ms since 1970): its signal at the latest update, with noise, rounded for an Int. A
 * pure function: the same settings, seed and time give the same value on every machine.
 */
export function sampleAt(settings: MachineSettings, type: TagType, t: number, seed: number): SignalReading {
  const update = updateAt(t, settings.updateMs);
  const sample = valueAt(settings.signal, update * settings.updateMs, { updateMs: settings.updateMs, seed });
  if (typeof sample.value !== 'number') return sample;
  const off = settings.noise === 0 ? 0 : settings.noise * (2 * randomAt(seed ^ NOISE_SEED, update) - 1);
  const value = sample.value + off;
  return { value: (type === 'Int' ? Math.round(value) : value) + 0, quality: sample.quality };
}

/** The value of a signal at `t` (ms since 1970), without noise. `seed` is used if the signal has no seed. */
export function valueAt(
  signal: Signal,
  t: number,
  { updateMs, seed }: { updateMs: number; seed: number },
): SignalReading {
  switch (signal.kind) {
    case 'constant':
      return good(signal.value);
    case 'sine': {
      const angle = 2 * Math.PI * (fraction(t, signal.periodMs) + (signal.phase ?? 0));
      return good(between(signal.min, signal.max, (1 + Math.sin(angle)) / 2));
    }
    case 'ramp':
      return good(between(signal.min, signal.max, fraction(t, signal.periodMs)));
    case 'square':
      return good(fraction(t, signal.periodMs) < (signal.duty ?? 0.5) ? signal.high : signal.low);
    case 'randomWalk': {
      const range = signal.max - signal.min;
      if (range === 0) return good(signal.min);
      const walk = walkAt(signal.seed ?? seed, updateAt(t, updateMs), signal.step / range);
      return good(between(signal.min, signal.max, walk));
    }
    case 'counter': {
      const count = Math.floor(t / signal.everyMs);
      return good(signal.start + signal.increment * (signal.wrapAt === undefined ? count : count % turnsOf(signal)));
    }
    default:
      return replayAt(signal, t);
  }
}

/** Maximum number of earlier moments to compare: an Int can stay the same over many updates. */
const LOOKED_AT = 200;

/**
 * When the value at `t` began, as `sampleAt` returns it, in ms since 1970; null if it has not changed, or longer ago
 * than can be determined.
 */
export function sampleBegan(settings: MachineSettings, type: TagType, t: number, seed: number): number | null {
  const current = sampleAt(settings, type, t, seed);
  for (let at = t, looked = 0; looked < LOOKED_AT; looked += 1) {
    const began = mayHaveChanged(settings, at);
    if (began === null) return null;
    const before = sampleAt(settings, type, began - 1, seed);
    if (before.value !== current.value || before.quality !== current.quality) return began;
    at = began - 1;
  }
  return null;
}

/** The last update, not after `t`, with which the value may have changed; null if there is none. */
function mayHaveChanged({ signal, noise, updateMs }: MachineSettings, t: number): number | null {
  const sampled = updateAt(t, updateMs) * updateMs;
  if (noise > 0) return sampled;
  const edge = edgeOf(signal, sampled);
  // A change becomes visible with the next update.
  return edge === null ? null : Math.min(sampled, Math.ceil(edge / updateMs) * updateMs);
}

/** When a signal without noise last changed, or may have: not after `t`. */
function edgeOf(signal: Signal, t: number): number | null {
  switch (signal.kind) {
    case 'constant':
      return null;
    case 'square': {
      const part = fraction(t, signal.periodMs);
      const start = Math.round(t - part * signal.periodMs);
      const duty = signal.duty ?? 0.5;
      return part < duty ? start : start + duty * signal.periodMs;
    }
    case 'counter':
      return Math.floor(t / signal.everyMs) * signal.everyMs;
    case 'csv':
      return replayEdge(signal, t);
    default:
      return t;
  }
}

function replayEdge({ rows, loop, startAt }: Extract<Signal, { kind: 'csv' }>, t: number): number | null {
  const last = rows.at(-1);
  const origin = originOf(startAt);
  const since = t - origin;
  if (!last || (!loop && since < 0)) return null;
  if (!loop) return origin + (since > last.at ? last.at + 1 : (rowAt(rows, since)?.at ?? 0));
  const length = lengthOf(rows);
  const into = ((since % length) + length) % length;
  return t - into + (rowAt(rows, into)?.at ?? 0);
}

/** Length of a repeated recording: its last row lasts as long as the previous one. */
function lengthOf(rows: readonly ReplayRow[]): number {
  const last = rows.at(-1)?.at ?? 0;
  return last + (last - (rows.at(-2)?.at ?? last - 1));
}

const good = (value: SignalValue): SignalReading => ({ value, quality: 'Good' });

/** The position of `t` in its period, in [0, 1). */
function fraction(t: number, periodMs: number): number {
  return (((t % periodMs) + periodMs) % periodMs) / periodMs;
}

/** Proportionally from min to max, never outside despite rounding. */
function between(min: number, max: number, part: number): number {
  return Math.min(max, Math.max(min, min + (max - min) * part));
}

/**
 * The number of counts before the next one would reach `wrapAt`, with a tolerance, so that 480 times 0.93 reaches 446.4
 * although doubles are slightly below it.
 */
function turnsOf(signal: Extract<Signal, { kind: 'counter' }>): number {
  const distance = (signal.wrapAt ?? 0) - signal.start;
  return Math.max(1, Math.ceil((distance / signal.increment) * (1 - 1e-12)));
}

/**
 * The current row. If repeating, the last row lasts as long as the previous one. If played once, there is no data
 * before the start, and after the end the last row stays, but it is no longer a good value.
 */
function replayAt(signal: Extract<Signal, { kind: 'csv' }>, t: number): SignalReading {
  const { rows } = signal;
  const last = rows.at(-1);
  if (!last) return NO_DATA;
  const since = t - originOf(signal.startAt);
  if (signal.loop) {
    const length = lengthOf(rows);
    return shown(rowAt(rows, ((since % length) + length) % length));
  }
  if (since < 0) return NO_DATA;
  return since > last.at ? { value: last.value, quality: 'UncertainLastUsableValue' } : shown(rowAt(rows, since));
}

function shown(row: ReplayRow | undefined): SignalReading {
  return row ? good(row.value) : NO_DATA;
}

function originOf(startAt: string | undefined): number {
  const start = startAt === undefined ? null : parseDateTime(startAt);
  return start?.ok ? start.ms : 0;
}

/** The last row that is not after `at`, by binary search; rows are ordered and the first is at 0. */
function rowAt(rows: readonly ReplayRow[], at: number): ReplayRow | undefined {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.at ?? Infinity) <= at) low = middle;
    else high = middle - 1;
  }
  return rows[low];
}
