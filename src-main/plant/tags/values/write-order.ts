/** A write that is on its way. */
interface QueuedWrite {
  paths: ReadonlySet<string>;
  done: Promise<void>;
}

/** What a write waits for, and how it says that those after it may go on. */
export interface Turn {
  /** null where nothing that was asked for before writes one of the same tags. */
  before: Promise<unknown> | null;
  /** Whoever comes later can no longer overtake this write. May be called twice. */
  end(): void;
}

/**
 * Writes of one tag are made in the order in which they were asked for, however long each of them takes to be checked;
 * writes of other tags do not wait.
 */
export class WriteOrder {
  readonly #underWay = new Set<QueuedWrite>();

  /** Puts a write of these tags behind those that are on their way. */
  enter(paths: Iterable<string>): Turn {
    const own = new Set(paths);
    const earlier = [...this.#underWay].filter((ticket) => meet(own, ticket.paths));
    const { promise, resolve } = Promise.withResolvers<void>();
    const ticket = { paths: own, done: promise };
    this.#underWay.add(ticket);
    return {
      before: earlier.length === 0 ? null : Promise.all(earlier.map(({ done }) => done)),
      end: () => {
        this.#underWay.delete(ticket);
        resolve();
      },
    };
  }
}

function meet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  for (const path of fewer) if (more.has(path)) return true;
  return false;
}

/** Lets work of one sort run side by side, and work of another sort only alone. */
export class Gate {
  #alone: Promise<void> | null = null;
  readonly #together = new Set<Promise<unknown>>();

  /** Runs the work when nothing else runs; what comes meanwhile waits. */
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

  /** Runs the work beside others of its sort, at once unless something runs alone. */
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
