import { useCallback, useSyncExternalStore } from 'react';

/** A value that many read and that says when it changed. Values are never changed in place. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(initial: T) {
    this.#value = initial;
  }

  readonly get = (): T => this.#value;

  /** Replaces the value; listeners hear of it only when it is another one. */
  readonly set = (next: T): void => {
    if (Object.is(next, this.#value)) return;
    this.#value = next;
    for (const listener of this.#listeners) listener();
  };

  readonly update = (change: (value: T) => T): void => this.set(change(this.#value));

  /** Returns what ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useStore<T>(store: Store<T>): T;
/** Reads a part of a store. `select` must return the same object while nothing changed. */
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S;
export function useStore<T, S>(store: Store<T>, select?: (value: T) => S): T | S {
  const read = useCallback((): T | S => (select ? select(store.get()) : store.get()), [store, select]);
  return useSyncExternalStore(store.subscribe, read);
}
