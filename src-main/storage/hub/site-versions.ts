import type { HubDatabase } from './hub-database.ts';

/** A site as gateways see it. */
export interface HubSite {
  site: string;
  /** Null before the first step of its mirror. */
  mirroredAt: Date | null;
  /** Changes with every change of the list, at a gateway or at the site. The same at every gateway. */
  version: string;
}

/** A site for people. */
export interface HubSiteLag {
  site: string;
  mirroredAt: Date | null;
  /** Since then, ms. */
  lagMs: number | null;
  /** Changes at gateways that the site has not applied. */
  pending: number;
}

/** The epoch distinguishes hubs: the numbers of a hub that was created again start at 0. */
const VERSION = `extract(epoch FROM s.added_at)::bigint || '.' || s.feed_seq || '.'
  || (SELECT coalesce(sum(c.count), 0) FROM change_counts c WHERE c.site = s.site)`;
const SITES = `SELECT s.site, s.mirrored_at AS "mirroredAt", ${VERSION} AS version FROM sites s`;

/** The given sites, or all. @throws TagwrightError UNAVAILABLE, as all functions here */
export function readSites(hub: HubDatabase, sites: readonly string[] | null): Promise<HubSite[]> {
  return sites === null ? hub.query<HubSite>(SITES) : hub.query<HubSite>(`${SITES} WHERE s.site = ANY($1)`, [sites]);
}

/** Sorted by name. */
export function readLags(hub: HubDatabase, sites: readonly string[]): Promise<HubSiteLag[]> {
  return hub.query<HubSiteLag>(
    `SELECT s.site, s.mirrored_at AS "mirroredAt",
       greatest(0, round(extract(epoch FROM clock_timestamp() - s.mirrored_at) * 1000))::float8 AS "lagMs",
       (SELECT count(*)::integer FROM events e WHERE e.site = s.site AND e.wanted IS NOT NULL) AS pending
     FROM sites s WHERE s.site = ANY($1) ORDER BY s.site`,
    [sites],
  );
}

/** Whether the database accepts no changes, such as a standby. */
export async function isReadOnly(hub: HubDatabase): Promise<boolean> {
  const [row] = await hub.query<{ value: string }>(`SELECT current_setting('transaction_read_only') AS value`);
  return row?.value === 'on';
}
