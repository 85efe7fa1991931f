import { convert } from '#domain/tag/convert';
import type { Json, JsonObject } from '#domain/text/json';
import { isJsonObject, parseJson } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import { isUsable, QUALITIES } from '#domain/tag/quality';
import type { MachineSettings } from '#domain/tag/signal';
import { seedOf } from '#domain/tag/signal-noise';
import { sampleAt, sampleBegan, updateAt } from '#domain/tag/signal-value';
import type { TagValue } from '#domain/tag/tag';
import type {
  MachineOverrideRepository,
  MachineOverrideRow,
} from '../../../storage/repositories/machine-override-repository.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tag } from '../definitions/tag.ts';
import { ValuesMemory } from '../values/values-memory.ts';
import type { ImmediateKind, ParsedSettings, Preparation, ReadView, StateChange, WriteView } from './kind.ts';
import { parseMachineSettings } from './machine-settings.ts';
import { storableValue } from './value-text.ts';

export interface MachineParts {
  overrides: MachineOverrideRepository;
  clock: Clock;
  memory?: ValuesMemory;
}

/** From this many tags on, all rows are read at once instead of tag by tag. */
const MANY = 64;
/** A machine tag has one value in all scopes. */
const SLOT = '';

const FORCED = 'the quality is forced';
/** Why a signal has a quality, for people. */
const REASONS: Partial<Record<Quality, string>> = {
  BadNoData: 'the recording has not started yet',
  UncertainLastUsableValue: 'the recording has ended',
};

/** One tag in memory. */
interface MachineState {
  settings: MachineSettings;
  seed: number;
  /** The value that overrides the signal; undefined if there is none. */
  override: Json | undefined;
  forced: Quality | null;
  /** When one of these was last set or cleared, ms since 1970; null if unknown. */
  setAt: number | null;
  /** The current value, and the update of the signal that it belongs to. */
  shown: TagValue | null;
  shownUpdate: number;
}

/**
 * Machine tags simulate a signal. A write overrides the signal until it is released; a quality can be forced until it
 * is cleared. Both survive restarts. A forced bad quality hides the value, like a server that has lost its device: the
 * value is null, and returns when the quality is cleared.
 */
export function machineKind({ overrides, clock, memory = new ValuesMemory() }: MachineParts): ImmediateKind {
  const states = new Map<number, MachineState>();
  function stateOf(tag: Tag): MachineState {
    const state = states.get(tag.id);
    if (!state) throw new Error(`"${tag.path}" was not attached`);
    return state;
  }

  function read(tag: Tag, _scope: unknown, view: ReadView): TagValue {
    const state = stateOf(tag);
    const pending = view.pending?.get(tag.id, SLOT);
    if (pending !== undefined) return shownBy(tag, pending, state.forced);
    const update = updateAt(view.now, state.settings.updateMs);
    if (state.shown && (state.shownUpdate === update || state.override !== undefined)) return state.shown;
    state.shownUpdate = update;
    state.shown = show(tag, state, view.now);
    return state.shown;
  }

  function prepare({ tag, value }: { tag: Tag; value: Json }, view: WriteView): Preparation {
    const storable = storableValue(value, tag.definition.type);
    if (!storable.ok) return storable;
    const before = read(tag, null, view).value;
    view.pending.put(tag.id, SLOT, storable.value);
    return {
      ok: true,
      write: {
        before,
        // As written, also if a forced quality hides it from readers.
        written: { ...shownBy(tag, storable.value, null), ...(states.get(tag.id)?.forced != null && { forced: true }) },
        apply: () => overrides.putValue(tag.id, storable.text, clock.iso()),
        isReadFromMemory: true,
        stored: () => ({ to: 'machine', tagId: tag.id, value: storable.text, writtenAt: clock.iso() }),
        committed: () => change(tag, { override: storable.value }),
        kept: () => ({ slot: SLOT, value: states.get(tag.id)?.override }),
      },
    };
  }

  function change(tag: Tag, what: Partial<Pick<MachineState, 'override' | 'forced'>>): void {
    const state = states.get(tag.id);
    if (!state) return;
    if ('override' in what) memory.changed(state.override, what.override);
    Object.assign(state, what, { shown: null, setAt: clock.now() });
  }

  return {
    kind: 'machine',
    mode: 'immediate',
    parse,
    read,
    prepare,
    attach(tags) {
      const rows = tags.length < MANY ? tags.map((tag) => overrides.of(tag.id)) : overrides.all();
      const byId = new Map(rows.filter((row) => row !== null).map((row) => [row.tagId, row]));
      for (const tag of tags) {
        const state = stateFrom(tag, byId.get(tag.id));
        memory.changed(states.get(tag.id)?.override, state.override);
        states.set(tag.id, state);
      }
    },
    detach(tag) {
      memory.changed(states.get(tag.id)?.override, undefined);
      states.delete(tag.id);
    },
    erase: (tagId) => overrides.deleteOf(tagId),
    lostBy(tag, type) {
      const { override } = stateOf(tag);
      return override === undefined || (type !== null && convert(override, type).ok) ? 0 : 1;
    },
    retype(tagId, type) {
      const value = overrides.of(tagId)?.value ?? null;
      if (value === null) return;
      const converted = convert(parseJson(value), type);
      overrides.putValue(tagId, converted.ok ? JSON.stringify(converted.value) : null, clock.iso());
    },
    changesAt(tag, now) {
      const { settings, override } = stateOf(tag);
      if (override !== undefined || (settings.signal.kind === 'constant' && settings.noise === 0)) return Infinity;
      return nextUpdate(now, settings.updateMs);
    },
    changedAt(tag, _scope, now) {
      const { settings, override, forced, seed, setAt } = stateOf(tag);
      if (override !== undefined || (forced !== null && !isUsable(forced))) return setAt;
      const began = sampleBegan(settings, tag.definition.type, now, seed);
      return setAt === null || began === null ? (began ?? setAt) : Math.max(began, setAt);
    },
    past(tag) {
      const state = stateOf(tag);
      const { settings, seed, override, forced, setAt } = state;
      const isSignal = override === undefined && forced === null;
      const setSince = isSignal ? Infinity : (setAt ?? -Infinity);
      const isFixed = settings.signal.kind === 'constant' && settings.noise === 0;
      return {
        basis: 'signal',
        knownSince: setAt ?? -Infinity,
        at: (ms) =>
          ms >= setSince ? show(tag, state, ms) : valueOf(tag, sampleAt(settings, tag.definition.type, ms, seed), null),
        changesAt(ms) {
          const isSet = ms >= setSince;
          const update = isFixed || (isSet && override !== undefined) ? Infinity : nextUpdate(ms, settings.updateMs);
          return isSet ? update : Math.min(update, setSince);
        },
      };
    },
    overrides: {
      force: (tag, quality): StateChange => ({
        apply: () => overrides.putQuality(tag.id, quality, clock.iso()),
        committed: () => {
          if (quality !== null || states.get(tag.id)?.forced != null) change(tag, { forced: quality });
        },
      }),
      release: (tag): StateChange => ({
        apply: () => overrides.putValue(tag.id, null, clock.iso()),
        committed: () => {
          if (states.get(tag.id)?.override !== undefined) change(tag, { override: undefined });
        },
      }),
    },
  };
}

