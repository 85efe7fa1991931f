/** Where drafts outlive the page; the browser's storage, or what a test puts in its place. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

interface Options<Draft> {
  /** `tagwright.mocks.draft.WORKSPACE.`: drafts belong to a view and a workspace. */
  prefix: string;
  /** Whether what was kept (perhaps by another version) is a draft. */
  isDraft: (value: Draft) => boolean;
  storage?: DraftStorage | undefined;
}

/** Drafts in the browser, an entry each, so that two windows do not overwrite what the other one keeps. */
export class DraftMemory<Draft extends { key: string }> {
  readonly #storage: DraftStorage;
  readonly #options: Options<Draft>;

  constructor(options: Options<Draft>) {
    this.#storage = options.storage ?? localStorage;
    this.#options = options;
  }

  /** All that are kept; what cannot be read is left where it is. */
  read(): Draft[] {
    try {
      const { prefix } = this.#options;
      const keys = Array.from({ length: this.#storage.length }, (_, place) => this.#storage.key(place));
      return keys.filter((key) => key?.startsWith(prefix)).flatMap((key) => this.#parsed(key ?? ''));
    } catch {
      return [];
    }
  }

  /** False when the browser does not keep it. */
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
      // A storage that is forbidden keeps nothing either.
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
