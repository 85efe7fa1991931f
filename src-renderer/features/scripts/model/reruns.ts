import type { RunReport } from '#domain/run/run';
import type { TagValue } from '#domain/tag/tag';
import type { Client } from '../../../client/client.ts';
import { follow } from '../../../client/follow.ts';
import { Store } from '../../../support/store.ts';

/** The shortest time from the start of a rerun to the start of the next one, ms. */
export const RERUN_EVERY_MS = 1_000;
/** The number of tags that are followed for a script. */
export const MOST_RERUN_TAGS = 1_000;

/** The tags of one scope. */
export interface ReadTags {
  diagram: string;
  location: string;
  paths: string[];
}

/** The tags that a script itself read, by scope, sorted; at most `MOST_RERUN_TAGS`. */
export function tagsRead({ reads }: Pick<RunReport, 'reads'>): ReadTags[] {
  const seen = new Map<string, ReadTags & { all: Set<string> }>();
  let count = 0;
  for (const { path, diagram, location } of reads) {
    const key = JSON.stringify([diagram, location]);
    const scope = seen.get(key) ?? { diagram, location, paths: [], all: new Set() };
    if (scope.all.has(path) || count >= MOST_RERUN_TAGS) continue;
    count += 1;
    scope.all.add(path);
    seen.set(key, scope);
  }
  return [...seen]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { diagram, location, all }]) => ({ diagram, location, paths: [...all].toSorted() }));
}

/** Starts a rerun; resolves when it has ended, with false if it could not start now. */
type StartRerun = () => Promise<boolean>;

/**
 * Reruns of open scripts when a tag changes that their last run read. A rerun is a dry run. At most one of a script is
 * in progress, and at most one starts per second: of all changes in between, the newest values count.
 */
export class Reruns {
  /** The scripts that rerun, by `editor` of the doc. Off after a reload. */
  readonly on = new Store<ReadonlySet<string>>(new Set());
  readonly #client: Pick<Client, 'tags'>;

  constructor(client: Pick<Client, 'tags'>) {
    this.#client = client;
  }

  turn(key: string, on: boolean): void {
    const next = new Set(this.on.get());
    if (on) next.add(key);
    else next.delete(key);
    this.on.set(next);
  }

  /** Calls `start` after changes of these tags, until the signal aborts. */
  follow(scopes: readonly ReadTags[], start: StartRerun, signal: AbortSignal): void {
    const changed = pacer(start, signal);
    for (const { diagram, location, paths } of scopes) {
      const known = new Map<string, string>();
      const look = (values: readonly TagValue[]) => {
        let differs = false;
        for (const { path, value, quality } of values) {
          const now = JSON.stringify([value, quality]);
          const before = known.get(path);
          known.set(path, now);
          // The stream begins with the current values.
          differs ||= before !== undefined && before !== now;
        }
        if (differs) changed();
      };
      void follow((end) => this.#client.tags.watch({ paths, diagram, location }, { signal: end }), look, signal);
    }
  }
}

/** Calls `start` at most once at a time and once per `RERUN_EVERY_MS`; further calls in between are one more call. */
function pacer(start: StartRerun, signal: AbortSignal): () => void {
  let [busy, again, last] = [false, false, -Infinity];
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void go(), Math.max(0, last + RERUN_EVERY_MS - performance.now()));
  };
  const go = async () => {
    if (signal.aborted) return;
    [busy, again, last] = [true, false, performance.now()];
    const ran = await start().catch(() => true);
    busy = false;
    if ((again || !ran) && !signal.aborted) later();
  };
  return () => {
    if (busy) again = true;
    else later();
  };
}
