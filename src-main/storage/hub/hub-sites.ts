import { randomBytes } from 'node:crypto';
import { SITE_NAME } from '#domain/event/hub';
import { TagwrightError } from '../../platform/errors.ts';
import type { HubDatabase } from './hub-database.ts';

/** A site at a hub, for people. */
export interface ListedSite {
  site: string;
  /** When the hub last had everything, RFC 3339 in UTC; null before that. */
  mirroredAt: string | null;
  /** Time since then, s. */
  lagSeconds: number | null;
  /** Events and pending changes of gateways. */
  events: number;
  wanted: number;
  version: string | null;
}

/** Rows that one statement of a deletion deletes. */
const STEP = 5_000;
/** Before the role of a site whose removal has begun. */
const REMOVED = 'removed-';
const ROLE = /^tagwright_/;

/**
 * Adds a site with a database role, and returns the address for its setting `hub.url`. The password is stored nowhere else.
 * @throws TagwrightError BAD_REQUEST for a bad name, CONFLICT if there is such a site
 */
export async function addSite(hub: HubDatabase, url: string, site: string): Promise<string> {
  if (!SITE_NAME.test(site)) {
    throw new TagwrightError(
      'BAD_REQUEST',
      `"${site}" is not a name of a site: use 1 to 48 lower-case letters, digits and inner hyphens.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  const role = await hub.transaction(async (client) => {
    const { rows } = await client.query<{ database: string; taken: boolean }>(
      `SELECT current_database() AS database, EXISTS (SELECT FROM sites WHERE site = $1) AS taken`,
      [site],
    );
    if (rows[0]?.taken !== false)
      throw new TagwrightError('CONFLICT', `The hub has a site "${site}". Choose another name, or remove it first.`);
    // Roles belong to the whole server, which can have several hubs.
    const name = `tagwright_${site.replaceAll('-', '_')}_${randomBytes(3).toString('hex')}`.slice(0, 63);
    // A role can't be a parameter; the name and the password have only letters, digits, "_" and "-".
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE tagwright_sites`);
    await client.query('INSERT INTO sites (site, role) VALUES ($1, $2)', [site, name]);
    return name;
  });
  const address = new URL(url);
  address.username = role;
  address.password = password;
  return address.href;
}

/** All sites, by name. */
export async function listSites(hub: HubDatabase): Promise<ListedSite[]> {
  const rows = await hub.query<{
    site: string;
    mirrored_at: Date | null;
    lag: number | null;
    events: string;
    wanted: string;
    version: string | null;
  }>(
    `SELECT site, mirrored_at, extract(epoch FROM now() - mirrored_at)::float8 AS lag, version,
       (SELECT count(*) FROM events AS e WHERE e.site = s.site) AS events,
       (SELECT count(*) FROM events AS e WHERE e.site = s.site AND e.wanted IS NOT NULL) AS wanted
     FROM sites AS s ORDER BY site`,
  );
  return rows.map(({ site, mirrored_at: at, lag, events, wanted, version }) => ({
    site,
    mirroredAt: at?.toISOString() ?? null,
    lagSeconds: lag === null ? null : Math.max(0, Math.round(lag * 10) / 10),
    events: Number(events),
    wanted: Number(wanted),
    version,
  }));
}

/**
 * Deletes a site with its role, events and rows, in small steps. The site itself keeps everything. If it fails, it can be
 * repeated: the site is deleted last.
 * @throws TagwrightError NOT_FOUND
 */
