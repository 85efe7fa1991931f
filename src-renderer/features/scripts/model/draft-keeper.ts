import type { Draft } from '#domain/script';

/** Where drafts go. */
export interface DraftStore {
  put(draft: Draft): Promise<unknown>;
  discard(key: string): Promise<unknown>;
}

/** Where drafts wait while they cannot be sent. */
export interface DraftMirror {
  read(): Draft[];
  write(drafts: Draft[]): void;
}

export interface DraftKeeperOptions {
  store: DraftStore;
  mirror: DraftMirror;
  /** After the last change, ms. */
  delayMs?: number;
  /** After a failure, ms. */
  retryMs?: number;
}

/**
 * Sends drafts to the workspace, soon after the last change, one at a time for each key and always the newest. What
 * cannot be sent waits in the mirror, which outlives the page, and is sent when it can be.
 */
export class DraftKeeper {
  readonly #options: Required<DraftKeeperOptions>;
  /** What is to be done for a key: the draft to put, or null to discard. */
  readonly #wanted = new Map<string, Draft | null>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(options: DraftKeeperOptions) {
    this.#options = { delayMs: 400, retryMs: 1_000, ...options };
  }

  keep(draft: Draft): void {
    this.#want(draft.key, draft, this.#options.delayMs);
  }

  /** Forgets a draft: it was saved, or is not wanted any more. */
  discard(key: string): void {
    this.#want(key, null, 0);
  }

  /** Whether changes wait that the workspace does not have. */
  get waiting(): boolean {
    return this.#wanted.size > 0 || this.#sending.size > 0;
  }

  /** Drafts that an earlier page could not send. They are sent now, and win over those of the workspace. */
  recover(): Draft[] {
    const drafts = this.#options.mirror.read();
    for (const draft of drafts) this.#want(draft.key, draft, 0);
    return drafts;
  }

  /** Writes what waits into the mirror: the page may end at once. */
  rescue(): void {
    this.#options.mirror.write([...this.#wanted.values()].filter((draft) => draft !== null));
  }

  /** Resolves when everything has been sent or has failed once. */
  async flush(): Promise<void> {
    for (const key of [...this.#wanted.keys()]) void this.#send(key);
    await Promise.all(this.#sending.values());
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #want(key: string, draft: Draft | null, delayMs: number): void {
    this.#wanted.set(key, draft);
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => void this.#send(key), delayMs),
    );
  }

  #send(key: string): Promise<void> {
    const running = this.#sending.get(key);
    if (running) return running;
    const sending = this.#sendNow(key).finally(() => {
      this.#sending.delete(key);
      if (this.#wanted.has(key) && !this.#timers.has(key)) this.#want(key, this.#wanted.get(key) ?? null, 0);
    });
    this.#sending.set(key, sending);
    return sending;
  }

  async #sendNow(key: string): Promise<void> {
    const draft = this.#wanted.get(key);
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    if (draft === undefined) return;
    this.#wanted.delete(key);
    try {
      await (draft === null ? this.#options.store.discard(key) : this.#options.store.put(draft));
      if (this.#wanted.size === 0) this.#options.mirror.write([]);
    } catch {
      if (!this.#wanted.has(key)) this.#want(key, draft, this.#options.retryMs);
      this.rescue();
    }
  }
}
