import type { MetricSample } from '../../platform/telemetry/telemetry.ts';
import type { HubDatabase } from '../../storage/hub/hub-database.ts';
import { readLags, readSites } from '../../storage/hub/site-versions.ts';

/** The state of a gateway and its hub at a scrape. */
export async function gatewayMetrics(pools: { hub: HubDatabase; lists: HubDatabase }): Promise<MetricSample[]> {
  const lags = await readAll(pools.hub).catch(() => null);
  const samples: MetricSample[] = [
    { name: 'tagwright_hub_up', help: '1 if the database of the hub responds.', value: lags ? 1 : 0 },
  ];
  for (const [pool, { pool: of }] of Object.entries(pools)) {
    const states = { idle: of.idleCount, used: of.totalCount - of.idleCount, awaited: of.waitingCount };
    for (const [state, value] of Object.entries(states)) {
      const help = 'Connections to the hub, and requests that wait for one.';
      samples.push({ name: 'tagwright_hub_connections', help, labels: { pool, state }, value });
    }
  }
  for (const { site, mirroredAt, pending } of lags ?? []) {
    samples.push(
      {
        name: 'tagwright_site_mirrored_timestamp_seconds',
        help: 'When the site last sent its changes; 0: never.',
        labels: { site },
        value: (mirroredAt?.getTime() ?? 0) / 1_000,
      },
      {
        name: 'tagwright_site_pending_changes',
        help: 'Changes at gateways that the site has not applied.',
        labels: { site },
        value: pending,
      },
    );
  }
  return samples;
}

async function readAll(hub: HubDatabase) {
  const sites = await readSites(hub, null);
  return readLags(
    hub,
    sites.map(({ site }) => site),
  );
}
