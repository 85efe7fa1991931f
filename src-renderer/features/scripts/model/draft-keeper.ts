import type { Draft } from '#domain/run/script';

/** Stores drafts. */
export interface DraftStore {
  put(draft: Draft): Promise<unknown>;
  discard(key: string): Promise<unknown>;
}

/** Holds drafts that can't be sent yet. */
export interface DraftMirror {
  read(): Draft[];
  /** Replaces all; false if they could not be stored. */
  write(drafts: Draft[]): boolean;
}

export interface DraftKeeperOptions {
  store: DraftStore;
  mirror: DraftMirror;
  /** Delay after a failure, ms. */
  retryMs?: number;
}

/**
 * Sends drafts to the workspace, one at a time for each key and always the newest. Drafts
 * that can't be sent wait in the mirror, which outlives the page, and are sent later.
 */
export class DraftKeeper {
  readonly #options: Required<DraftKeeperOptions>;
  /** The pending operation of a key: the draft to put, or null to discard. */
  readonly #wanted = new Map<string, Draft | null>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sending = new Map<string, Promise<void>>();
  /** Sent, but not confirmed yet. */
  readonly #sent = new Map<string, Draft | null>();

  constructor(options: DraftKeeperOptions) {
    this.#options = { retryMs: 1_000, ...options };
  }

  keep(draft: Draft): void {
    this.#want(draft.key, draft, 0);
  }

  /** Discards a draft: it was saved, or is no longer wanted. */
  discard(key: string): void {
    this.#want(key, null, 0);
  }

  /**
   * Drafts that an earlier page may not have sent, if they are newer than those of the workspace. They are sent now.
   */
  recover(kept: ReadonlyMap<string, Draft>): Draft[] {
    const newer = this.#options.mirror
      .read()
      .filter((draft) => draft.changedAt > (kept.get(draft.key)?.changedAt ?? ''));
    for (const draft of newer) this.#want(draft.key, draft, 0);
    if (newer.length === 0) this.#options.mirror.write([]);
    return newer;
  }

  /** Writes pending drafts to the mirror, because the page may end; false if they would be lost with the page. */
  rescue(): boolean {
    const waiting = [...this.#sent, ...this.#wanted].map(([, draft]) => draft).filter((draft) => draft !== null);
    return waiting.length === 0 || this.#options.mirror.write(waiting);
  }

  /** Resolves when everything has been sent or has failed once. */
  async flush(): Promise<void> {
    for (const key of this.#wanted.keys()) void this.#send(key);
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
      setTimeout(() => {
        this.#timers.delete(key);
        void this.#send(key);
      }, delayMs),
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
    this.#sent.set(key, draft);
    try {
      await (draft === null ? this.#options.store.discard(key) : this.#options.store.put(draft));
      this.#sent.delete(key);
      if (this.#wanted.size === 0 && this.#sent.size === 0) this.#options.mirror.write([]);
    } catch {
      this.#sent.delete(key);
      if (!this.#wanted.has(key)) this.#want(key, draft, this.#options.retryMs);
      this.rescue();
    }
  }
}