export async function removeSite(hub: HubDatabase, site: string): Promise<void> {
  const [found] = await hub.query<{ role: string }>('SELECT role FROM sites WHERE site = $1', [site]);
  if (!found) throw new TagwrightError('NOT_FOUND', `The hub has no site "${site}".`);
  // The mirror stops at once, because its role no longer sees the site.
  const role = found.role.startsWith(REMOVED) ? found.role.slice(REMOVED.length) : found.role;
  await hub.query('UPDATE sites SET role = $2 WHERE site = $1', [site, REMOVED + role]);
  for (const table of ['events', 'data_rows', 'event_changes', 'audit', 'change_counts'])
    await deleteInSteps(hub, table, '', [site]);
  if (ROLE.test(role)) await dropRole(hub, role);
  await hub.query('DELETE FROM sites WHERE site = $1', [site]);
}

/** Ends its connections, whose temporary tables belong to it. */
async function dropRole(hub: HubDatabase, role: string): Promise<void> {
  const [exists] = await hub.query<object>('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (!exists) return;
  const name = `"${role.replaceAll('"', '""')}"`;
  // Only members of a role can end its connections, and the role that created it is none.
  await hub.query(`ALTER ROLE ${name} NOLOGIN; GRANT ${name} TO CURRENT_USER`);
  await hub.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1', [role]);
  await hub.query(`DROP ROLE ${name}`);
}

/** What `retain` deleted. */
export interface Retained {
  rows: number;
  changes: number;
  audit: number;
}

/** Deletes entries of feeds, records of changes, and rows without an event that are older than some days, in small steps. */
export async function retain(hub: HubDatabase, days: number): Promise<Retained> {
  const deleted: Retained = { rows: 0, changes: 0, audit: 0 };
  const before = `now() - make_interval(days => $2)`;
  for (const { site } of await hub.query<{ site: string }>('SELECT site FROM sites ORDER BY site')) {
    deleted.changes += await deleteInSteps(hub, 'event_changes', `AND at < ${before}`, [site, days]);
    deleted.audit += await deleteInSteps(hub, 'audit', `AND at < ${before}`, [site, days]);
    deleted.rows += await deleteOldRows(hub, site, days);
  }
  return deleted;
}

/**
 * Deletes rows without an event. Events have no index of their rows, which would slow down the mirror: they are all read, so that
 * happens once, and not for each step.
 */
function deleteOldRows(hub: HubDatabase, site: string, days: number): Promise<number> {
  const before = `now() - make_interval(days => ${Math.round(days)})`;
  return hub.session(async (client) => {
    await client.query('SET statement_timeout = 0');
    await client.query(`DECLARE old_rows CURSOR WITH HOLD FOR SELECT result_table, id FROM data_rows AS r
      WHERE site = ${client.escapeLiteral(site)} AND mirrored_at < ${before} AND NOT EXISTS (SELECT FROM events AS e
        WHERE e.site = r.site AND e.result_table_name = r.result_table AND e.result_table_record_id = r.id)`);
    let count = 0;
    for (;;) {
      const { rows } = await client.query<{ result_table: string; id: string }>(`FETCH ${STEP} FROM old_rows`);
      if (rows.length === 0) return count;
      // A row that was mirrored again in the meantime is a new one.
      const { rowCount } = await client.query(
        `DELETE FROM data_rows AS r USING unnest($2::text[], $3::bigint[]) AS k (result_table, id)
         WHERE r.site = $1 AND r.result_table = k.result_table AND r.id = k.id AND r.mirrored_at < ${before}`,
        [site, rows.map((row) => row.result_table), rows.map((row) => row.id)],
      );
      count += rowCount ?? 0;
    }
  });
}

/** Rows of one site: a place in a table (ctid) says nothing if the table is distributed by site. */
async function deleteInSteps(
  hub: HubDatabase,
  table: string,
  and: string,
  values: readonly [site: string, ...others: unknown[]],
): Promise<number> {
  let count = 0;
  for (;;) {
    const deleted = await hub.query<{ one: number }>(
      `DELETE FROM ${table} WHERE site = $1 AND ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE site = $1 ${and} LIMIT ${STEP})) RETURNING 1 AS one`,
      values,
    );
    count += deleted.length;
    if (deleted.length < STEP) return count;
  }
}
