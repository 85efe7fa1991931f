import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newKey } from '../../../src-main/hub/gateway/consumer-keys.ts';
import { HubConsumers } from '../../../src-main/storage/hub/hub-consumers.ts';
import type { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { addSite, removeSite } from '../../../src-main/storage/hub/hub-sites.ts';
import { EventStreamClient } from '../../support/hub/event-stream.ts';
import { createHub, differences, openSite } from '../../support/hub/hub-site.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { openStore } from '../../support/services/open-store.ts';
import { caller, start } from './start-gateway.ts';

const WITHIN = { timeout: 60_000, interval: 50 };
const COPIED = ['sites', 'row_marks', 'data_rows', 'events', 'event_changes', 'change_counts'];

const backUp = (hub: HubDatabase) =>
  hub.query(COPIED.map((table) => `CREATE TABLE saved_${table} AS TABLE ${table}`).join(';'));

const restore = (hub: HubDatabase) =>
  hub.transaction(async (client) => {
    for (const table of COPIED.toReversed()) await client.query(`DELETE FROM ${table}`);
    for (const table of COPIED) await client.query(`INSERT INTO ${table} TABLE saved_${table}`);
  });

describe.skipIf(postgresPrograms() === null)('the numbers of a feed are not used again', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  /** A hub with a site, a gateway, and a client that has everything of the site. */
  async function begin() {
    databases += 1;
    const { hub, url } = await createHub(server, `hub${databases}`);
    onTestFinished(() => hub.close());
    const site = openSite(openStore());
    onTestFinished(() => site.close());
    const { id, key, keyHash } = newKey();
    await new HubConsumers(hub).add({ id, name: 'erp', sites: null, rights: ['read'], keyHash });
    const gateway = await start(server.url(`hub${databases}`));
    const settled = () => vi.waitFor(async () => expect(await differences(hub, site)).toEqual([]), WITHIN);
    /** The changes that a stream brings, until the one with the text, and the place to continue. */
    const read = async (path: string, until: string, lastId = '') => {
      const stream = await EventStreamClient.open(`${gateway.url}${path}`, lastId, { 'X-API-Key': key });
      await vi.waitFor(() => expect(stream.changes).toContain(until), WITHIN);
      stream.close();
      return { changes: stream.changes, lastId: stream.lastId };
    };
    const tag = async () => {
      const response = await caller(gateway, key)('/sites/leeds/api/events');
      await response.arrayBuffer();
      return response.headers.get('ETag');
    };
    return { hub, url, site, settled, read, tag };
  }

  test.each(['/sites/leeds/api/events', '/api/events'])('of a hub that was restored: %s', async (path) => {
    const { hub, url, site, settled, read, tag } = await begin();
    await site.fire(2);
    const first = site.mirror(url);
    await settled();
    await first.close();
    await backUp(hub);
    // What the client knows, and the backup does not have.
    const second = site.mirror(url);
    await site.events.setActive(1, false);
    await settled();
    await site.fire(1);
    await settled();
    const { lastId } = await read(path, 'created 3');
    const tagBefore = await tag();
    await second.close();
    await restore(hub);
    // The same number of changes as the client knows, and one more.
    await site.events.delete(3);
    await site.fire(2);
    const third = site.mirror(url);
    await vi.waitFor(() => expect(third.progress().state).toBe('stopped'), WITHIN);
    await site.store.commits.run(() => site.store.mirrorState.set({ ...site.store.mirrorState.get(), rejoin: 1 }));
    third.retry();
    await settled();
    const { changes } = await read(path, 'created 5', lastId);
    expect(changes).toEqual(['reset', 'created 2', 'created 4', 'created 5']);
    expect(await tag()).not.toBe(tagBefore);
  });

  test('of a site that was removed and added again', async () => {
    const { hub, url, site, settled, read } = await begin();
    await site.fire(3);
    const before = site.mirror(url);
    await settled();
    const { lastId } = await read('/sites/leeds/api/events', 'created 3');
    await before.close();
    await removeSite(hub, 'leeds');
    const again = await addSite(hub, server.url(`hub${databases}`), 'leeds');
    await site.events.delete(1);
    site.mirror(again);
    await settled();
    await site.fire(2);
    await settled();
    const { changes, lastId: last } = await read('/sites/leeds/api/events', 'created 5', lastId);
    expect(changes).toEqual(['reset', 'created 2', 'created 3', 'created 4', 'created 5']);
    // A client that continues in the same feed gets only new changes.
    await site.events.setActive(2, false);
    expect((await read('/sites/leeds/api/events', 'disabled 2', last)).changes).toEqual(['disabled 2']);
  });
});
