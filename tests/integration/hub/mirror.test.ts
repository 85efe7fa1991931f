import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { retain, listSites, removeSite } from '../../../src-main/storage/hub/hub-sites.ts';
import type { MirrorPart } from '../../../src-main/storage/hub/mirror-part.ts';
import { COPY_TABLES, writePart } from '../../../src-main/storage/hub/mirror-step.ts';
import { separateFromHub } from '../../../src-main/storage/workspace/copy/disable-webhooks.ts';
import type { HubSite } from '../../support/hub/hub-site.ts';
import { createHub, differences, openSite, want, withoutRow } from '../../support/hub/hub-site.ts';
import { openStore } from '../../support/services/open-store.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** After failures, it pauses for up to 45 s. */
const WITHIN = { timeout: 120_000, interval: 50 };

/** Changes of no event, with others to come. */
const PART: MirrorPart = {
  isReset: false,
  position: { seq: 3, listed: null },
  isEnd: false,
  hasAllRows: false,
  at: null,
  rows: [],
  marks: new Map(),
  events: new Map(),
  states: new Map(),
  deleted: new Set(),
  changes: [],
  listed: null,
};

describe.skipIf(postgresPrograms() === null)('the mirror of a site', () => {
  let server: PostgresServer;
  let databases = 0;
  const newHub = async () => {
    databases += 1;
    const made = await createHub(server, `hub${databases}`);
    onTestFinished(() => made.hub.abort());
    return made;
  };
  const newSite = (directory?: string): HubSite => {
    const site = openSite(openStore(directory));
    onTestFinished(() => site.close());
    return site;
  };
  type Made = Awaited<ReturnType<typeof newHub>>;
  const settled = ({ hub }: Made, site: HubSite) =>
    vi.waitFor(async () => {
      expect(await differences(hub, site)).toEqual([]);
      expect(site.store.mirrorState.applied()).toEqual([]);
    }, WITHIN);

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('10,000 events with rows, local changes, and changes of gateways', async () => {
    const made = await newHub();
    const site = newSite();
    for (let n = 0; n < 10; n += 1) await site.fire(500, n % 2 === 0 ? 'results_1' : 'results_2');
    await site.events.setActive(7, false);
    const mirror = site.mirror(made.url);
    for (let n = 0; n < 10; n += 1) {
      await site.fire(500);
      await site.events.delete(n + 100);
      await site.events.setActive(n + 200, false);
      expect(await withoutRow(made.hub)).toBe(0);
    }
    await settled(made, site);
    await want(made.hub, 1, 0);
    await want(made.hub, 2, 2);
    await want(made.hub, 7, 1);
    await want(made.hub, 9_000, 0);
    await want(made.hub, 9_000, 1);
    await vi.waitFor(() => expect(mirror.progress().applied).toBeGreaterThanOrEqual(4), WITHIN);
    await settled(made, site);
    expect(site.events.get(1)?.Active).toBe(false);
    expect(site.events.get(2)).toBeNull();
    expect(site.events.get(7)?.Active).toBe(true);
    const feed = await made.hub.query<{ seq: string; kind: number; event: object }>(
      `SELECT seq, kind, event FROM event_changes WHERE event_id IN (1, 7) ORDER BY seq DESC LIMIT 2`,
    );
    expect(new Set(feed.map(({ kind }) => kind))).toEqual(new Set([2, 3]));
    expect(feed.find(({ kind }) => kind === 2)?.event).toEqual(site.events.get(1));
    expect(mirror.progress()).toMatchObject({ state: 'connected', problem: null });
  });

  test('local changes and those of gateways while a site catches up in several steps', async () => {
    const made = await newHub();
    const site = newSite();
    let fired = 0;
    for (const isNew of [true, false]) {
      for (let n = 0; n < 24; n += 1) await site.fire(500, `results_${n % 5}`);
      const mirror = site.mirror(made.url);
      const isBehind = () => {
        const { position } = mirror.progress();
        return position === null || position.listed !== null || position.seq < site.events.version();
      };
      let changes = 0;
      for (; isBehind() && changes < 300; changes += 1) {
        await site.events.setActive(fired + 1 + changes, false);
        await site.events.delete(fired + 11_000 - changes);
        await want(made.hub, isNew ? 1 + changes : 5_000 + changes, 2);
        expect(await withoutRow(made.hub)).toBe(0);
      }
      // The rows of deleted events come with the next event of their table.
      for (let n = 0; n < 5; n += 1) await site.fire(1, `results_${n}`);
      await settled(made, site);
      expect(changes).toBeGreaterThan(1);
      await mirror.close();
      fired += 12_005;
    }
    expect(site.events.get(5_000)).toBeNull();
  });

  test('rows that no event names are mirrored, also those of a first copy', async () => {
    const made = await newHub();
    const site = newSite();
    await site.addRule('results_1');
    await site.addRule('results_2');
    await site.fire(12_000, 'results_2', false);
    await site.fire(3);
    const mirror = site.mirror(made.url);
    await settled(made, site);
    await site.fire(5, 'results_2', false);
    await site.fire(2, 'results_1', false);
    await settled(made, site);
    // Events of the same table continue behind them.
    await site.fire(2);
    await settled(made, site);
    const step = async () => (await made.hub.query<{ step: string }>('SELECT step FROM sites'))[0]?.step;
    await vi.waitFor(() => expect(mirror.progress().state).toBe('connected'), WITHIN);
    // Without news, it makes no step, even after it has looked for rows again. The last one may still be confirmed.
    await vi.waitFor(async () => {
      const before = await step();
      await pause(3_500);
      expect(await step()).toBe(before);
    }, WITHIN);
  });

  test('a row and an event that the hub has before their site are overwritten', async () => {
    const made = await newHub();
    const site = newSite();
    await site.fire(5);
    const first = site.mirror(made.url);
    await settled(made, site);
    await made.hub.query(`INSERT INTO data_rows (site, result_table, id, data) VALUES ('leeds', 'results_1', 6, '{}')`);
    await made.hub.query(
      `INSERT INTO events (site, id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id)
       SELECT site, 7, rule_id, event_date_time, at_ms, active, 'results_9', 1 FROM events WHERE id = 1`,
    );
    await site.fire(5);
    await settled(made, site);
    expect(first.progress()).toMatchObject({ state: 'connected', problem: null });
  });

  test('changes while the site is offline are applied once, and a delete is final', async () => {
    const made = await newHub();
    const site = newSite();
    await site.fire(20);
    await site
      .mirror(made.url)
      .close()
      .catch(() => undefined);
    const first = site.mirror(made.url);
    await settled(made, site);
    await first.close();
    await want(made.hub, 1, 0);
    await want(made.hub, 2, 2);
    await want(made.hub, 3, 1);
    await site.events.delete(3);
    const before = site.events.version();
    site.mirror(made.url);
    await settled(made, site);
    expect(site.events.version() - before).toBe(2);
    expect(site.events.get(3)).toBeNull();
  });

  test('a change that was applied before a crash is only cleared', async () => {
    const made = await newHub();
    const site = newSite();
    await site.fire(5);
    const first = site.mirror(made.url);
    await settled(made, site);
    await first.close();
    await want(made.hub, 1, 0);
    const [found] = await made.hub.query<{ key: string }>('SELECT wanted_key AS key FROM events WHERE id = 1');
    await site.events.applyAll([{ id: 1, active: false, by: { method: 'PUT', address: 'erp' } }], () =>
      site.store.mirrorState.addApplied({ key: Number(found?.key), eventId: 1 }),
    );
    await site.events.setActive(1, true);
    site.mirror(made.url);
    await settled(made, site);
    expect(site.events.get(1)?.Active).toBe(true);
  });

  test('the database restarts under load', async () => {
    const made = await newHub();
    const site = newSite();
    site.mirror(made.url);
    for (let n = 0; n < 6; n += 1) {
      await site.fire(200);
      if (n === 1 || n === 3) await server.kill();
      if (n === 2 || n === 4) await server.start();
    }
    await settled(made, site);
    expect(await withoutRow(made.hub)).toBe(0);
  });

  test('a feed without the position leads to a new list, which sweeps', async () => {
    const made = await newHub();
    const site = newSite();
    await site.fire(300);
    const first = site.mirror(made.url);
    await settled(made, site);
    await first.close();
    await site.events.delete(3);
    await site.events.delete(300);
    await site.events.setActive(4, false);
    await site.events.expireChanges({ before: Date.now() + 10_000, keep: 0 }, () => true);
    site.mirror(made.url);
    await settled(made, site);
    const kinds = await made.hub.query<{ kind: number; event_id: string }>(
      'SELECT kind, event_id FROM event_changes WHERE kind > 1 ORDER BY event_id',
    );
    expect(kinds).toEqual([
      { kind: 4, event_id: '3' },
      { kind: 2, event_id: '4' },
      { kind: 4, event_id: '300' },
    ]);
  });

  test('copies, restored backups and second sites are fenced off until they rejoin', async () => {
    const made = await newHub();
    const site = newSite();
    await site.fire(20);
    const first = site.mirror(made.url);
    await settled(made, site);
    await first.close();
    const folder = temporaryFolder();
    await site.store.database.backup(`${folder}/workspace.db`);
    const again = site.mirror(made.url);
    await site.fire(20, 'results_2');
    await settled(made, site);
    await again.close();

    const restored = newSite(folder);
    const fenced = restored.mirror(made.url);
    await vi.waitFor(() => expect(fenced.progress().state).toBe('stopped'), WITHIN);
    expect(fenced.progress().problem).toMatch(/restored from a backup or copied.*tagwright hub rejoin/);
    separateFromHub(`${folder}/workspace.db`);
    expect(restored.store.mirrorState.get()).toEqual({ lastStep: 'copied', nextStep: 'copied', rejoin: 0 });
    const other = newSite();
    const second = other.mirror(made.url);
    await vi.waitFor(() => expect(second.progress().problem).toMatch(/another workspace/), WITHIN);
    await second.close();
    const nameless = other.mirror(made.url, 'york');
    await vi.waitFor(() => expect(nameless.progress().problem).toMatch(/no site "york"/), WITHIN);
    await nameless.close();

    await want(made.hub, 30, 2);
    await restored.fire(15, 'results_2');
    const { mirrorState, commits } = restored.store;
    await commits.run(() => mirrorState.set({ ...mirrorState.get(), rejoin: 1 }));
    fenced.retry();
    await settled(made, restored);
    expect(restored.events.get(30)).not.toBeNull();
    expect(mirrorState.get().rejoin).toBe(0);
    const old = site.mirror(made.url);
    await vi.waitFor(() => expect(old.progress().state).toBe('stopped'), WITHIN);
  });

  test('another role, and hubs of other versions', async () => {
    const made = await newHub();
    const site = newSite();
    const foreign = site.mirror(server.url(`hub${databases}`));
    await vi.waitFor(() => expect(foreign.progress().problem).toMatch(/not that of site "leeds"/), WITHIN);
    await foreign.close();
    await made.hub.query(
      `INSERT INTO schema_steps (step, name) SELECT n, 'later' FROM generate_series(2, 99) n ON CONFLICT DO NOTHING`,
    );
    const newer = site.mirror(made.url);
    await vi.waitFor(() => expect(newer.progress()).toMatchObject({ state: 'stopped' }), WITHIN);
    expect(newer.progress().problem).toMatch(/newer version/);
    await newer.close();
    const unreachable = site.mirror('postgres://a:b@127.0.0.1:1/x');
    await vi.waitFor(() => expect(unreachable.progress().problem).toMatch(/ECONNREFUSED/), WITHIN);
  });

  test('the age of the copy does not depend on the clock of the site', async () => {
    const made = await newHub();
    const site = newSite();
    await site.fire(3);
    const dayMs = 86_400_000;
    const mirror = site.mirror(made.url);
    await settled(made, site);
    // It is set back while nothing happens.
    const [real, now] = [Date.now(), vi.spyOn(Date, 'now')];
    onTestFinished(() => now.mockRestore());
    now.mockReturnValue(real - dayMs);
    const mirroredAt = async () =>
      (await made.hub.query<{ at: Date }>('SELECT mirrored_at AS at FROM sites'))[0]?.at.getTime() ?? 0;
    const before = await mirroredAt();
    await expect.poll(mirroredAt, WITHIN).toBeGreaterThan(before + 1_500);
    await mirror.close();
    // It is ahead while the site catches up.
    const part = { ...PART, at: real + dayMs };
    const end = { step: randomUUID(), version: '1', cleared: [], overwrites: false, onCopied: () => undefined };
    const to = { site: 'leeds', feed: { seq: 3, start: 0 } };
    await made.hub.transaction((client) => writePart(client, to, part, end), COPY_TABLES);
    expect(await mirroredAt()).toBeLessThan(real + dayMs / 2);
  });

  test('sites are listed and removed, and old entries deleted', async () => {
    const made = await newHub();
    const site = newSite();
    await site.fire(10);
    const mirror = site.mirror(made.url);
    await settled(made, site);
    expect(await listSites(made.hub)).toMatchObject([{ site: 'leeds', events: 10, wanted: 0, version: '1' }]);
    await made.hub.query(`UPDATE event_changes SET at = now() - interval '9 days'`);
    await made.hub.query(`INSERT INTO data_rows (site, result_table, id, data, mirrored_at)
      SELECT site, 'results_1', n, '{}', now() - n % 2 * interval '9 days' FROM sites, generate_series(101, 12100) AS n`);
    await made.hub.query(`UPDATE data_rows SET mirrored_at = now() - interval '9 days' WHERE id < 100`);
    const statements = vi.spyOn(made.hub.pool, 'query');
    expect(await retain(made.hub, 7)).toEqual({ rows: 6_000, changes: 10, audit: 0 });
    expect(await retain(made.hub, 7)).toEqual({ rows: 0, changes: 0, audit: 0 });
    // As Citus needs it, which distributes all of these tables by site.
    for (const [{ text }] of Object.values(Object(statements.mock.calls)).map((call) => Object(call)))
      if (/\b(events|data_rows|event_changes|audit|change_counts)\b/.test(text)) expect(text).toMatch(/site = \$1/);
    statements.mockRestore();
    expect(await withoutRow(made.hub)).toBe(0);
    await removeSite(made.hub, 'leeds');
    await vi.waitFor(() => expect(mirror.progress().state).not.toBe('connected'), WITHIN);
    expect(await made.hub.query('SELECT FROM data_rows')).toEqual([]);
  });
});
