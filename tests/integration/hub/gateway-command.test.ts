import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { runCommand } from '../../unit/cli/run-command.ts';
import { caller, createHub, putTo, start } from './start-gateway.ts';

const CERTIFICATES = resolve(import.meta.dirname, '../../unit/outbound/certificates');

describe.skipIf(postgresPrograms() === null)('tagwright gateway', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('keys are created, listed and revoked', async () => {
    const { url } = await createHub(server, { leeds: 3 });
    const database = ['--database', url];
    const added = await runCommand([
      'gateway',
      'keys',
      'add',
      'erp',
      '--site',
      'leeds',
      '--right',
      'read',
      ...database,
    ]);
    expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^tgw_[0-9a-f]{12}_[\w-]{43}\n$/) });
    const call = caller(await start(url), added.out.trim());
    expect((await call('/sites/leeds/api/events')).status).toBe(200);
    const list = await runCommand(['gateway', 'keys', 'list', ...database]);
    expect(list.out).toMatch(/^erp {2}[0-9a-f]{12} {2}leeds {2}read\n$/);
    expect((await runCommand(['gateway', 'keys', 'add', 'erp', ...database])).err).toContain('already');
    expect((await runCommand(['gateway', 'keys', 'add', 'x', '--site', 'york', ...database])).err).toContain(
      'no site york',
    );
    expect((await runCommand(['gateway', 'keys', 'add', 'x', '--right', 'all', ...database])).code).toBe(2);
    for (const name of ['', ' ', 'x\ny', '\x1b[2J', 'x'.repeat(101)])
      expect((await runCommand(['gateway', 'keys', 'add', name, ...database])).code).toBe(2);
    expect((await runCommand(['gateway', 'keys', 'revoke', 'nobody', ...database])).code).toBe(2);
    expect((await runCommand(['gateway', 'keys', 'revoke', 'erp', ...database])).err).toBe('Revoked erp.\n');
    expect((await runCommand(['gateway', 'keys', 'list', ...database])).out).toContain('revoked');
    await expect.poll(async () => (await call('/sites')).status).toBe(401);
  });

  test('it serves HTTPS until it is asked to end', async () => {
    const hub = await createHub(server, { leeds: 3 });
    const key = await hub.addKey('erp');
    const cert = resolve(CERTIFICATES, 'localhost.pem');
    let interrupt = () => {};
    let printed = '';
    const ended = runCommand(
      ['gateway', '--database', hub.url, '--port', '0', '--tls-cert', cert, '--tls-key', cert, '--json'],
      { onListen: (stop) => (interrupt = stop), onOut: (text) => (printed += text) },
    );
    await expect.poll(() => printed).toContain('"url"');
    const { url }: { url: string } = JSON.parse(printed);
    expect(url).toMatch(/^https:/);
    const status = await new Promise((done, fail) => {
      const options = { ca: readFileSync(cert), servername: 'localhost', headers: { 'X-API-Key': key } };
      request(`${url}/sites/leeds/api/events`, options, (response) => done(response.resume().statusCode))
        .on('error', fail)
        .end();
    });
    expect(status).toBe(200);
    interrupt();
    expect((await ended).code).toBe(0);
  });

  test('bad options are rejected', async () => {
    expect((await runCommand(['gateway', '--database', 'mysql://x'])).err).toContain('postgres://');
    expect((await runCommand(['gateway', '--tls-cert', 'x'])).err).toContain('belong together');
    const endless = ['gateway', '--tls-cert', '/dev/zero', '--tls-key', '/dev/zero'];
    expect((await runCommand(endless)).err).toContain('a file in PEM has at most 1,048,576 bytes');
    const open = ['gateway', '--database', server.url('none'), '--address', '0.0.0.0'];
    expect((await runCommand(open)).err).toContain('without TLS');
  });

  test('the documented role of gateways is enough to serve, and can do nothing else', async () => {
    const hub = await createHub(server, { leeds: 3 });
    const documented = /^CREATE ROLE gateway .+;$/m.exec(readFileSync('docs/events/hub.md', 'utf8'))?.[0];
    await hub.hub.query(documented ?? '');
    const url = hub.url.replace('postgres@', 'gateway@');
    const gateway = await start(url);
    const call = caller(gateway, await hub.addKey('erp'));
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    expect(await (await call('/api/events')).json()).toHaveLength(3);
    expect((await call('/sites/leeds/api/events/1', putTo(false))).status).toBe(200);
    expect((await call('/sites/leeds/api/events/2', { method: 'DELETE' })).status).toBe(204);
    expect(await (await call('/sites')).json()).toMatchObject([{ Site: 'leeds', PendingChanges: 2 }]);
    expect((await runCommand(['gateway', 'keys', 'add', 'x', '--database', url])).err).toContain(
      'The role may not do this',
    );
  });
});
