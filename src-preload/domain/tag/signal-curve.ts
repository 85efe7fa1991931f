import type { Json } from '../text/json.ts';
import { parseDateTime } from '../text/date-time.ts';
import type { MachineSettings, Signal } from './signal.ts';
import { sampleAt } from './signal-value.ts';
import type { TagType } from './tag.ts';

/** What a machine tag will read over a while, for a picture. */
export interface SignalCurve {
  /** `at` is ms since 1970, ascending; the last one is the end of the picture. */
  points: { at: number; value: Json }[];
  /** Lowest number in the picture and in all rows of a recording; null if there are no numbers. */
  min: number | null;
  max: number | null;
  /** After which the signal repeats itself; null if it does not. */
  periodMs: number | null;
  /** Minimum time between changes. */
  updateMs: number;
}

/** As many as a wide pane has pixels. */
const MOST_POINTS = 600;
/** Shown length of a signal without a period, in updates. */
const SHOWN_UPDATES = 120;
const SHOWN_COUNTS = 20;
const SHOWN_PERIODS = 2;

/** The curve of a signal from now on: two periods, or some updates; all of a recording that is played once. */
export function signalCurve(
  settings: MachineSettings,
  type: TagType,
  { seed, now }: { seed: number; now: number },
): SignalCurve {
  const { signal, updateMs } = settings;
  const periodMs = periodOf(signal);
  const span = Math.max(updateMs, spanOf(settings, periodMs));
  const start = startOf(signal, now);
  const steps = Math.min(MOST_POINTS, Math.max(1, Math.ceil(span / updateMs)));
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const at = start + (span * step) / steps;
    return { at, value: sampleAt(settings, type, at, seed).value };
  });
  const rows = signal.kind === 'csv' ? signal.rows : [];
  const range = rangeOf([...points, ...rows]);
  return { points, ...range, periodMs, updateMs };
}

function periodOf(signal: Signal): number | null {
  switch (signal.kind) {
    case 'sine':
    case 'ramp':
    case 'square':
      return signal.periodMs;
    case 'counter': {
      const turns = signal.wrapAt === undefined ? 0 : (signal.wrapAt - signal.start) / signal.increment;
      return turns > 0 ? Math.max(1, Math.ceil(turns * (1 - 1e-12))) * signal.everyMs : null;
    }
    case 'csv':
      return signal.loop ? recordedMs(signal) : null;
    default:
      return null;
  }
}

function spanOf({ signal, updateMs }: MachineSettings, periodMs: number | null): number {
  if (periodMs !== null) return SHOWN_PERIODS * periodMs;
  if (signal.kind === 'counter') return SHOWN_COUNTS * signal.everyMs;
  return signal.kind === 'csv' ? recordedMs(signal) : SHOWN_UPDATES * updateMs;
}

/** With the time of the last row, which lasts as long as the previous one. */
function recordedMs({ rows }: Extract<Signal, { kind: 'csv' }>): number {
  const last = rows.at(-1)?.at ?? 0;
  return last + (last - (rows.at(-2)?.at ?? last - 1));
}

function startOf(signal: Signal, now: number): number {
  if (signal.kind !== 'csv' || signal.loop || signal.startAt === undefined) return now;
  const start = parseDateTime(signal.startAt);
  return start.ok ? start.ms : now;
}

function rangeOf(values: readonly { value: Json }[]): { min: number | null; max: number | null } {
  let min: number | null = null;
  let max: number | null = null;
  for (const { value } of values) {
    if (typeof value !== 'number') continue;
    min = Math.min(min ?? value, value);
    max = Math.max(max ?? value, value);
  }
  return { min, max };
}
