import type { MetricSample } from '../platform/telemetry/telemetry.ts';
import type { Workbench } from '../workbench.ts';

type WorkbenchServices = Workbench['services'];

/** The services whose state is measured. */
export interface MeasuredServices {
  app: Pick<WorkbenchServices['app'], 'status'>;
  events: Pick<WorkbenchServices['events'], 'list'>;
  eventsApi: Pick<WorkbenchServices['eventsApi'], 'problems'>;
  hub: Pick<WorkbenchServices['hub'], 'status'>;
}

/** The state of a site at a scrape. */
export async function siteMetrics({ app, events, eventsApi, hub }: MeasuredServices): Promise<MetricSample[]> {
  const status = (await app.status(AbortSignal.timeout(1_000)).next()).value;
  const { counts } = await events.list({ limit: 1 });
  const mirror = hub.status();
  const eventSamples = Object.entries(counts).map(([state, value]): MetricSample => {
    return { name: 'tagwright_events', help: 'Events of the workspace.', labels: { state }, value };
  });
  const hosts = Object.entries(status?.hosts ?? {}).flatMap(([state, value]): MetricSample[] => {
    if (typeof value !== 'number' || state === 'waitingMost') return [];
    return [{ name: 'tagwright_script_hosts', help: 'Script hosts and runs by state.', labels: { state }, value }];
  });
  const problems = eventsApi.problems();
  const degraded = { name: 'tagwright_degraded', help: '1 while changes fail, with the reason.' };
  const samples: MetricSample[] = [
    ...eventSamples,
    ...hosts,
    { name: 'tagwright_ready', help: '1 while changes work.', value: problems.length === 0 ? 1 : 0 },
    ...problems.map(({ code }) => ({ ...degraded, labels: { code }, value: 1 })),
  ];
  if (mirror.state === 'off') return samples;
  return [
    ...samples,
    {
      name: 'tagwright_hub_connected',
      help: '1 while the mirror is connected to its hub.',
      value: mirror.state === 'connected' ? 1 : 0,
    },
    { name: 'tagwright_hub_waiting_changes', help: 'Changes that the hub does not have.', value: mirror.waiting ?? 0 },
    {
      name: 'tagwright_hub_mirrored_timestamp_seconds',
      help: 'When the hub last had everything; 0: not since the start.',
      value: mirror.mirroredAt === null ? 0 : Date.parse(mirror.mirroredAt) / 1_000,
    },
    {
      name: 'tagwright_hub_applied_changes',
      help: 'Changes of gateways applied since the start.',
      value: mirror.applied,
    },
  ];
}
