import { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { addSite } from '../../../src-main/storage/hub/hub-sites.ts';
import { EventStore } from '../../../src-main/events/store/event-store.ts';
import { Mirror } from '../../../src-main/hub/mirror/mirror.ts';
import type { WorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import type { PostgresServer } from './postgres.ts';

/** A site without rules: `fire` writes rows with their events, as rules do. */
export interface HubSite {
  store: WorkspaceStore;
  events: EventStore;
  fire: (count: number, table?: string, triggersEvents?: boolean) => Promise<void>;
  /** Adds a rule that has a table. */
  addRule: (table: string) => Promise<void>;
  mirror: (url: string, site?: string) => Mirror;
  close: () => Promise<void>;
}

export const TABLE = 'results_1';

export function openSite(store: WorkspaceStore): HubSite {
  const events = new EventStore(store);
  const mirrors: Mirror[] = [];
  return {
    store,
    events,
    fire: (count, table = TABLE, triggersEvents = true) =>
      store.commits.run(() => {
        store.results.ensure(table, [{ name: 'text', type: 'TEXT' }]);
        for (let n = 0; n < count; n += 1) {
          const at = new Date(Date.now() + n).toISOString().replace('Z', '+00:00');
          const values = [`tab\t "quoted" \\ line\n nul\0 ${n}`];
          const row = {
            firedAt: at,
            firedBy: 'window',
            windowStart: at,
            windowEnd: at,
            samples: 1,
            badSamples: 0,
          } as const;
          const id = store.results.insert(table, ['text'], { ...row, values });
          if (!triggersEvents) continue;
          events.insert({
            ruleId: 1,
            eventDateTime: at,
            at: Date.parse(at),
            resultTableName: table,
            resultTableRecordId: id,
          });
        }
      }),
    addRule: (table) =>
      store.commits.run(() => {
        const text = { definition: '{}', savedAt: new Date().toISOString(), enabled: 1, triggersEvents: 0 };
        store.rules.nameTable(store.rules.insert({ name: table, nameKey: table, ...text }), table);
      }),
    mirror: (url, site = 'leeds') => {
      const { mirrorState, commits, clock, database } = store;
      const mirror = new Mirror({ url, site, file: database.name, version: '1', events, mirrorState, commits, clock });
      mirrors.push(mirror);
      return mirror;
    },
    close: async () => {
      await Promise.all(mirrors.map((mirror) => mirror.close()));
      events.close();
      store.close();
    },
  };
}

/** Creates a hub with a site in a database of its own; its superuser and the address of the site. */
export async function createHub(
  server: PostgresServer,
  database: string,
  site = 'leeds',
): Promise<{ hub: HubDatabase; url: string }> {
  server.createDatabase(database);
  const hub = await HubDatabase.open({ url: server.url(database), connections: 4, name: 'test' });
  await hub.migrate();
  return { hub, url: await addSite(hub, server.url(database), site) };
}

/** What a hub and a site differ in: nothing once everything is mirrored. */
export async function differences(hub: HubDatabase, { store }: HubSite, site = 'leeds'): Promise<string[]> {
  const at = await hub.query<{ text: string }>(
    `SELECT concat_ws(' ', id, rule_id, event_date_time, at_ms, active::int, result_table_name, result_table_record_id, wanted) AS text
     FROM events WHERE site = $1 ORDER BY id`,
    [site],
  );
  const here = store.database
    .prepare<[], string>(
      `SELECT concat_ws(' ', id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id)
       FROM events ORDER BY id`,
    )
    .pluck()
    .all();
  const hubRows = await hub.query<{ text: string }>(
    `SELECT concat_ws(' ', result_table, id, data->>'samples', length(data->>'text')) AS text FROM data_rows
     WHERE site = $1 ORDER BY result_table, id`,
    [site],
  );
  const tables = store.database
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'results_%' ORDER BY name`)
    .pluck()
    .all();
  const rows = tables.flatMap((table) =>
    store.results
      .page(table, { before: Number.MAX_SAFE_INTEGER, limit: 1_000_000 })
      .toReversed()
      .map((row) => `${table} ${row[0]} ${row[5]} ${String(row[7]).length}`),
  );
  return [
    ...different(
      'event',
      here,
      at.map(({ text }) => text),
    ),
    ...different(
      'row',
      rows,
      hubRows.map(({ text }) => text),
    ),
  ];
}

function different(what: string, site: readonly string[], hub: readonly string[]): string[] {
  const [atSite, atHub] = [new Set(site), new Set(hub)];
  return [
    ...site.filter((text) => !atHub.has(text)).map((text) => `${what} only at the site: ${text}`),
    ...hub.filter((text) => !atSite.has(text)).map((text) => `${what} only at the hub: ${text}`),
  ];
}

/** The number of events at a hub without the row that they name. */
export async function withoutRow(hub: HubDatabase): Promise<number> {
  const [found] = await hub.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM events AS e WHERE NOT EXISTS (SELECT FROM data_rows AS r WHERE r.site = e.site
       AND r.result_table = e.result_table_name AND r.id = e.result_table_record_id)`,
  );
  return found?.count ?? -1;
}

/** A change at a gateway, as one makes it. */
export async function want(hub: HubDatabase, id: number, wanted: 0 | 1 | 2, site = 'leeds'): Promise<void> {
  await hub.query(
    `UPDATE events SET wanted = $3, wanted_key = nextval('wanted_keys'), wanted_by = 'erp'
     WHERE site = $1 AND id = $2 AND wanted IS DISTINCT FROM 2`,
    [site, id, wanted],
  );
}
