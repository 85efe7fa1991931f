import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { HubEvents, WANTED } from '../../../src-main/storage/hub/hub-events.ts';
import { readSites } from '../../../src-main/storage/hub/site-versions.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { createHub } from './start-gateway.ts';

const by = (consumer: string) => ({ consumer, address: '127.0.0.1' });

describe.skipIf(postgresPrograms() === null)('changes that consumers make at the same time', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const versionOf = async (hub: HubDatabase) => Number((await readSites(hub, ['leeds']))[0]?.version.split('.')[2]);

  /** Events for a role that may do only what gateways may. */
  async function asGateway<T>(url: string, work: (events: HubEvents, hub: HubDatabase) => Promise<T>): Promise<T> {
    const hub = await HubDatabase.open({ url: url.replace('postgres@', 'gate@'), connections: 4, name: 'test' });
    try {
      return await work(new HubEvents(hub, 'leeds'), hub);
    } finally {
      await hub.close();
    }
  }

  test('each has its response, its record, and its part of the version', async () => {
    const { hub, url } = await createHub(server, { leeds: 300, york: 300 });
    await hub.query('CREATE ROLE gate LOGIN IN ROLE tagwright_gateways');
    await asGateway(url, async (events) => {
      const ids = Array.from({ length: 250 }, (_, index) => index + 1);
      const kinds = [WANTED.disabled, WANTED.active, WANTED.deleted] as const;
      const wantedOf = (id: number) => kinds[id % 3] ?? WANTED.disabled;
      const before = await versionOf(hub);
      const changed = await Promise.all(ids.map((id) => events.want({ id, wanted: wantedOf(id), ...by(`erp ${id}`) })));
      for (const [index, one] of changed.entries()) {
        const [id, isActive] = [index + 1, wantedOf(index + 1) === WANTED.active];
        expect(one, `event ${id}`).toMatchObject({
          pending: true,
          event: { AggregationEventId: id, Active: isActive },
        });
      }
      expect((await versionOf(hub)) - before).toBe(250);
      const names = ['disable', 'activate', 'delete'];
      expect(await hub.query('SELECT event_id::integer AS id, site, consumer, action FROM audit ORDER BY id')).toEqual(
        ids.map((id) => ({ id, site: 'leeds', consumer: `erp ${id}`, action: names[id % 3] })),
      );
      const [keys] = await hub.query(
        'SELECT count(DISTINCT wanted_key)::integer AS keys FROM events WHERE wanted IS NOT NULL',
      );
      expect(keys).toEqual({ keys: 250 });
      const [other] = await hub.query(`SELECT count(wanted)::integer AS changed FROM events WHERE site = 'york'`);
      expect(other).toEqual({ changed: 0 });
    });
  });

  test('several of one event are made in turn, and a deleted one stays deleted', async () => {
    const { hub, url } = await createHub(server, { leeds: 3 });
    await asGateway(url, async (events) => {
      const wanted = [WANTED.disabled, WANTED.active, WANTED.disabled, WANTED.active] as const;
      const shown = await Promise.all(wanted.map((one, n) => events.want({ id: 2, wanted: one, ...by(`${n}`) })));
      expect(shown.map((one) => one?.event.Active)).toEqual([false, true, false, true]);
      expect(await hub.query('SELECT consumer FROM audit ORDER BY at')).toHaveLength(4);
      const gone = await Promise.all([
        events.want({ id: 3, wanted: WANTED.deleted, ...by('erp') }),
        events.want({ id: 3, wanted: WANTED.active, ...by('mes') }),
        events.want({ id: 99, wanted: WANTED.active, ...by('mes') }),
        events.want({ id: 1, wanted: WANTED.disabled, ...by('mes') }),
      ]);
      expect(gone.map((one) => one?.event.AggregationEventId ?? null)).toEqual([3, null, null, 1]);
      expect(await versionOf(hub)).toBe(6);
    });
  });

  test('an event that a transaction is changing delays only its own change', async () => {
    const { hub, url } = await createHub(server, { leeds: 20 });
    await asGateway(url, async (events) => {
      const order: number[] = [];
      const want = async (id: number) => {
        const changed = await events.want({ id, wanted: WANTED.disabled, ...by('erp') });
        order.push(id);
        return changed;
      };
      const locked = await hub.transaction(async (client) => {
        await client.query(`UPDATE events SET rule_id = 7 WHERE site = 'leeds' AND id = 5`);
        const first = want(5);
        for (let id = 1; id <= 20; id += 5) await Promise.all([want(id), want(id + 1), want(id + 2)]);
        expect(order).not.toContain(5);
        // Not awaited here: it ends after this transaction.
        return { first };
      });
      expect(await locked.first).toMatchObject({ pending: true, event: { RuleId: 7, Active: false } });
      expect(order).toHaveLength(13);
    });
  });

  test('a failure reaches all of them, and later changes work again', async () => {
    const { hub, url } = await createHub(server, { leeds: 10 });
    await asGateway(url, async (events) => {
      const disable = (ids: readonly number[]) =>
        Promise.allSettled(ids.map((id) => events.want({ id, wanted: WANTED.disabled, ...by('erp') })));
      await hub.query('ALTER TABLE audit RENAME TO kept');
      for (const one of await disable([1, 2, 3])) {
        expect(one).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
      }
      await hub.query('ALTER TABLE kept RENAME TO audit');
      expect((await disable([1, 2, 3])).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
      expect(await hub.query('SELECT event_id FROM audit')).toHaveLength(3);
    });
  });
});
