import { outsideRequests } from '../../platform/telemetry/spans.ts';
import type { HubDatabase } from './hub-database.ts';
import type { ConsumerChange, HubEvent } from './hub-events.ts';
import { CHANGE, CHANGES_JOINED, WANTED_ACTIONS } from './hub-events.ts';

/** Changes of one site wait for each other only if they add to the same count. */
const SHARDS = 64;
const MOST_JOINED = 100;

interface WaitingChange {
  change: ConsumerChange;
  resolve: (event: HubEvent | null) => void;
  reject: (thrown: unknown) => void;
}

/**
 * The changes of one site at this gateway. Changes that arrive together, or while others are written, share a statement and
 * its commit, which takes a third of PostgreSQL's time for a change. A joined statement never waits for an event: it skips
 * events that another transaction is changing, and each of these gets a statement of its own. So statements can't wait for
 * events of each other, and one event delays no other.
 */
export class JoinedChanges {
  readonly #hub: HubDatabase;
  readonly #site: string;
  #waiting: WaitingChange[] = [];
  /** Whether a joined statement is running: the next one has all changes that arrive until it has ended. */
  #isRunning = false;
  #isDue = false;

  constructor(hub: HubDatabase, site: string) {
    this.#hub = hub;
    this.#site = site;
  }

  /** Resolves after the commit with the event as it is shown now; null if there is none. @throws TagwrightError UNAVAILABLE */
  add(change: ConsumerChange): Promise<HubEvent | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      this.#plan();
    });
  }

  /** Begins after all requests that have arrived in this turn of the event loop. */
  #plan(): void {
    if (this.#isDue || this.#isRunning || this.#waiting.length === 0) return;
    this.#isDue = true;
    outsideRequests(() =>
      setImmediate(() => {
        this.#isDue = false;
        void this.#run(this.#take());
      }),
    );
  }

  /** The oldest waiting changes, one for each event. */
  #take(): WaitingChange[] {
    const taken = new Map<number, WaitingChange>();
    this.#waiting = this.#waiting.filter((one) => {
      if (taken.size >= MOST_JOINED || taken.has(one.change.id)) return true;
      taken.set(one.change.id, one);
      return false;
    });
    return [...taken.values()];
  }

  async #run(some: readonly WaitingChange[]): Promise<void> {
    this.#isRunning = true;
    try {
      const changed = await this.#changeAll(some.map(({ change }) => change));
      for (const { change, resolve, reject } of some) {
        const event = changed.get(change.id);
        if (event) resolve(event);
        else this.#changeOne(change).then(resolve, reject);
      }
    } catch (thrown) {
      for (const { reject } of some) reject(thrown);
    } finally {
      this.#isRunning = false;
      this.#plan();
    }
  }

  /** Prepared: planning changes takes longer than the changes. */
  async #changeAll(some: readonly ConsumerChange[]): Promise<ReadonlyMap<number, HubEvent>> {
    const values = [
      this.#site,
      some.map(({ id }) => id),
      some.map(({ wanted }) => wanted),
      some.map(({ consumer }) => consumer),
      some.map(({ address }) => address),
      shard(),
    ];
    const rows = await this.#hub.prepared<HubEvent>('changes', CHANGES_JOINED, values);
    return new Map(rows.map((row) => [row.event.AggregationEventId, row]));
  }

  async #changeOne({ id, wanted, consumer, address }: ConsumerChange): Promise<HubEvent | null> {
    const values = [this.#site, id, wanted, consumer, shard(), WANTED_ACTIONS[wanted], address];
    return (await this.#hub.prepared<HubEvent>('change', CHANGE, values))[0] ?? null;
  }
}

const shard = (): number => Math.floor(Math.random() * SHARDS);
