import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { newKey } from '../../../src-main/hub/gateway/consumer-keys.ts';
import { type ConsumerRight, HubConsumers } from '../../../src-main/storage/hub/hub-consumers.ts';
import { startCuttingProxy } from '../../support/hub/cutting-proxy.ts';
import { createHub, differences, openSite, want, withoutRow } from '../../support/hub/hub-site.ts';
import { openStore } from '../../support/services/open-store.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { seededRandom } from '../../support/run/random.ts';
import { sampled, scaled } from '../../support/run/scale.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { type Child, startChild } from '../storage/child.ts';

const WITHIN = { timeout: 120_000, interval: 50 };
/** A few more than a change takes on a new connection. */
const MESSAGES = 18;
const KILLS = Number(process.env['HUB_KILLS'] ?? scaled(10, 100));
const RIGHTS: ConsumerRight[] = ['read', 'disable', 'delete'];
const MIRRORED_SITE = new URL('children/mirrored-site.ts', import.meta.url).href;
const GATEWAY = new URL('children/gateway.ts', import.meta.url).href;
const eventOf = z.object({ Active: z.boolean() });

async function kill(child: Child | undefined): Promise<void> {
  if (child === undefined) return;
  child.process.kill('SIGKILL');
  await child.ended();
}

describe.skipIf(postgresPrograms() === null)('the mirror under faults', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('a connection that is cut at any message neither loses nor repeats a change', async () => {
    const { hub, url } = await createHub(server, 'cuts');
    onTestFinished(() => hub.abort());
    const proxy = await startCuttingProxy(server.port);
    onTestFinished(() => proxy.close());
    const site = openSite(openStore());
    onTestFinished(() => site.close());
    await site.fire(4);
    const mirror = site.mirror(url.replace(String(server.port), String(proxy.port)));
    const settled = () =>
      vi.waitFor(async () => {
        expect(await differences(hub, site)).toEqual([]);
        expect(site.store.mirrorState.applied()).toEqual([]);
        expect(mirror.progress().state).toBe('connected');
      }, WITHIN);
    await settled();
    const cases = Array.from({ length: MESSAGES }, (_, n) => n + 1).flatMap((message) =>
      (['request', 'response'] as const).map((when) => ({ message, when })),
    );
    let cuts = 0;
    for (const { message, when } of sampled(cases, 14)) {
      const before = site.events.version();
      proxy.cutAt(message, when);
      await want(hub, 1, site.events.get(1)?.Active === true ? 0 : 1);
      await site.events.setActive(2, site.events.get(2)?.Active !== true);
      await site.fire(3);
      await settled();
      expect(await withoutRow(hub)).toBe(0);
      expect(site.events.version() - before).toBe(5);
      if (proxy.hasCut()) cuts += 1;
    }
    expect(cuts).toBeGreaterThan(3);
  });

  test(
    'random kills of site, gateways, connections and database under load',
    async () => {
      const random = seededRandom();
      const { hub, url } = await createHub(server, 'chaos');
      onTestFinished(() => hub.abort());
      const proxy = await startCuttingProxy(server.port);
      onTestFinished(() => proxy.close());
      const folder = temporaryFolder();
      openStore(folder).close();
      const through = url.replace(String(server.port), String(proxy.port));
      const startSite = async (seed: number): Promise<Child> => {
        const child = startChild(MIRRORED_SITE, [folder, through, String(seed)]);
        await child.line();
        return child;
      };
      const startGateway = async () => {
        const child = startChild(GATEWAY, [server.url('chaos').replace(String(server.port), String(proxy.port))]);
        return { child, url: await child.line() };
      };

      const { id: keyId, key, keyHash } = newKey();
      await new HubConsumers(hub).add({ id: keyId, name: 'erp', sites: null, rights: RIGHTS, keyHash });
      const gateways = [await startGateway(), await startGateway()];
      /** The status of the response and the state of the event in it; null without a response. */
      const request = async (gateway: number, id: number, init: RequestInit = {}) => {
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
        const address = `${gateways[gateway]?.url}/sites/leeds/api/events/${id}`;
        try {
          const response = await fetch(address, { ...init, headers, signal: AbortSignal.timeout(20_000) });
          const body = response.status === 200 ? eventOf.parse(await response.json()) : null;
          return { status: response.status, active: body?.Active ?? null };
        } catch {
          return null;
        }
      };

      /** The last confirmed change of each event at a gateway. */
      const confirmed = new Map<number, 0 | 1 | 2>();
      const stale: string[] = [];
      let reads = 0;
      const change = async () => {
        const found = await hub.query<{ id: string }>(
          'SELECT id FROM events WHERE id % 3 <> 0 ORDER BY random() LIMIT 5',
        );
        for (const { id } of found) {
          const wanted = random() < 0.2 ? 2 : random() < 0.5 ? 0 : 1;
          const eventId = Number(id);
          if (confirmed.get(eventId) === 2) continue;
          // Whether an unconfirmed change was made is not known.
          confirmed.delete(eventId);
          const gateway = random() < 0.5 ? 0 : 1;
          const body = JSON.stringify({ Active: wanted === 1 });
          const changed = await request(
            gateway,
            eventId,
            wanted === 2 ? { method: 'DELETE' } : { method: 'PUT', body },
          );
          if (changed === null || changed.status > 204) continue;
          confirmed.set(eventId, wanted);
          const read = await request(1 - gateway, eventId);
          if (read === null || read.status >= 500) continue;
          reads += 1;
          const isCurrent = wanted === 2 ? read.status === 404 : read.active === (wanted === 1);
          if (!isCurrent) stale.push(`event ${id} after ${wanted}: ${JSON.stringify(read)}`);
        }
      };

      const stepOf = async () => (await hub.query<{ step: string }>('SELECT step FROM sites'))[0]?.step;

      let child = await startSite(1);
      for (let n = 0; n < KILLS; n += 1) {
        // The mirror has recovered from the kill before.
        const last = await stepOf();
        await vi.waitFor(async () => expect(await stepOf()).not.toBe(last), WITHIN);
        await pause(random() * 100);
        for (let tries = 0; tries < 4; tries += 1) await change().catch(() => undefined);
        const what = random();
        if (what < 0.25) {
          await kill(child);
          await change();
          child = await startSite(n + 2);
        } else if (what < 0.45) {
          const killed = random() < 0.5 ? 0 : 1;
          const changes = change();
          await kill(gateways[killed]?.child);
          await changes;
          gateways[killed] = await startGateway();
        } else if (what < 0.85) proxy.cutNow();
        else {
          await server.kill();
          await server.start();
        }
        await vi.waitFor(async () => expect(await withoutRow(hub)).toBe(0), WITHIN);
      }
      await kill(child);

      const site = openSite(openStore(folder));
      onTestFinished(() => site.close());
      site.mirror(through);
      await vi.waitFor(async () => {
        expect(await differences(hub, site)).toEqual([]);
        expect(site.store.mirrorState.applied()).toEqual([]);
      }, WITHIN);
      expect(await withoutRow(hub)).toBe(0);
      expect(await hub.query('SELECT FROM events WHERE wanted IS NOT NULL')).toEqual([]);
      const lost = [...confirmed].filter(([id, wanted]) => {
        const event = site.events.get(id);
        return wanted === 2 ? event !== null : event?.Active !== (wanted === 1);
      });
      expect(lost).toEqual([]);
      expect(confirmed.size).toBeGreaterThan(10);
      expect(stale).toEqual([]);
      expect(reads).toBeGreaterThan(10);
    },
    120_000 + KILLS * 10_000,
  );
});
