import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import type { AggregationEvent } from '#domain/event/event';
import { newKey } from '../../../src-main/hub/gateway/consumer-keys.ts';
import { HubConsumers } from '../../../src-main/storage/hub/hub-consumers.ts';
import type { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { addSite } from '../../../src-main/storage/hub/hub-sites.ts';
import { caller, start as startGateway } from '../../integration/hub/start-gateway.ts';
import { EventStreamClient } from '../../support/hub/event-stream.ts';
import { createHub, openSite } from '../../support/hub/hub-site.ts';
import { openStore } from '../../support/services/open-store.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { eventOf } from '../../unit/events/api/fake-event-source.ts';
import { eventSuite } from './event-suite.ts';
import { listSuite } from './list-suite.ts';
import type { StartServedApi } from './served-api.ts';
import { sendRaw } from './served-api.ts';
import { streamSuite } from './stream-suite.ts';

const DATABASE = 'contract';

describe.skipIf(postgresPrograms() === null)('the events API of a gateway', () => {
  let server: PostgresServer;
  let hub: HubDatabase;
  let key = '';
  let sites = 0;
  beforeAll(async () => {
    server = await startPostgres();
    hub = (await createHub(server, DATABASE)).hub;
    const made = newKey();
    key = made.key;
    await new HubConsumers(hub).add({
      id: made.id,
      name: 'erp',
      sites: null,
      rights: ['read', 'disable', 'delete'],
      keyHash: made.keyHash,
    });
  });
  afterAll(async () => {
    await hub.close();
    await server.stop();
  });

  /** A workspace that mirrors to the hub, and a gateway that serves what it mirrors. */
  const start: StartServedApi = async ({ events = 3, limits } = {}) => {
    sites += 1;
    const name = `site-${sites}`;
    const url = await addSite(hub, server.url(DATABASE), name);
    const site = openSite(openStore());
    onTestFinished(() => site.close());
    const insert = ({ RuleId: ruleId, EventDateTime: eventDateTime, ...event }: AggregationEvent) =>
      site.events.insert({
        ruleId,
        eventDateTime,
        at: Date.parse(eventDateTime),
        resultTableName: event.ResultTableName,
        resultTableRecordId: event.ResultTableRecordId,
      });
    await site.store.commits.run(() => {
      for (let id = 1; id <= events; id += 1) insert(eventOf(id));
    });
    const mirror = site.mirror(url, name);
    const mirrored = async () => {
      const seq = site.events.version();
      await expect
        .poll(() => mirror.progress().position, { interval: 20 })
        .toMatchObject({ seq: expect.toSatisfy((at: number) => at >= seq), listed: null });
    };
    await mirrored();
    const gateway = await startGateway(server.url(DATABASE), limits ? { limits } : {});
    const base = `/sites/${name}`;
    const called = caller(gateway, key);
    const call: Awaited<ReturnType<StartServedApi>>['call'] = (path, init) => called(`${base}${path}`, init);
    return {
      base,
      call,
      put: (id, body, headers = {}) =>
        call(`/api/events/${id}`, {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      raw: (method, path, headers = '', body = '') =>
        sendRaw(gateway.url, { method, path: `${base}${path}`, headers: `${headers}X-API-Key: ${key}\r\n`, body }),
      stream: async (query = '', lastId = '') => {
        const headers = { 'X-API-Key': key };
        const client = await EventStreamClient.open(`${gateway.url}${base}/api/events${query}`, lastId, headers);
        onTestFinished(() => client.close());
        return client;
      },
      site: {
        add: async (event) => {
          await site.store.commits.run(() => insert(event));
          await mirrored();
        },
        setActive: async (id, active) => {
          await site.events.setActive(id, active);
          await mirrored();
        },
        delete: async (id) => {
          await site.events.delete(id);
          await mirrored();
        },
      },
    };
  };

  listSuite(start);
  eventSuite(start);
  // Its feed begins with the time in microseconds.
  streamSuite(start, /^1\d{15}$/);
});
