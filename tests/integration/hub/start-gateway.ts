import { onTestFinished } from 'vitest';
import { newKey } from '../../../src-main/hub/gateway/consumer-keys.ts';
import type { Gateway, GatewayOptions } from '../../../src-main/hub/gateway/gateway.ts';
import { startGateway } from '../../../src-main/hub/gateway/gateway.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import type { ConsumerRight } from '../../../src-main/storage/hub/hub-consumers.ts';
import { HubConsumers } from '../../../src-main/storage/hub/hub-consumers.ts';
import { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';

const RIGHTS: ConsumerRight[] = ['read', 'disable', 'delete'];
let databases = 0;

/** A hub with sites, each with events as `eventOf` of the tests of the events API; it ends with the test. */
export async function createHub(server: PostgresServer, sites: Readonly<Record<string, number>>) {
  databases += 1;
  const name = `hub_${databases}`;
  server.createDatabase(name);
  const url = server.url(name);
  const hub = await HubDatabase.open({ url, connections: 4, name: 'test' });
  onTestFinished(() => hub.close());
  await hub.migrate();
  for (const [site, count] of Object.entries(sites)) {
    await hub.query('INSERT INTO sites (site, role, mirrored_at, feed_seq) VALUES ($1::text, $1::text, now(), 0)', [
      site,
    ]);
    await hub.query(
      `INSERT INTO events (site, id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id)
       SELECT $1::text, n, 1 + n % 3, to_char(timestamp '2026-01-01 01:00:00' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+01:00',
         1767225600000 + n * 1000, true, 'rule_1 "},{" ü', n * 10 FROM generate_series(1, $2::integer) n`,
      [site, count],
    );
  }
  const consumers = new HubConsumers(hub);
  const addKey = async (consumer: string, sitesOf: string[] | null = null, rights = RIGHTS): Promise<string> => {
    const { id, key, keyHash } = newKey();
    await consumers.add({ id, name: consumer, sites: sitesOf, rights, keyHash });
    return key;
  };
  /** As a step of the mirror: the change and its number in the feed. */
  const change = (site: string, id: number, kind: 1 | 2 | 3 | 4) =>
    hub.query(
      `WITH numbered AS (UPDATE sites SET feed_seq = feed_seq + 1, mirrored_at = now() WHERE site = $1 RETURNING feed_seq),
       changed AS (UPDATE events SET active = $3::smallint <> 2, wanted = NULL, wanted_key = NULL WHERE site = $1 AND id = $2 RETURNING *)
       INSERT INTO event_changes (site, seq, kind, event_id, event) SELECT site, feed_seq, $3::smallint, id, json_build_object(
         'AggregationEventId', id, 'RuleId', rule_id, 'EventDateTime', event_date_time, 'Active', active,
         'ResultTableName', result_table_name, 'ResultTableRecordId', result_table_record_id) FROM changed, numbered`,
      [site, id, kind],
    );
  return { hub, url, consumers, addKey, change };
}

/** A gateway on a free port of loopback; it ends with the test. */
export async function start(url: string, options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const gateway = await startGateway({
    url,
    port: 0,
    address: '127.0.0.1',
    hostNames: [],
    behindProxy: false,
    requestsPerSecond: 10_000,
    version: '9.8.7',
    log: createLog({ write: () => undefined }),
    ...options,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Calls with a key. */
export const caller =
  (gateway: Gateway, key: string) =>
  (path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    fetch(`${gateway.url}${path}`, { ...init, headers: { 'X-API-Key': key, ...init.headers } });

export const putTo = (active: boolean) => ({
  method: 'PUT',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ Active: active }),
});
