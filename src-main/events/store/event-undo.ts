import type { CommitQueue } from '../../storage/commit-queue.ts';
import { EVENT_BLOCK, blockOf } from '../../storage/events/event-blocks.ts';

/** Number of actions that can be undone; the oldest is forgotten. */
const MOST_ACTIONS = 10;
/** Number of blocks of 1,024 ids that all actions may cover together: 16 million ids, about 4 MB. */
const MOST_BLOCKS = 16_384;
const WORD = 32;

/** The events that one action changed, as one bit for each; events that were changed since are removed. */
export class ChangedEvents {
  readonly act: 'disable' | 'activate';
  readonly #blocks = new Map<number, { bits: Uint32Array; count: number }>();
  /** How many the action changed, how many of them can still be restored, and how many were restored. */
  made = 0;
  left = 0;
  restored = 0;

  constructor(act: 'disable' | 'activate') {
    this.act = act;
  }

  get blocks(): number {
    return this.#blocks.size;
  }

  add(id: number): void {
    const number = blockOf(id);
    const block = this.#blocks.get(number) ?? { bits: new Uint32Array(EVENT_BLOCK / WORD), count: 0 };
    const { word, bit } = bitOf(id);
    const before = block.bits[word] ?? 0;
    if ((before & bit) !== 0) return;
    this.made += 1;
    block.bits[word] = before | bit;
    block.count += 1;
    this.left += 1;
    this.#blocks.set(number, block);
  }

  remove(id: number): void {
    const number = blockOf(id);
    const block = this.#blocks.get(number);
    if (!block) return;
    const { word, bit } = bitOf(id);
    const before = block.bits[word] ?? 0;
    if ((before & bit) === 0) return;
    block.bits[word] = before & ~bit;
    block.count -= 1;
    this.left -= 1;
    if (block.count === 0) this.#blocks.delete(number);
  }

  /** Some of the remaining events, except these. */
  some(limit: number, except: ReadonlySet<number>): number[] {
    const ids: number[] = [];
    for (const [number, { bits }] of this.#blocks) {
      for (let place = 0; place < EVENT_BLOCK; place += 1) {
        const id = number * EVENT_BLOCK + place;
        const { word, bit } = bitOf(id);
        if (((bits[word] ?? 0) & bit) === 0 || except.has(id)) continue;
        ids.push(id);
        if (ids.length >= limit) return ids;
      }
    }
    return ids;
  }
}

const bitOf = (id: number): { word: number; bit: number } => {
  const place = id % EVENT_BLOCK;
  return { word: Math.floor(place / WORD), bit: 1 << (place % WORD) };
};

/** What the last actions on many events changed, by the names that clients gave them. Not kept over restarts. */
export class UndoTable {
  readonly #commits: CommitQueue;
  readonly #unsubscribe: () => void;
  /** Oldest first. */
  readonly #actions = new Map<string, ChangedEvents>();
  /** Changed by jobs since the last commit: whether they can be restored is known after it. */
  readonly #pending = new Set<number>();

  constructor(commits: CommitQueue) {
    this.#commits = commits;
    this.#unsubscribe = commits.onCommit(() => this.#pending.clear());
  }

  /** Starts to record an action. A former one of the same name is forgotten. */
  begin(name: string, act: ChangedEvents['act']): ChangedEvents {
    this.#actions.delete(name);
    const action = new ChangedEvents(act);
    this.#actions.set(name, action);
    this.#bound();
    return action;
  }

  /** Null for an action that is no longer known. */
  get(name: string): ChangedEvents | null {
    return this.#actions.get(name) ?? null;
  }

  delete(name: string): void {
    this.#actions.delete(name);
  }

  /**
   * Inside a job: after its commit, no action can restore these events, except the given one, which has just changed
   * them.
   */
  changed(ids: readonly number[], by: ChangedEvents | null = null): void {
    if (this.#actions.size === 0) return;
    for (const id of ids) this.#pending.add(id);
    this.#commits.afterCommit(() => {
      for (const action of this.#actions.values()) for (const id of ids) action.remove(id);
      // A forgotten action records no more.
      if (!by || ![...this.#actions.values()].includes(by)) return;
      for (const id of ids) by.add(id);
      this.#bound();
    });
  }

  /** Inside a job: some of the events that the action can restore now. */
  some(action: ChangedEvents, limit: number): number[] {
    return action.some(limit, this.#pending);
  }

  close(): void {
    this.#unsubscribe();
    this.#actions.clear();
  }

  #bound(): void {
    let blocks = 0;
    for (const action of this.#actions.values()) blocks += action.blocks;
    for (const [name, action] of this.#actions) {
      if (this.#actions.size <= MOST_ACTIONS && blocks <= MOST_BLOCKS) return;
      this.#actions.delete(name);
      blocks -= action.blocks;
    }
  }
}
