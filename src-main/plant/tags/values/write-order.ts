/** A write in progress. */
interface QueuedWrite {
  paths: ReadonlySet<string>;
  done: Promise<void>;
}

/** The wait of a write for earlier ones, and the release of later ones. */
export interface Turn {
  /** null if no earlier write has one of the same tags. */
  before: Promise<unknown> | null;
  /** Later writes can no longer overtake this one. May be called twice. */
  end(): void;
}

/**
 * Writes of one tag are made in the order of their requests, however long each check takes; writes of other tags do not
 * wait.
 */
export class WriteOrder {
  readonly #inProgress = new Set<QueuedWrite>();

  /** Queues a write of these tags behind those in progress. */
  enter(paths: Iterable<string>): Turn {
    const own = new Set(paths);
    const earlier = [...this.#inProgress].filter((queued) => overlap(own, queued.paths));
    const { promise, resolve } = Promise.withResolvers<void>();
    const queued = { paths: own, done: promise };
    this.#inProgress.add(queued);
    return {
      before: earlier.length === 0 ? null : Promise.all(earlier.map(({ done }) => done)),
      end: () => {
        this.#inProgress.delete(queued);
        resolve();
      },
    };
  }
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  for (const path of fewer) if (more.has(path)) return true;
  return false;
}

/** Lets work of one sort run concurrently, and work of another sort only alone. */
export class Gate {
  #alone: Promise<void> | null = null;
  readonly #together = new Set<Promise<unknown>>();

  /** Runs the work when nothing else runs; later work waits. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#alone;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#alone = promise;
    await before;
    await Promise.allSettled(this.#together);
    try {
      return await work();
    } finally {
      if (this.#alone === promise) this.#alone = null;
      resolve();
    }
  }

  /** Runs the work concurrently with others of its sort, at once unless something runs alone. */
  async together<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    const running = work();
    this.#together.add(running);
    try {
      return await running;
    } finally {
      this.#together.delete(running);
    }
  }
}
