import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHub } from '../../support/hub/hub-site.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const WITHIN = { timeout: 120_000, interval: 200 };

describe.skipIf(postgresPrograms() === null)('the state of the mirror', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('is in the status of the instance, and in the diagnosis', async () => {
    const { hub, url } = await createHub(server, 'shown');
    hub.pool.on('error', () => undefined);
    onTestFinished(() => hub.abort());
    const instance = await serve(temporaryFolder(), { TAGWRIGHT_HUB_URL: url });
    const client = await instance.client();
    const mirror = async () => {
      for await (const { checks } of await client.diagnostics.run({})) {
        const found = checks.find(({ id }) => id === 'hub.mirror');
        if (found) return found;
      }
      return null;
    };
    expect(await mirror()).toMatchObject({ state: 'ok', detail: 'no hub is set' });
    const states: (string | undefined)[] = [];
    const stream = await client.app.status();
    onTestFinished(() => void stream.return());
    void (async () => {
      for await (const status of stream) states.push(status.hub?.state);
    })().catch(() => undefined);
    await client.settings.update({ 'hub.site': 'leeds' });
    await vi.waitFor(() => expect(states.at(-1)).toBe('connected'), WITHIN);
    expect(states[0]).toBeUndefined();
    // Its sample changes events all the time.
    await vi.waitFor(async () => {
      const found = await mirror();
      expect(found).toMatchObject({ state: 'ok', detail: 'site "leeds" is connected and has everything' });
    }, WITHIN);
    await server.kill();
    await vi.waitFor(() => expect(states.at(-1)).toBe('waiting'), WITHIN);
    expect(await mirror()).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(
        /^the hub is not connected; it ha[sd] everything.*: The database of the hub failed: /,
      ),
    });
    await server.start();
    await vi.waitFor(() => expect(states.at(-1)).toBe('connected'), WITHIN);
  });
});
