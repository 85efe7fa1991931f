import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import type { HubSite } from '../../support/hub/hub-site.ts';
import { openSite } from '../../support/hub/hub-site.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';

const RESULTS = 'results_1';
/** Why the benches of the hub can't run; null if they can. */
export const noPostgres = (): string | null =>
  postgresPrograms() === null ? 'PostgreSQL is not installed (apt-get install postgresql)' : null;

/** Runs the work with a new PostgreSQL server. */
export async function withPostgres<T>(work: (server: PostgresServer) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Runs the work with the schema of a hub in a database of its own, for its owner. */
export async function withHub<T>(
  server: PostgresServer,
  name: string,
  work: (hub: HubDatabase, url: string) => Promise<T>,
): Promise<T> {
  server.createDatabase(name);
  const hub = await HubDatabase.open({ url: server.url(name), connections: 4, name: 'bench' });
  try {
    await hub.migrate();
    return await work(hub, server.url(name));
  } finally {
    await hub.close();
  }
}

/** Runs the work with a new workspace of a site. */
export async function withSite<T>(work: (site: HubSite) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const site = openSite(openWorkspaceStore(folder));
  try {
    return await work(site);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measured once. */
export function kept<T>(measure: () => Promise<T>): () => Promise<T> {
  let measured: Promise<T> | null = null;
  return () => (measured ??= measure());
}

/** Mirrors everything to an address; resolves with the seconds it took. */
export async function mirrorAll(site: HubSite, url: string): Promise<number> {
  const began = performance.now();
  const mirror = site.mirror(url);
  for (;;) {
    const { position, state, problem } = mirror.progress();
    if (problem !== null) throw new Error(problem);
    if (state === 'connected' && position?.listed === null && position.seq === site.events.version()) break;
    await pause(5);
  }
  const seconds = (performance.now() - began) / 1_000;
  await mirror.close();
  return seconds;
}

/** Fires: each time a data row with two numbers and a text, and its event, in one commit. Resolves with the last id. */
export function fire({ store, events }: HubSite, count: number): Promise<number> {
  return store.commits.run(() => {
    store.results.ensure(RESULTS, [
      { name: 'average', type: 'REAL' },
      { name: 'highest', type: 'REAL' },
      { name: 'state', type: 'TEXT' },
    ]);
    let last = 0;
    for (let n = 0; n < count; n += 1) {
      const at = Date.now() + n;
      const time = `${new Date(at).toISOString().slice(0, -1)}+00:00`;
      const id = store.results.insert(RESULTS, ['average', 'highest', 'state'], {
        firedAt: time,
        firedBy: 'window',
        windowStart: time,
        windowEnd: time,
        samples: 60,
        badSamples: n % 7,
        values: [71.25 + (n % 100) / 7, 98.5 + n, 'running'],
      });
      last = events.insert({
        ruleId: 1,
        eventDateTime: time,
        at,
        resultTableName: RESULTS,
        resultTableRecordId: id,
      }).AggregationEventId;
    }
    return last;
  });
}