const nextUpdate = (ms: number, updateMs: number): number => (updateAt(ms, updateMs) + 1) * updateMs;

function parse(settings: JsonObject, type: Tag['definition']['type']): ParsedSettings {
  const parsed = parseMachineSettings(settings, type);
  return parsed.ok ? { ok: true, settings: asJson(parsed.settings) } : parsed;
}

/** Settings in their stored form: without undefined members. */
function asJson(settings: MachineSettings): JsonObject {
  const json = parseJson(JSON.stringify(settings));
  return isJsonObject(json) ? json : {};
}

function stateFrom(tag: Tag, row: MachineOverrideRow | undefined): MachineState {
  const parsed = parseMachineSettings(tag.definition.settings, tag.definition.type);
  if (!parsed.ok) throw new Error(`settings of ${tag.path} were not parsed before it was attached`);
  return {
    settings: parsed.settings,
    seed: seedOf(tag.path),
    override: row?.value == null ? undefined : parseJson(row.value),
    forced: QUALITIES.find((quality) => quality === row?.quality) ?? null,
    setAt: row?.changedAt == null ? null : Date.parse(row.changedAt),
    shown: null,
    shownUpdate: Number.NaN,
  };
}

function show(tag: Tag, state: MachineState, now: number): TagValue {
  if (state.override !== undefined) return shownBy(tag, state.override, state.forced);
  const sample = sampleAt(state.settings, tag.definition.type, now, state.seed);
  return valueOf(tag, sample, state.forced);
}

/** What readers see while a written value replaces the signal. */
function shownBy(tag: Tag, override: Json, forced: Quality | null): TagValue {
  return valueOf(tag, { value: override, quality: 'GoodLocalOverride' }, forced, true);
}

/** What readers see: the one place that combines signal or override with a forced quality. */
function valueOf(
  tag: Tag,
  { value, quality }: { value: Json; quality: Quality },
  forced: Quality | null,
  overridden = false,
): TagValue {
  const { path, type } = tag.definition;
  const shown = forced ?? quality;
  const reason = forced && !forced.startsWith('Good') ? FORCED : REASONS[shown];
  const read: TagValue = { path, value: isUsable(shown) ? value : null, quality: shown, type };
  if (reason !== undefined) read.reason = reason;
  if (overridden) read.overridden = true;
  if (forced !== null) read.forced = true;
  return Object.freeze(read);
}
