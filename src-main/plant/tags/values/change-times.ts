import { createHash } from 'node:crypto';
import { DEFAULT_SCOPE, type Scope } from '#domain/tag/scope';
import type { TagValue } from '#domain/tag/tag';
import type { Clock } from '../../../platform/clock.ts';
import type { TagCatalog } from '../definitions/catalog.ts';
import type { Tag } from '../definitions/tag.ts';

/** Maximum number of tags whose last value is remembered; those read longest ago are forgotten. */
const MOST_TAGS = 20_000;
/** Maximum number of scopes per tag. */
const MOST_SCOPES = 100;
/** Longer values are remembered by their hash, in characters. */
const SHORT = 80;
/** Maximum number of tags that a calculation is followed through. */
const MOST_INPUTS = 1_000;

/** The last value of a tag in a scope, and since when, ms since 1970. */
interface Seen {
  value: string;
  since: number;
  readAt: number;
}

interface SeenTag {
  scopes: Map<string, Seen>;
  /** When a write of the tag, or of one that it depends on, was last committed; ms since 1970. */
  touchedAt: number;
}

/**
 * When values last changed. Kinds that record it know; the time of a calculation is the newest of its inputs. For all
 * others, a change is noticed with the next read that asks: its time is that of the write that caused it, if there was
 * one since the last read, otherwise of that read.
 */
export class ChangeTimes {
  readonly #catalog: TagCatalog;
  readonly #clock: Clock;
  readonly #seen = new Map<string, SeenTag>();

  constructor(catalog: TagCatalog, clock: Clock) {
    this.#catalog = catalog;
    this.#clock = clock;
  }

  /** The values of these tags may have changed. */
  touched(paths: readonly string[]): void {
    if (this.#seen.size === 0) return;
    const now = this.#clock.now();
    for (const path of paths) {
      const seen = this.#seen.get(path);
      if (seen) seen.touchedAt = now;
    }
  }

  /** The values that were read in the scope at a moment (ms since 1970), each with its time if that is known. */
  added(values: readonly TagValue[], scope: Scope, now: number): TagValue[] {
    const times = this.of(values, scope, now);
    return values.map((value, index) => {
      const at = times[index] ?? null;
      return at === null ? value : { ...value, changedAt: new Date(at).toISOString() };
    });
  }

  /** These times, ms since 1970; null if one is not known. */
  of(values: readonly TagValue[], scope: Scope, now: number): (number | null)[] {
    return values.map((value) => {
      const tag = this.#catalog.byPath.get(value.path);
      return tag ? this.#timeOf(tag, value, scope, now) : null;
    });
  }

  #timeOf(tag: Tag, value: TagValue, scope: Scope, now: number): number | null {
    if (tag.kind.changedAt) return tag.kind.changedAt(tag, scope, now);
    const seen = this.#see(value, scope, now);
    return this.#newestInput(tag, now) ?? seen;
  }

  /** Remembers the value; returns since when it is the same. */
  #see({ path, value, quality }: TagValue, { diagram, location }: Scope, now: number): number {
    const tag = this.#seen.get(path) ?? { scopes: new Map<string, Seen>(), touchedAt: 0 };
    this.#seen.delete(path);
    this.#seen.set(path, tag);
    dropFirst(this.#seen, MOST_TAGS);
    const key = diagram === '' && location === '' ? '' : JSON.stringify([diagram, location]);
    const text = shortened(`${quality} ${JSON.stringify(value)}`);
    const last = tag.scopes.get(key);
    if (last?.value === text) {
      last.readAt = now;
      return last.since;
    }
    const since = last && tag.touchedAt >= last.readAt ? tag.touchedAt : now;
    tag.scopes.set(key, { value: text, since, readAt: now });
    dropFirst(tag.scopes, MOST_SCOPES);
    return since;
  }

  /** The newest time of the inputs of a calculation; null if one is not known, or it also depends on the clock. */
  #newestInput(tag: Tag, now: number): number | null {
    if (!tag.kind.inputs || tag.kind.changesAt(tag, now) !== Infinity) return null;
    let newest: number | null = null;
    const followed = new Set(tag.kind.inputs(tag));
    for (const path of followed) {
      const input = this.#catalog.byPath.get(path);
      if (!input) continue;
      if (followed.size > MOST_INPUTS) return null;
      const inner = input.kind.inputs?.(input);
      if (inner) {
        if (input.kind.changesAt(input, now) !== Infinity) return null;
        for (const one of inner) followed.add(one);
        continue;
      }
      const at = input.kind.changedAt ? input.kind.changedAt(input, DEFAULT_SCOPE, now) : this.#seenSince(path);
      if (at === undefined) return null;
      if (at !== null && (newest === null || at > newest)) newest = at;
    }
    return newest;
  }

  #seenSince(path: string): number | undefined {
    return this.#seen.get(path)?.scopes.get('')?.since;
  }
}

function shortened(text: string): string {
  return text.length <= SHORT ? text : createHash('sha256').update(text).digest('base64');
}

function dropFirst(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
