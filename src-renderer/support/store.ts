import { useCallback, useSyncExternalStore } from 'react';

/** A value with several readers that notifies them of changes. Values are never mutated. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();
  #isHeld = false;

  constructor(initial: T) {
    this.#value = initial;
  }

  readonly get = (): T => this.#value;

  /** Replaces the value; listeners are notified only if it is a different one. */
  readonly set = (next: T): void => {
    if (Object.is(next, this.#value)) return;
    this.#value = next;
    if (!this.#isHeld) this.#notify();
  };

  readonly #notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Does `work`, whose changes can be read at once; `later` gets a function that notifies the listeners of them. */
  hold(work: () => void, later: (notify: () => void) => void): void {
    const before = this.#value;
    this.#isHeld = true;
    try {
      work();
    } finally {
      this.#isHeld = false;
      if (!Object.is(before, this.#value)) later(this.#notify);
    }
  }

  readonly update = (change: (value: T) => T): void => this.set(change(this.#value));

  /** Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useStore<T>(store: Store<T>): T;
/** Reads a part of a store. `select` must return the same object while nothing changes. */
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S;
export function useStore<T, S>(store: Store<T>, select?: (value: T) => S): T | S {
  const read = useCallback((): T | S => (select ? select(store.get()) : store.get()), [store, select]);
  return useSyncExternalStore(store.subscribe, read);
}
