import type { Draft, DraftSummary } from '#domain/run/script';
import { partsOfDraftKey } from '#domain/run/script';
import { follow } from '../../../client/follow.ts';
import type { OpenDocs } from './open-docs.ts';
import { isDirty } from './script-document.ts';
import type { ScriptsClient } from './scripts-state.ts';

interface WindowDraftsParts {
  client: ScriptsClient;
  open: OpenDocs;
  window: string;
  /** Whether this window is saving a script; its draft is then gone for a moment. */
  isSaving: (key: string) => boolean;
}

/** Which drafts belong to this window, and which to others: a closed window's drafts are taken over. */
export class WindowDrafts {
  readonly #client: ScriptsClient;
  readonly #open: OpenDocs;
  readonly #window: string;
  readonly #isSaving: (key: string) => boolean;

  constructor({ client, open, window, isSaving }: WindowDraftsParts) {
    this.#client = client;
    this.#open = open;
    this.#window = window;
    this.#isSaving = isSaving;
  }

  /** Follows the drafts of all windows until `signal` aborts; resolves when they are known. */
  follow(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    void follow(
      (end) => this.#client.drafts.follow({ window: this.#window }, { signal: end }),
      (drafts) => {
        this.#changed(drafts);
        resolve();
      },
      signal,
      reject,
    );
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise;
  }

  /** Whether a script that was never saved is only in other open windows. */
  isOnlyElsewhere(key: string): boolean {
    const { drafts, docs } = this.#open.store.get();
    const there = this.#others(key);
    return !docs.has(key) && !drafts.has(key) && there.length > 0 && there.every(({ isOpen }) => isOpen);
  }

  /** This window's draft of a script, otherwise the last one of the closed windows, which it takes. */
  async own(key: string): Promise<Draft | undefined> {
    const own = this.#open.store.get().drafts.get(key);
    const left = this.#others(key).find((draft) => !draft.isOpen);
    if (own || !left) return own;
    try {
      const draft = await this.#client.drafts.take({ key: left.key, window: this.#window });
      this.#open.patch({ drafts: new Map(this.#open.store.get().drafts).set(key, draft) });
      return draft;
    } catch {
      // Another window was faster; it is shown as that window's draft.
      return undefined;
    }
  }

  /** The text of another window's draft of a script. */
  async copyOf(key: string): Promise<Draft | undefined> {
    const [other] = this.#others(key);
    return other && (await this.#client.drafts.get({ key: other.key }));
  }

  #others(key: string): DraftSummary[] {
    return this.#open.store.get().others.filter((draft) => partsOfDraftKey(draft.key).script === key);
  }

  #changed(all: readonly DraftSummary[]): void {
    const isOwn = ({ key }: DraftSummary) => partsOfDraftKey(key).window === this.#window;
    this.#open.patch({ others: all.filter((draft) => !isOwn(draft)) });
    const stored = new Set(all.filter(isOwn).map(({ key }) => partsOfDraftKey(key).script));
    for (const doc of this.#open.store.get().docs.values()) {
      // Taken by another window while this one was disconnected.
      if (isDirty(doc) && !stored.has(doc.key) && !this.#isSaving(doc.key)) this.#open.document(doc.key)?.keepDraft();
    }
  }
}
