import { Listeners } from '../../platform/events.ts';
import { outsideRequests } from '../../platform/telemetry/spans.ts';
import type { HubDatabase } from '../../storage/hub/hub-database.ts';
import type { HubSite } from '../../storage/hub/site-versions.ts';
import { readSites } from '../../storage/hub/site-versions.ts';

/** How old the known sites may be, ms; their version is read for each list. */
const KNOWN_MS = 1_000;
/** Interval at which versions are read while a client waits for a change, ms. NOTIFY would lock the database at each commit. */
const POLL_MS = 200;

/** The sites of the hub, and news of sites that have readers. */
export class GatewaySites {
  readonly #hub: HubDatabase;
  #known: { at: number; sites: Promise<ReadonlyMap<string, HubSite>> } | null = null;
  readonly #readers = new Map<string, number>();
  readonly #versions = new Map<string, string>();
  readonly #changes = new Listeners<ReadonlySet<string>>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(hub: HubDatabase) {
    this.#hub = hub;
  }

  /** By name, at most a second old. @throws TagwrightError UNAVAILABLE */
  all(): Promise<ReadonlyMap<string, HubSite>> {
    if (this.#known && performance.now() - this.#known.at < KNOWN_MS) return this.#known.sites;
    const sites = readSites(this.#hub, null).then((found) => new Map(found.map((site) => [site.site, site])));
    const known = { at: performance.now(), sites };
    this.#known = known;
    sites.catch(() => {
      if (this.#known === known) this.#known = null;
    });
    return sites;
  }

  /** Called with the sites that have changed; the returned function removes the listener. */
  onChange(listener: (sites: ReadonlySet<string>) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Follows the sites until the returned function is called. */
  read(sites: readonly string[]): () => void {
    for (const site of sites) this.#readers.set(site, (this.#readers.get(site) ?? 0) + 1);
    this.#timer ??= outsideRequests(() => setTimeout(() => void this.#poll(), POLL_MS));
    return () => {
      for (const site of sites) {
        const left = (this.#readers.get(site) ?? 1) - 1;
        if (left > 0) this.#readers.set(site, left);
        else {
          this.#readers.delete(site);
          // The next reader may have read before the next poll.
          this.#versions.delete(site);
        }
      }
    };
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #poll(): Promise<void> {
    try {
      const changed = new Set<string>();
      for (const { site, version } of await readSites(this.#hub, [...this.#readers.keys()])) {
        if (this.#versions.get(site) !== version) changed.add(site);
        if (this.#readers.has(site)) this.#versions.set(site, version);
      }
      if (changed.size > 0) this.#changes.emit(changed);
    } catch {
      // The next one tries again; requests report the problem.
    }
    const isWanted = this.#readers.size > 0 && !this.#isClosed;
    this.#timer = isWanted ? setTimeout(() => void this.#poll(), POLL_MS) : null;
  }
}
