import { useCallback, useSyncExternalStore } from 'react';
import type { TagValue } from '#domain/tag';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';

/** What a row shows, and when the value came (ms of Date.now). */
export interface LiveValue extends TagValue {
  changedAt: number;
}

export interface ViewScope {
  diagram: string;
  location: string;
}

const SETTLE_MS = 120;

/**
 * The values of the tags that are in sight, and of no others: whenever other tags come into sight, the stream is opened
 * anew for these. Values of tags that were in sight are kept, so that scrolling back shows them at once.
 */
export class LiveValues {
  readonly #client: Pick<Client, 'tags'>;
  readonly #values = new Map<string, LiveValue>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #wanted = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #end: AbortController | null = null;

  constructor(client: Pick<Client, 'tags'>) {
    this.#client = client;
  }

  get(path: string): LiveValue | undefined {
    return this.#values.get(path);
  }

  /** Tells when the value of that tag changed. Returns what ends it. */
  subscribe(path: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(path) ?? new Set();
    this.#listeners.set(path, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(path);
    };
  }

  /** Follows these tags as the scope sees them; none ends it. */
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
    this.#end?.abort();
    this.#end = null;
    this.#wanted = '';
  }

  /** Forgets all values: they were those of another scope. */
  clear(): void {
    this.#values.clear();
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
  }

  /** A value that came by another way, as the answer to a write. */
  put(values: readonly TagValue[]): void {
    const changedAt = Date.now();
    for (const value of values) {
      this.#values.set(value.path, { ...value, changedAt });
      for (const listener of this.#listeners.get(value.path) ?? []) listener();
    }
  }

  #open(paths: readonly string[], scope: ViewScope): void {
    this.#end?.abort();
    this.#end = null;
    if (paths.length === 0) return;
    const end = new AbortController();
    this.#end = end;
    void follow(
      (signal) => this.#client.tags.watch({ paths: [...paths], ...scope }, { signal }),
      (values) => this.put(values),
      end.signal,
    );
  }
}

/** The value of a tag that is in sight, undefined until it came. */
export function useLiveValue(values: LiveValues, path: string): LiveValue | undefined {
  const subscribe = useCallback((listener: () => void) => values.subscribe(path, listener), [values, path]);
  return useSyncExternalStore(subscribe, () => values.get(path));
}
