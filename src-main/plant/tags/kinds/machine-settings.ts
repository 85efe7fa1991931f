import { z } from 'zod';
import { convert } from '#domain/tag/convert';
import { parseDateTime } from '#domain/text/date-time';
import type { JsonObject } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import type { MachineSettings, ReplayRow, Signal, SignalValue } from '#domain/tag/signal';
import { SIGNAL_KINDS } from '#domain/tag/signal';
import type { TagType } from '#domain/tag/tag';
import { PLAIN } from '../../../platform/plain-words.ts';
import { MAX_REPLAY_ROWS, readRecording } from '../replay-csv.ts';
import type { SettingIssue } from './kind.ts';
import { issuesOf } from './settings.ts';

/** Signals are limited to numbers that every type represents exactly, including noise and counting. */
const LARGEST = 1e15;
const LONGEST_MS = 10 * 366 * 86_400_000;
/** A counter without a limit must stay exact until then. */
const COUNTED_UNTIL = Date.UTC(2200, 0, 1);
/** The smallest step of a random walk as a part of its range. */
const SMALLEST_STEP = 1e-9;

const number = z.number().min(-LARGEST).max(LARGEST);
const duration = z.number().positive().max(LONGEST_MS);
const primitive = z.union([number, z.boolean(), z.string()], 'a signal value must be a number, a Boolean or text');
const dateTime = z
  .string()
  .refine((text) => parseDateTime(text).ok, 'write RFC 3339 text such as 2026-01-31T06:00:00Z');
const row: z.ZodType<ReplayRow> = z.strictObject({ at: z.number().min(0).max(LARGEST), value: primitive });

const replay = { kind: z.literal('csv'), loop: z.boolean().default(true), startAt: dateTime.optional() };
const recorded = z.strictObject({ ...replay, csv: z.string() });

const anySignal = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('constant'), value: primitive }),
    z.strictObject({
      kind: z.literal('sine'),
      min: number,
      max: number,
      periodMs: duration,
      phase: z.number().min(0).max(1).exactOptional(),
    }),
    z.strictObject({ kind: z.literal('ramp'), min: number, max: number, periodMs: duration }),
    z.strictObject({
      kind: z.literal('square'),
      low: primitive,
      high: primitive,
      periodMs: duration,
      duty: z.number().min(0).max(1).exactOptional(),
    }),
    z.strictObject({
      kind: z.literal('randomWalk'),
      min: number,
      max: number,
      step: number.positive(),
      seed: z.int().exactOptional(),
    }),
    z.strictObject({
      kind: z.literal('counter'),
      start: number,
      increment: number,
      everyMs: z.number().min(1).max(LONGEST_MS),
      wrapAt: number.exactOptional(),
    }),
    z.strictObject({
      ...replay,
      startAt: dateTime.exactOptional(),
      rows: z.array(row).min(1).max(MAX_REPLAY_ROWS),
    }),
  ],
  { error: (issue) => (issue.code === 'invalid_union' ? `write one of ${SIGNAL_KINDS.join(', ')}` : undefined) },
);

const schema = z.strictObject({
  signal: anySignal,
  noise: z.number().min(0).max(LARGEST).default(0),
  updateMs: z.int().min(1).max(86_400_000).default(1_000),
});

type Result = { ok: true; settings: MachineSettings } | { ok: false; issues: SettingIssue[] };

/**
 * The settings of a machine tag, checked against its type and completed: by default no noise and one update per second.
 * A recording in text form (`signal: { kind: 'csv', csv: 'time,value…' }`) becomes rows.
 */
export function parseMachineSettings(given: JsonObject, type: TagType): Result {
  const rows = rowsInstead(given, type);
  if (!rows.ok) return rows;
  const parsed = schema.safeParse(rows.settings, PLAIN);
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) };
  const settings: MachineSettings = { ...parsed.data, signal: inType(parsed.data.signal, type) };
  const issues = [...problemsOf(settings.signal), ...misfits(settings.signal, type), ...misplacedNoise(settings, type)];
  return issues.length > 0 ? { ok: false, issues } : { ok: true, settings };
}

