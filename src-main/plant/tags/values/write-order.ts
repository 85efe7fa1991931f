/** A write that is on its way. */
interface Ticket {
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
  readonly #underWay = new Set<Ticket>();

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
