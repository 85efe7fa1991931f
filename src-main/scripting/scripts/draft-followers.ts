import { partsOfDraftKey } from '#domain/run/script';
import type { DraftSummary } from '#domain/run/script';
import { Listeners } from '../../platform/events.ts';
import { pause } from '../../platform/pause.ts';
import type { StoredDraft } from '../../storage/repositories/draft-repository.ts';

/** The minimum time between two lists for a window, ms. */
const BATCH_MS = 100;

/** The open windows, and the lists of drafts that they follow. A window is open as long as it follows. */
export class DraftFollowers {
  readonly #list: () => StoredDraft[];
  /** The streams of each open window: one, or two while a window reconnects. */
  readonly #open = new Map<string, number>();
  readonly #changes = new Listeners<void>();

  constructor(list: () => StoredDraft[]) {
    this.#list = list;
  }

  /** Call after drafts were stored or discarded. */
  changed(): void {
    this.#changes.emit();
  }

  isOpen(window: string): boolean {
    return this.#open.has(window);
  }

  /** The drafts now and after each change; `window` is open until `signal` aborts. */
  async *follow(window: string, signal: AbortSignal): AsyncGenerator<DraftSummary[]> {
    const state = { stale: true };
    let wake = Promise.withResolvers<void>();
    const nudge = () => {
      state.stale = true;
      wake.resolve();
    };
    this.#count(window, 1);
    const unsubscribe = this.#changes.add(nudge);
    signal.addEventListener('abort', nudge, { once: true });
    try {
      while (!signal.aborted) {
        state.stale = false;
        yield this.#summaries();
        await pause(BATCH_MS, signal);
        wake = Promise.withResolvers();
        if (!state.stale && !signal.aborted) await wake.promise;
      }
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', nudge);
      this.#count(window, -1);
    }
  }

  #count(window: string, by: 1 | -1): void {
    const streams = (this.#open.get(window) ?? 0) + by;
    if (streams > 0) this.#open.set(window, streams);
    else this.#open.delete(window);
    this.changed();
  }

  #summaries(): DraftSummary[] {
    return this.#list().map((draft) => ({ ...draft, isOpen: this.isOpen(partsOfDraftKey(draft.key).window) }));
  }
}