/** The settings with a recording's CSV text read into rows. */
function rowsInstead(
  given: JsonObject,
  type: TagType,
): { ok: true; settings: JsonObject } | { ok: false; issues: SettingIssue[] } {
  const { signal: asGiven } = given;
  if (!isJsonObject(asGiven) || asGiven['csv'] === undefined) return { ok: true, settings: given };
  const text = recorded.safeParse(asGiven);
  if (!text.success) return { ok: true, settings: given };
  const { csv, ...rest } = text.data;
  const recording = readRecording(csv, type);
  if (!recording.ok) return { ok: false, issues: [issue(recording.reason, 'csv')] };
  const startAt = rest.startAt ?? recording.startAt;
  const rows = recording.rows.map(({ at, value }) => ({ at, value }));
  const { kind, loop } = rest;
  return { ok: true, settings: { ...given, signal: { kind, loop, rows, ...(startAt !== null && { startAt }) } } };
}

const issue = (message: string, ...path: (string | number)[]): SettingIssue => ({
  path: ['settings', 'signal', ...path],
  message,
});

/** Checks the members of a signal against each other. */
function problemsOf(signal: Signal): SettingIssue[] {
  switch (signal.kind) {
    case 'sine':
    case 'ramp':
      return signal.min <= signal.max ? [] : [issue('min is above max', 'min')];
    case 'randomWalk':
      if (signal.min > signal.max) return [issue('min is above max', 'min')];
      return signal.step >= (signal.max - signal.min) * SMALLEST_STEP
        ? []
        : [issue('the step is less than a billionth of the range', 'step')];
    case 'counter':
      return problemsOfCounter(signal);
    case 'csv':
      return problemsOfReplay(signal);
    default:
      return [];
  }
}

function problemsOfCounter({
  start,
  increment,
  everyMs,
  wrapAt,
}: Extract<Signal, { kind: 'counter' }>): SettingIssue[] {
  if (wrapAt === undefined) {
    const highest = Math.abs(start) + Math.abs(increment) * (COUNTED_UNTIL / everyMs);
    return highest <= LARGEST ? [] : [issue('it counts since 1970 and would grow too large: set wrapAt', 'increment')];
  }
  return (wrapAt - start) * increment > 0 ? [] : [issue('counting from start never reaches it', 'wrapAt')];
}

function problemsOfReplay({ rows, loop, startAt }: Extract<Signal, { kind: 'csv' }>): SettingIssue[] {
  const disorder = rows.findIndex(
    (one, index) => one.at <= (rows[index - 1]?.at ?? -1) || (index === 0 && one.at !== 0),
  );
  if (disorder >= 0) {
    return [issue('rows begin at 0 ms and each is later than the one before', 'rows', disorder, 'at')];
  }
  return loop || startAt !== undefined ? [] : [issue('to play it once, set the start: RFC 3339 text', 'startAt')];
}

/** The signal with its values converted to the type of the tag if possible. */
function inType(signal: Signal, type: TagType): Signal {
  const converted = (value: SignalValue): SignalValue => {
    const result = convert(value, type);
    return result.ok && result.value !== null && typeof result.value !== 'object' ? result.value : value;
  };
  switch (signal.kind) {
    case 'constant':
      return { ...signal, value: converted(signal.value) };
    case 'square':
      return { ...signal, low: converted(signal.low), high: converted(signal.high) };
    case 'csv':
      return { ...signal, rows: signal.rows.map(({ at, value }) => ({ at, value: converted(value) })) };
    default:
      return signal;
  }
}

/** Values that the type of the tag cannot represent. */
function misfits(signal: Signal, type: TagType): SettingIssue[] {
  const check = (value: SignalValue, ...path: (string | number)[]): SettingIssue[] => {
    const result = convert(value, type);
    return result.ok ? [] : [issue(result.reason, ...path)];
  };
  switch (signal.kind) {
    case 'constant':
      return check(signal.value, 'value');
    case 'square':
      return [...check(signal.low, 'low'), ...check(signal.high, 'high')];
    case 'csv':
      return signal.rows.flatMap(({ value }, index) => check(value, 'rows', index, 'value')).slice(0, 10);
    default:
      return isNumeric(type) ? [] : [issue(`a ${signal.kind} signal needs type Int or Double, not ${type}`, 'kind')];
  }
}

function misplacedNoise({ noise }: MachineSettings, type: TagType): SettingIssue[] {
  return noise === 0 || isNumeric(type)
    ? []
    : [{ path: ['settings', 'noise'], message: `only Int and Double have noise, not ${type}` }];
}

const isNumeric = (type: TagType): boolean => type === 'Int' || type === 'Double';
