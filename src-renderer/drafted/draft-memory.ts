/** Where drafts outlive the page: the browser's storage, or a replacement in tests. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

interface DraftMemoryOptions<Draft> {
  /** `tagwright.mocks.draft.WORKSPACE.`: drafts belong to a view and a workspace. */
  prefix: string;
  /** Whether the stored value (perhaps from another version) is a draft. */
  isDraft: (value: Draft) => boolean;
  storage?: DraftStorage | undefined;
}

/** Drafts in the browser, one entry each, so that two windows do not overwrite each other's drafts. */
export class DraftMemory<Draft extends { key: string }> {
  readonly #storage: DraftStorage;
  readonly #options: DraftMemoryOptions<Draft>;

  constructor(options: DraftMemoryOptions<Draft>) {
    this.#storage = options.storage ?? localStorage;
    this.#options = options;
  }

  /** All stored drafts; unreadable entries are not changed. */
  read(): Draft[] {
    try {
      const { prefix } = this.#options;
      const keys = Array.from({ length: this.#storage.length }, (_, place) => this.#storage.key(place));
      return keys.filter((key) => key?.startsWith(prefix)).flatMap((key) => this.#parsed(key ?? ''));
    } catch {
      return [];
    }
  }

  /** False if the browser does not store it. */
  write(draft: Draft): boolean {
    try {
      this.#storage.setItem(this.#options.prefix + draft.key, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  forget(key: string): void {
    try {
      this.#storage.removeItem(this.#options.prefix + key);
    } catch {
      // Access to storage can be denied; then nothing is stored.
    }
  }

  #parsed(key: string): Draft[] {
    try {
      const draft: Draft = JSON.parse(this.#storage.getItem(key) ?? '');
      return this.#options.isDraft(draft) ? [draft] : [];
    } catch {
      return [];
    }
  }
}
