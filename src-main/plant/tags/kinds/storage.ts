import { z } from 'zod';
import { convert } from '#domain/tag/convert';
import type { Json, JsonObject } from '#domain/text/json';
import { parseJson } from '#domain/text/json';
import type { Scope, ScopedValue } from '#domain/tag/scope';
import { DEFAULT_SCOPE, inheritanceOf } from '#domain/tag/scope';
import type { TagType, TagValue } from '#domain/tag/tag';
import type { Clock } from '../../../platform/clock.ts';
import type {
  StorageValueRepository,
  StorageValueRow,
} from '../../../storage/repositories/storage-value-repository.ts';
import type { Tag } from '../definitions/tag.ts';
import { ValuesMemory } from '../values/values-memory.ts';
import type { ImmediateKind, ParsedSettings, Preparation, ReadView, WriteView } from './kind.ts';
import { parseWith, refused } from './settings.ts';
import { storableValue } from './value-text.ts';

export interface StorageParts {
  values: StorageValueRepository;
  clock: Clock;
  memory?: ValuesMemory;
}

/** From this many tags on, all rows are read at once instead of tag by tag. */
const MANY = 64;

const schema = z.strictObject({ initial: z.json().exactOptional() });

/** The values of one tag in memory. */
interface StorageState {
  initial: TagValue;
  /** The value of the default scope, the only one that almost every tag has. */
  shared: TagValue | null;
  /** The values of all other scopes, by Diagram and location. */
  scoped: Map<string, Map<string, TagValue>> | null;
}

/**
 * Storage tags store the last written value, by scope. A read returns the first that exists of (Diagram, location),
 * (Diagram, default), (default, location), (default, default) and the initial value of the settings.
 */
export function storageKind({ values, clock, memory = new ValuesMemory() }: StorageParts): ImmediateKind {
  const states = new Map<number, StorageState>();
  /** The time as text, created once per ms: a Set has many rows. */
  let [textAt, text] = [Number.NaN, ''];
  const writtenAt = (): string => {
    const now = clock.now();
    if (now !== textAt) [textAt, text] = [now, clock.iso()];
    return text;
  };

  /** When a value was written, which is looked up once: a script may read it in a loop. */
  const writtenTimes = new WeakMap<TagValue, number | null>();

  function stateOf(tag: Tag): StorageState {
    const state = states.get(tag.id);
    if (!state) throw new Error(`"${tag.path}" was not attached`);
    return state;
  }

  function read(tag: Tag, scope: Scope, view: ReadView): TagValue {
    const state = stateOf(tag);
    if (view.pending) return readPending(tag, state, scope, view);
    if (state.scoped && scope !== DEFAULT_SCOPE) {
      for (const { diagram, location } of inheritanceOf(scope)) {
        const value = state.scoped.get(diagram)?.get(location);
        if (value) return value;
      }
    }
    return state.shared ?? state.initial;
  }

  function readPending(tag: Tag, state: StorageState, scope: Scope, view: ReadView): TagValue {
    for (const at of inheritanceOf(scope)) {
      const pending = view.pending?.get(tag.id, slotOf(at));
      if (pending !== undefined) return valueOf(tag, pending);
      const kept = at === DEFAULT_SCOPE ? state.shared : state.scoped?.get(at.diagram)?.get(at.location);
      if (kept) return kept;
    }
    return state.initial;
  }

  function keptIn(state: StorageState | undefined, scope: Scope): TagValue | null | undefined {
    return isDefault(scope) ? state?.shared : state?.scoped?.get(scope.diagram)?.get(scope.location);
  }

  const keptAt = (state: StorageState | undefined, scope: Scope): Json | undefined => keptIn(state, scope)?.value;

  function keep(state: StorageState, scope: Scope, value: TagValue): void {
    memory.changed(keptAt(state, scope), value.value, placeBytesOf(scope));
    if (isDefault(scope)) {
      state.shared = value;
      return;
    }
    state.scoped ??= new Map();
    const ofDiagram = state.scoped.get(scope.diagram);
    if (ofDiagram) ofDiagram.set(scope.location, value);
    else state.scoped.set(scope.diagram, new Map([[scope.location, value]]));
  }

  function forget(state: StorageState, scope: Scope): void {
    memory.changed(keptAt(state, scope), undefined, placeBytesOf(scope));
    if (isDefault(scope)) {
      state.shared = null;
      return;
    }
    const ofDiagram = state.scoped?.get(scope.diagram);
    ofDiagram?.delete(scope.location);
    if (ofDiagram?.size === 0) state.scoped?.delete(scope.diagram);
  }

  function forgetAll(tag: Tag): void {
    const state = states.get(tag.id);
    if (state) for (const { value, ...scope } of storedOf(state)) memory.changed(value, undefined, placeBytesOf(scope));
    states.delete(tag.id);
  }

  function prepare({ tag, value, scope }: { tag: Tag; value: Json; scope: Scope }, view: WriteView): Preparation {
    const storable = storableValue(value, tag.definition.type);
    if (!storable.ok) return storable;
    const before = read(tag, scope, view).value;
    const written = valueOf(tag, storable.value);
    const row = { tagId: tag.id, ...scope, value: storable.text };
    view.pending.put(tag.id, slotOf(scope), storable.value);
    return {
      ok: true,
      write: {
        before,
        written,
        apply: () => values.put(row, writtenAt()),
        isReadFromMemory: true,
        stored: () => ({ to: 'storage', row, writtenAt: writtenAt() }),
        committed() {
          const state = states.get(tag.id);
          if (state) keep(state, scope, written);
        },
        kept: () => ({ slot: slotOf(scope), value: keptAt(states.get(tag.id), scope) }),
        placeBytes: placeBytesOf(scope),
      },
    };
  }

  return {
    kind: 'storage',
    mode: 'immediate',
    parse,
    read,
    prepare,
    changesAt: () => Number.POSITIVE_INFINITY,
    changedAt(tag, scope) {
      const state = stateOf(tag);
      for (const at of inheritanceOf(scope)) {
        const kept = keptIn(state, at);
        if (!kept) continue;
        let time = writtenTimes.get(kept);
        if (time === undefined) {
          const stored = values.writtenAt({ tagId: tag.id, ...at });
          time = stored ? Date.parse(stored) : null;
          writtenTimes.set(kept, time);
        }
        return time;
      }
      return null;
    },
    past(tag) {
      const { shared, initial } = stateOf(tag);
      const stored = shared && values.writtenAt({ tagId: tag.id, ...DEFAULT_SCOPE });
      const knownSince = stored ? Date.parse(stored) : -Infinity;
      return {
        basis: 'value',
        knownSince,
        at: (ms) => (ms >= knownSince ? (shared ?? initial) : null),
        changesAt: (ms) => (ms < knownSince ? knownSince : Infinity),
      };
    },
    attach(tags) {
      for (const tag of tags) {
        forgetAll(tag);
        states.set(tag.id, { initial: initialOf(tag), shared: null, scoped: null });
      }
      const byId = new Map(tags.map((tag) => [tag.id, tag]));
      const rows = tags.length < MANY ? tags.flatMap((tag) => values.of(tag.id)) : values.all();
      for (const row of rows) {
        const tag = byId.get(row.tagId);
        if (tag) keep(stateOf(tag), row, valueOf(tag, parseJson(row.value)));
      }
    },
    detach: forgetAll,
    erase: (tagId) => values.deleteOf(tagId),
    lostBy(tag, type) {
      const stored = storedOf(stateOf(tag));
      return type === null ? stored.length : stored.filter(({ value }) => !convert(value, type).ok).length;
    },
    scopes: {
      stored: (tag) => storedOf(stateOf(tag)),
      locations() {
        const locations = new Set<string>();
        for (const { scoped } of states.values()) {
          for (const ofDiagram of scoped?.values() ?? []) for (const at of ofDiagram.keys()) locations.add(at);
        }
        locations.delete('');
        return locations;
      },
      clear: (tag, scope) => ({
        apply: () => values.delete({ tagId: tag.id, ...scope }),
        committed() {
          const state = states.get(tag.id);
          if (state) forget(state, scope);
        },
      }),
    },
    retype(tagId, type) {
      for (const row of values.of(tagId)) retypeRow(row, type);
    },
  };

  function retypeRow(row: StorageValueRow, type: TagType): void {
    const converted = convert(parseJson(row.value), type);
    if (converted.ok) values.put({ ...row, value: JSON.stringify(converted.value) }, clock.iso());
    else values.delete(row);
  }
}

