import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { createHub, differences, openSite, want, withoutRow } from '../../support/hub-site.ts';
import { openStore } from '../../support/open-store.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/postgres.ts';
import { seededRandom } from '../../support/random.ts';
import { IS_LONG, sampled, scaled } from '../../support/scale.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { startChild } from '../storage/child.ts';

const WITHIN = { timeout: 60_000, interval: 50 };
/** A few more than a change takes on a new connection. */
const MESSAGES = 18;

describe.skipIf(postgresPrograms() === null)('the mirror under faults', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop(), 30_000);

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
  }, 120_000);

  test(
    'random kills of the site, its connections and the database under load',
    async () => {
      const random = seededRandom();
      const { hub, url } = await createHub(server, 'chaos');
      onTestFinished(() => hub.abort());
      const proxy = await startCuttingProxy(server.port);
      onTestFinished(() => proxy.close());
      const folder = temporaryFolder();
      openStore(folder).close();
      const through = url.replace(String(server.port), String(proxy.port));
      const start = async (seed: number) => {
        const program = new URL('children/mirrored-site.ts', import.meta.url).href;
        const child = startChild(program, [folder, through, String(seed)]);
        await child.line();
        return child.process;
      };
      const kill = async (process: Awaited<ReturnType<typeof start>>) => {
        const ended = new Promise((resolve) => void process.once('exit', resolve));
        process.kill('SIGKILL');
        await ended;
      };

      /** The last confirmed change of each event at a gateway. */
      const confirmed = new Map<number, 0 | 1 | 2>();
      const change = async () => {
        const found = await hub.query<{ id: string }>(
          'SELECT id FROM events WHERE id % 3 <> 0 ORDER BY random() LIMIT 5',
        );
        for (const { id } of found) {
          const wanted = random() < 0.2 ? 2 : random() < 0.5 ? 0 : 1;
          const eventId = Number(id);
          const before = confirmed.get(eventId);
          if (before === 2) continue;
          // Whether an unconfirmed change was made is not known.
          confirmed.delete(eventId);
          await want(hub, eventId, wanted);
          confirmed.set(eventId, wanted);
        }
      };

      const stepOf = async () => (await hub.query<{ step: string }>('SELECT step FROM sites'))[0]?.step;

      let child = await start(1);
      const kills = scaled(10, 100);
      for (let n = 0; n < kills; n += 1) {
        // The mirror has recovered from the kill before.
        const last = await stepOf();
        await vi.waitFor(async () => expect(await stepOf()).not.toBe(last), WITHIN);
        await pause(random() * 100);
        for (let tries = 0; tries < 4; tries += 1) await change().catch(() => undefined);
        const what = random();
        if (what < 0.3) {
          await kill(child);
          await change();
          child = await start(n + 2);
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
    },
    IS_LONG ? 1_800_000 : 120_000,
  );
});
