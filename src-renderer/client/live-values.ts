import { useCallback, useSyncExternalStore } from 'react';
import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import type { Client } from './client.ts';
import { follow } from './follow.ts';
import { Store } from '../support/store.ts';
import { History } from './value-history.ts';

/** The shown value of a row. */
export type LiveValue = TagValue;

export interface ViewScope {
  diagram: string;
  location: string;
}

const SETTLE_MS = 120;
const MOST_VALUES = 5_000;
const TICK_MS = 1_000;

/**
 * The values of visible tags. When other tags become visible, the stream is reopened for these. The last 5,000 values
 * are kept, so that scrolling back shows them immediately.
 */
export class LiveValues {
  readonly #client: Pick<Client, 'tags'>;
  readonly #values = new Map<string, LiveValue>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #followed: readonly string[] = [];
  #wanted = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #end: AbortController | null = null;
  readonly history = new History();
  /** The current time, once a second while values are followed, for parts that change without a new value. */
  readonly tick = new Store(Date.now());

  constructor(client: Pick<Client, 'tags'>) {
    this.#client = client;
  }

  get(path: string): LiveValue | undefined {
    return this.#values.get(path);
  }

  /** Calls back when the value of that tag changes. Returns the function that unsubscribes. */
  subscribe(path: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(path) ?? new Set();
    this.#listeners.set(path, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(path);
    };
  }

  /** Follows these tags in this scope; an empty list stops. */
  watch(paths: readonly string[], scope: ViewScope): void {
    const wanted = JSON.stringify([paths, scope]);
    if (wanted === this.#wanted) return;
    const first = this.#wanted === '';
    this.#wanted = wanted;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(paths, scope), first ? 0 : SETTLE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#ticking);
    this.#end?.abort();
    this.#end = null;
    this.#wanted = '';
    this.#interrupt([]);
  }

  /** Clears all values, because they belong to another scope. */
  clear(): void {
    this.#values.clear();
    this.history.clear();
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
  }

  /** The only source is the watch: a response to a write has the value as written, not as readers see it. */
  #put(values: readonly TagValue[]): void {
    const now = Date.now();
    for (const value of values) {
      this.#values.delete(value.path);
      this.#values.set(value.path, value);
      const number = numberOf(value);
      if (number !== undefined) this.history.add(value.path, { at: now, value: number });
      for (const listener of this.#listeners.get(value.path) ?? []) listener();
    }
    for (const path of this.#values.keys()) {
      if (this.#values.size <= MOST_VALUES) break;
      this.#values.delete(path);
    }
  }

  #open(paths: readonly string[], scope: ViewScope): void {
    this.#end?.abort();
    this.#end = null;
    clearInterval(this.#ticking);
    this.#interrupt(paths);
    if (paths.length === 0) return;
    const end = new AbortController();
    this.#end = end;
    this.#ticking = setInterval(() => this.tick.set(Date.now()), TICK_MS);
    void follow(
      (signal) => this.#client.tags.watch({ paths: [...paths], ...scope, times: true }, { signal }),
      (values) => this.#put(values),
      end.signal,
    );
  }

  #interrupt(next: readonly string[]): void {
    const staying = new Set(next);
    const now = Date.now();
    for (const path of this.#followed) if (!staying.has(path)) this.history.interrupt(path, now);
    this.#followed = next;
  }
}

/** The value as a trend shows it: null while it is bad, undefined if it is not a number. */
function numberOf({ value, quality, type }: TagValue): number | null | undefined {
  if (type !== 'Int' && type !== 'Double' && type !== 'Boolean') return undefined;
  if (!isUsable(quality) || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : undefined;
}

/** The value of a visible tag, undefined until it arrives. */
export function useLiveValue(values: LiveValues, path: string): LiveValue | undefined {
  const subscribe = useCallback((listener: () => void) => values.subscribe(path, listener), [values, path]);
  return useSyncExternalStore(subscribe, () => values.get(path));
}
