import { Store } from '../../../../support/store.ts';
import type { Memory } from '../../model/scripts-state.ts';

const MEMORY = 'debug.watches';
const MOST = 100;

/** The watched expressions of this browser. */
export class Watches {
  readonly store: Store<readonly string[]>;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    const stored = memory.read<unknown[]>(MEMORY, []);
    this.store = new Store<readonly string[]>(stored.filter((one) => typeof one === 'string').slice(0, MOST));
  }

  /** Adds an expression, unless it is watched. */
  add(expression: string): void {
    const text = expression.trim();
    const all = this.store.get();
    if (text !== '' && !all.includes(text) && all.length < MOST) this.#set([...all, text]);
  }

  change(before: string, after: string): void {
    const text = after.trim();
    if (text === '') return this.remove(before);
    const all = this.store.get();
    if (!all.includes(text)) this.#set(all.map((one) => (one === before ? text : one)));
  }

  remove(expression: string): void {
    this.#set(this.store.get().filter((one) => one !== expression));
  }

  #set(all: readonly string[]): void {
    this.store.set(all);
    this.#memory.write(MEMORY, all);
  }
}
