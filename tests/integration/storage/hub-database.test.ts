import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { HUB_MIGRATIONS } from '../../../src-main/storage/hub/migrations/index.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';

describe.skipIf(postgresPrograms() === null)('the database of a hub', () => {
  let server: PostgresServer;
  const open = (database: string, user = 'postgres') =>
    HubDatabase.open({ url: server.url(database).replace('postgres@', `${user}@`), connections: 4, name: 'test' });

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('several programs create the schema at the same time', async () => {
    server.createDatabase('created');
    const hubs = await Promise.all([open('created'), open('created'), open('created')]);
    const applied = await Promise.all(hubs.map((hub) => hub.migrate()));
    expect(applied.flat()).toEqual(HUB_MIGRATIONS.map(({ name }) => name));
    await hubs[0]?.check();
    await Promise.all(hubs.map((hub) => hub.close()));
  });

  test('a schema of a newer version is left alone', async () => {
    server.createDatabase('newer');
    const hub = await open('newer');
    await hub.migrate();
    await hub.query(
      `INSERT INTO schema_steps (step, name) SELECT n, 'later' FROM generate_series(2, 99) n ON CONFLICT DO NOTHING`,
    );
    await expect(hub.migrate()).rejects.toMatchObject({ code: 'WORKSPACE_NEWER' });
    await expect(hub.check()).rejects.toMatchObject({ code: 'WORKSPACE_NEWER' });
    await hub.close();
  });

  test('a site sees and changes only its own rows', async () => {
    server.createDatabase('rows');
    const hub = await open('rows');
    await hub.migrate();
    await hub.query(`CREATE ROLE leeds LOGIN IN ROLE tagwright_sites`);
    await hub.query(`INSERT INTO sites (site, role) VALUES ('leeds', 'leeds'), ('york', 'york')`);
    await hub.query(`INSERT INTO events (site, id, rule_id, event_date_time, at_ms, active, result_table_name, result_table_record_id)
      SELECT site, 1, 1, '2026-01-01T00:00:00.000+00:00', 0, true, 'r', 1 FROM sites`);
    const leeds = await open('rows', 'leeds');
    expect(await leeds.query('SELECT site FROM sites')).toEqual([{ site: 'leeds' }]);
    expect(await leeds.query('UPDATE events SET active = false RETURNING site')).toEqual([{ site: 'leeds' }]);
    const foreign = `INSERT INTO row_marks (site, result_table, last_id) VALUES ('york', 'r', 1)`;
    await expect(leeds.query(foreign)).rejects.toThrow(/row-level security/);
    await expect(leeds.query('SELECT * FROM consumers')).rejects.toMatchObject({ data: { reason: '42501' } });
    await Promise.all([hub.close(), leeds.close()]);
  });

  test('an error says what to do', async () => {
    await expect(open('missing').then((hub) => hub.check())).rejects.toThrow(/"missing" does not exist/);
    server.createDatabase('empty');
    const hub = await open('empty');
    await expect(hub.check()).rejects.toThrow(/Run "tagwright hub init"/);
    await hub.close();
    await expect(HubDatabase.open({ url: 'mysql://x', connections: 1, name: 'test' })).rejects.toThrow(/postgres:\/\//);
  });

  test('a transaction survives the loss of its connection as an error', async () => {
    server.createDatabase('lost');
    const hub = await open('lost');
    const work = hub.transaction(async (client) => {
      await client.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await hub.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await hub.close();
  });
});
