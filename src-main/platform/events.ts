import { messageOf } from './errors.ts';

/** The listeners of one kind of event, called in the order they were added. */
export class Listeners<T> {
  readonly #listeners = new Set<(event: T) => void>();

  /** Adds a listener; the returned function removes it, and may be called more than once. */
  add(listener: (event: T) => void): () => void {
    // A wrapper: the same function added twice is two listeners, each removed by its own remover.
    const entry = (event: T): void => listener(event);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /**
   * Calls every listener. One that throws is reported as a process warning and does not affect the others, because the
   * event has already happened.
   */
  emit(event: T): void {
    // A copy: a listener may add or remove listeners.
    const listeners = [...this.#listeners];
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (thrown) {
        process.emitWarning(`a listener failed: ${messageOf(thrown)}`, {
          type: 'ListenerWarning',
          detail: thrown instanceof Error ? (thrown.stack ?? '') : '',
        });
      }
    }
  }

  get size(): number {
    return this.#listeners.size;
  }

  clear(): void {
    this.#listeners.clear();
  }
}
