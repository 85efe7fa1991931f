import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HubService } from '../../../src-main/hub/mirror/hub-service.ts';
import { Listeners } from '../../../src-main/platform/events.ts';
import { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { commandLine } from '../../support/product/command-line.ts';
import { openSite } from '../../support/hub/hub-site.ts';
import { openStore } from '../../support/services/open-store.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

describe.skipIf(postgresPrograms() === null)('the commands of a hub', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('create it, and add, list and remove sites', async () => {
    server.createDatabase('commands');
    const at = ['--database', server.url('commands')];
    const early = await commandLine(['hub', 'sites', 'list', ...at]);
    expect(early.err).toMatch(/tagwright hub init/);
    expect((await commandLine(['hub', 'init', ...at])).out).toBe('Applied: hub, feed start\n');
    expect((await commandLine(['hub', 'init', ...at])).out).toBe('The hub is up to date.\n');
    const added = await commandLine(['hub', 'sites', 'add', 'leeds', '--json', ...at]);
    const { url } = JSON.parse(added.out);
    expect(url).toMatch(/^postgres:\/\/tagwright_leeds_[0-9a-f]{6}:[\w-]{32}@127\.0\.0\.1:\d+\/commands$/);
    expect((await commandLine(['hub', 'sites', 'add', 'leeds', ...at])).code).toBe(1);
    expect((await commandLine(['hub', 'sites', 'add', 'Leeds!', ...at])).code).toBe(2);
    const listed = await commandLine(['hub', 'sites', 'list', '--json', ...at]);
    expect(JSON.parse(listed.out)).toMatchObject([{ site: 'leeds', mirroredAt: null, events: 0 }]);
    expect((await commandLine(['hub', 'retain', '--days', '30', ...at])).out).toMatch(/^Deleted 0 changes/);
    expect((await commandLine(['hub', 'sites', 'remove', 'leeds', ...at])).code).toBe(2);
    expect((await commandLine(['hub', 'sites', 'remove', 'leeds', '--yes', ...at])).code).toBe(0);
    expect((await commandLine(['hub', 'sites', 'remove', 'leeds', '--yes', ...at])).code).toBe(2);
  });

  test('the documented role of a hub can remove a site that is connected', async () => {
    const documented = /```sql\n(CREATE ROLE hub .+;)\nCREATE DATABASE/.exec(
      readFileSync('docs/events/hub.md', 'utf8'),
    )?.[1];
    server.createDatabase('owned');
    const root = await HubDatabase.open({ url: server.url('owned'), connections: 1, name: 'test' });
    onTestFinished(() => root.close());
    await root.query(documented ?? '');
    await root.query('ALTER DATABASE owned OWNER TO hub');
    const at = ['--database', server.url('owned').replace('postgres@', 'hub@')];
    expect(await commandLine(['hub', 'init', ...at])).toMatchObject({ code: 0 });
    const { url } = JSON.parse((await commandLine(['hub', 'sites', 'add', 'leeds', '--json', ...at])).out);
    const site = openSite(openStore());
    onTestFinished(() => site.close());
    await site.fire(3);
    const mirror = site.mirror(url);
    await vi.waitFor(() => expect(mirror.progress()).toMatchObject({ state: 'connected' }));
    expect(await commandLine(['hub', 'sites', 'remove', 'leeds', '--yes', ...at])).toMatchObject({ code: 0, err: '' });
    const roles = () => root.query(`SELECT rolname FROM pg_roles WHERE rolname ~ '^tagwright_(leeds|york)_'`);
    expect(await roles()).toEqual([]);
    // A removal that was interrupted continues.
    await commandLine(['hub', 'sites', 'add', 'york', ...at]);
    expect(await roles()).toHaveLength(1);
    await root.query(`UPDATE tagwright.sites SET role = 'removed-' || role`);
    expect(await commandLine(['hub', 'sites', 'remove', 'york', '--yes', ...at])).toMatchObject({ code: 0 });
    expect(await roles()).toEqual([]);
  });

  test('the status of a workspace, and a rejoin without a hub', async () => {
    const workspace = ['-w', temporaryFolder()];
    const status = await commandLine(['hub', 'status', '--json', ...workspace]);
    expect(JSON.parse(status.out)).toMatchObject({ state: 'off', site: '', problem: null });
    expect((await commandLine(['hub', 'rejoin', ...workspace])).err).toMatch(/hub\.url/);
  });

  test('the mirror follows the settings, and hides the password', async () => {
    server.createDatabase('followed');
    const at = ['--database', server.url('followed')];
    await commandLine(['hub', 'init', ...at]);
    const { url } = JSON.parse((await commandLine(['hub', 'sites', 'add', 'leeds', '--json', ...at])).out);
    const site = openSite(openStore());
    onTestFinished(() => site.close());
    const changes = new Listeners<typeof now>();
    let now = { 'hub.url': '', 'hub.site': '' };
    const set = (next: typeof now) => {
      now = next;
      changes.emit(now);
    };
    const service = new HubService({
      ...site.store,
      file: site.store.database.name,
      events: site.events,
      version: '1',
      url: undefined,
      settings: { get: () => now, onChange: (listener) => changes.add(listener), closedBecause: () => null },
    });
    service.start();
    expect(service.status()).toMatchObject({ state: 'off' });
    await site.fire(3);
    set({ 'hub.url': url, 'hub.site': 'leeds' });
    await vi.waitFor(() => expect(service.status()).toMatchObject({ state: 'connected', waiting: 0 }));
    expect(service.status().url).not.toContain(new URL(url).password);
    set({ 'hub.url': url, 'hub.site': '' });
    expect(service.status()).toMatchObject({ state: 'off' });
    await service.close();
  });
});
