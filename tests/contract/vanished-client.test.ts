import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FakeServices } from './fake-services.ts';
import { fakeServices } from './fake-services.ts';
import type { OpenTransport } from './transports.ts';
import { REMOTE_TRANSPORTS } from './transports.ts';

describe.each(REMOTE_TRANSPORTS)('a client that vanishes %s', (_name, open) => {
  let services: FakeServices;
  let transport: OpenTransport;

  beforeEach(async () => {
    services = fakeServices();
    transport = await open(services, () => {});
  });
  afterEach(() => transport.close());

  const leftovers = () => [services.watches, services.script.size, services.tag.size, services.status.size];

  test('its runs are cancelled', async () => {
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const run = transport.client.runs.execute({ body: 'wait', context, dryRun: false });
    run.catch(() => {});
    await vi.waitFor(() => expect(services.running).toBe(1));
    transport.vanish();
    await vi.waitFor(() => expect(services.cancelled).toBe(1));
  });

  test('its streams are released', async () => {
    const { client } = transport;
    const streams = await Promise.all([
      client.tags.watch({ paths: ['Plant.Tag0.Value'] }),
      client.tags.changes(),
      client.scripts.changes(),
      client.app.status(),
    ]);
    await vi.waitFor(() => expect(leftovers()).toEqual([1, 1, 1, 1]));
    transport.vanish();
    await vi.waitFor(() => expect(leftovers()).toEqual([0, 0, 0, 0]));
    expect(streams).toHaveLength(4);
  });
});
