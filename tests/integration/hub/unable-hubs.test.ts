import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newKey } from '../../../src-main/hub/gateway/consumer-keys.ts';
import { HubConsumers } from '../../../src-main/storage/hub/hub-consumers.ts';
import { createHub, differences, openSite, withoutRow } from '../../support/hub/hub-site.ts';
import { openStore } from '../../support/services/open-store.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { caller, putTo, start } from './start-gateway.ts';

const WITHIN = { timeout: 120_000, interval: 50 };

describe.skipIf(postgresPrograms() === null)('hubs that can store nothing', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  /** A site with 20 events that are mirrored, and a gateway. */
  async function connected() {
    databases += 1;
    const database = `unable${databases}`;
    const { hub, url } = await createHub(server, database);
    hub.pool.on('error', () => undefined);
    onTestFinished(() => hub.abort());
    const site = openSite(openStore());
    onTestFinished(() => site.close());
    await site.fire(20);
    const mirror = site.mirror(url);
    const settled = () =>
      vi.waitFor(async () => {
        expect(await differences(hub, site)).toEqual([]);
        expect(mirror.progress()).toMatchObject({ state: 'connected', problem: null });
        expect(site.store.mirrorState.applied()).toEqual([]);
      }, WITHIN);
    await settled();
    const { id, key, keyHash } = newKey();
    const rights = ['read' as const, 'disable' as const];
    await new HubConsumers(hub).add({ id, name: 'erp', sites: null, rights, keyHash });
    const called = caller(await start(server.url(database)), key);
    const call: typeof called = (path, init) => called(`/sites/leeds${path}`, init);
    const health = async () => {
      const response = await call('/api/health');
      return response.ok ? await response.json() : { status: response.status };
    };
    const waiting = (problem: RegExp) =>
      vi.waitFor(() => {
        expect(mirror.progress()).toMatchObject({ state: 'waiting', problem: expect.stringMatching(problem) });
      }, WITHIN);
    return { database, hub, site, mirror, settled, waiting, call, health };
  }

  test('read-only: the site works, reports it, and catches up', async () => {
    const { database, hub, site, settled, waiting, call, health } = await connected();
    const readOnly = async (value: 'on' | 'off') => {
      await hub.query(`SET default_transaction_read_only = off`);
      await hub.query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`);
      await hub.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name <> 'test'`,
        [database],
      );
    };
    await readOnly('on');
    await site.fire(30);
    await site.events.setActive(3, false);
    await waiting(/read-only/);
    await expect.poll(health).toMatchObject({ status: 'degraded', reasons: [{ code: 'read-only' }] });
    const refused = await call('/api/events/1', putTo(false));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await (await call('/api/events')).json()).toHaveLength(20);
    expect(site.events.get(50)?.Active).toBe(true);
    await readOnly('off');
    await settled();
    await expect.poll(health).toMatchObject({ status: 'ok', reasons: [] });
    expect((await call('/api/events/1', putTo(false))).status).toBe(200);
    await settled();
    expect(site.events.get(1)?.Active).toBe(false);
  });

  test('full: the site works, reports it, and catches up', async () => {
    const { hub, site, settled, waiting, call, health } = await connected();
    await hub.query(`CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
    const tables = ['data_rows', 'events', 'event_changes', 'audit'];
    for (const table of tables) {
      await hub.query(`CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION no_space()`);
    }
    await site.fire(30);
    await site.events.setActive(3, false);
    await waiting(/disk of the database is full/);
    const refused = await call('/api/events/1', putTo(false));
    expect([refused.status, await refused.json()]).toMatchObject([507, { type: '/api/docs#problem-storage-full' }]);
    expect(await health()).toMatchObject({ status: 'degraded', reasons: [{ code: 'storage-full' }] });
    expect(await (await call('/api/events')).json()).toHaveLength(20);
    for (const table of tables) await hub.query(`DROP TRIGGER full_disk ON ${table}`);
    await settled();
    expect(await withoutRow(hub)).toBe(0);
    expect((await call('/api/events/1', putTo(false))).status).toBe(200);
    expect(await health()).toMatchObject({ status: 'ok', reasons: [] });
  });

  test('slow: nothing at the site waits, and it catches up', async () => {
    const { hub, site, mirror, settled } = await connected();
    // A step of the mirror takes as long as the lock is held.
    await hub.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`);
    await hub.query('CREATE TRIGGER slow BEFORE UPDATE ON sites FOR EACH ROW EXECUTE FUNCTION slow()');
    await hub.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock(1)');
      const seq = mirror.progress().position?.seq;
      for (let fired = 0; fired < 10; fired += 1) {
        await site.fire(10);
        await site.events.setActive(1, fired % 2 === 0);
      }
      expect(mirror.progress()).toMatchObject({ state: 'connected', problem: null, position: { seq } });
    });
    await hub.query('DROP TRIGGER slow ON sites');
    await settled();
  });

  test('a server that accepts connections and never responds', async () => {
    const sockets = new Set<Socket>();
    const tarpit = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(
      0,
      '127.0.0.1',
    );
    await once(tarpit, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      tarpit.close();
    });
    const { port }: AddressInfo = Object(tarpit.address());
    const site = openSite(openStore());
    onTestFinished(() => site.close());
    const mirror = site.mirror(`postgres://a:b@127.0.0.1:${port}/x`);
    await site.fire(5);
    await vi.waitFor(() => expect(mirror.progress().problem).toMatch(/timeout/), WITHIN);
    expect(mirror.progress().state).toBe('waiting');
    await site.events.setActive(1, false);
    expect(site.events.get(1)?.Active).toBe(false);
  });
});