function parse(settings: JsonObject, type: TagType): ParsedSettings {
  const parsed = parseWith(schema, settings);
  const initial = parsed.ok ? parsed.settings['initial'] : undefined;
  if (initial === undefined) return parsed;
  const converted = convert(initial, type);
  return converted.ok ? { ok: true, settings: { initial: converted.value } } : refused(converted.reason, 'initial');
}

function storedOf({ shared, scoped }: StorageState): ScopedValue[] {
  const values: ScopedValue[] = shared ? [{ ...DEFAULT_SCOPE, value: shared.value }] : [];
  for (const [diagram, ofDiagram] of scoped ?? []) {
    for (const [location, { value }] of ofDiagram) values.push({ diagram, location, value });
  }
  return values;
}

const isDefault = (scope: Scope): boolean => scope.diagram === '' && scope.location === '';

/** Maps and map entries of one scope of a tag, as measured for a single scope (440 to 1,340 bytes with its names). */
const SCOPE_BYTES = 450;

/** The memory for a value under a scope, besides the value. */
function placeBytesOf(scope: Scope): number {
  return isDefault(scope) ? 0 : SCOPE_BYTES + 2 * (scope.diagram.length + scope.location.length);
}

/** A key that distinguishes scopes, whatever characters they contain. */
const slotOf = (scope: Scope): string => (isDefault(scope) ? '' : JSON.stringify([scope.diagram, scope.location]));

function valueOf(tag: Tag, value: Json): TagValue {
  const { path, type } = tag.definition;
  return Object.freeze<TagValue>({ path, value, quality: 'Good', type });
}

/** An initial value was configured and is good; without one, the tag has never had a value. */
function initialOf(tag: Tag): TagValue {
  const { path, type, settings } = tag.definition;
  const value = settings['initial'] ?? null;
  if (value !== null) return Object.freeze<TagValue>({ path, value, quality: 'Good', type });
  const reason = 'it was never written, and has no initial value';
  return Object.freeze<TagValue>({ path, value, quality: 'UncertainInitialValue', type, reason });
}
