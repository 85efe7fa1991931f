import { expect, test } from 'vitest';
import type { HubStatus } from '#domain/event/hub';
import { siteMetrics } from '../../../src-main/host/site-metrics.ts';

const HUB: HubStatus = {
  state: 'off',
  site: 'leeds',
  url: 'postgres://hub/x',
  seq: 7,
  listed: null,
  waiting: 12,
  mirroredAt: '2026-01-31T05:50:00.000Z',
  applied: 3,
  problem: null,
};

const measure = async (hub: HubStatus, problems: { code: string; message: string }[] = []) => {
  const samples = await siteMetrics({
    app: {
      async *status() {
        yield {
          hosts: { idle: 2, busy: 1, starting: 0, restarts: 0, problem: 'x' },
          lastSavedAt: null,
          eventsApi: { url: null, problem: null, freePort: null, faults: 0 },
        };
      },
    },
    events: { list: async () => ({ events: [], counts: { active: 5, disabled: 9 }, version: 1 }) },
    eventsApi: { problems: () => problems },
    hub: { status: () => hub },
  });
  return samples.map(({ name, labels = {}, value }) => `${name} ${Object.values(labels).join()} ${value}`);
};

test('events, hosts and whether changes work; the mirror with a hub', async () => {
  const alone = await measure(HUB, [{ code: 'storage-full', message: 'The disk is full.' }]);
  expect(alone).toEqual([
    'tagwright_events active 5',
    'tagwright_events disabled 9',
    'tagwright_script_hosts idle 2',
    'tagwright_script_hosts busy 1',
    'tagwright_script_hosts starting 0',
    'tagwright_script_hosts restarts 0',
    'tagwright_ready  0',
    'tagwright_degraded storage-full 1',
  ]);
  expect((await measure({ ...HUB, state: 'waiting' })).slice(6)).toEqual([
    'tagwright_ready  1',
    'tagwright_hub_connected  0',
    'tagwright_hub_waiting_changes  12',
    'tagwright_hub_mirrored_timestamp_seconds  1769838600',
    'tagwright_hub_applied_changes  3',
  ]);
});
