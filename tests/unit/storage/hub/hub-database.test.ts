import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HubDatabase, withCheckedCertificate } from '../../../../src-main/storage/hub/hub-database.ts';

const address = (parameters: string) => `postgres://hub:a%26b@db.example:5432/tagwright${parameters}`;

test.each([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?sslrootcert=ca.pem&sslmode=prefer', '?sslrootcert=ca.pem&sslmode=verify-full'],
  ['?sslmode=verify-ca&application_name=x', '?sslmode=verify-full&application_name=x'],
  ['?sslmode=verify-full', '?sslmode=verify-full'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['', ''],
])('certificates are checked in every mode that asks for encryption: %j', (given, used) => {
  expect(withCheckedCertificate(address(given))).toBe(address(used));
});

test.each<[string, (hub: HubDatabase) => Promise<unknown>]>([
  ['a query', (hub) => hub.query('SELECT 1')],
  ['statements', (hub) => hub.statements((client) => client.query('SELECT 1'))],
  ['a transaction', (hub) => hub.transaction((client) => client.query('SELECT 1'))],
  ['a session', (hub) => hub.session((client) => client.query('SELECT 1'))],
])('%s without a database says what to do', async (_, work) => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : 0;
  await new Promise((resolve) => void server.close(resolve));
  const hub = await HubDatabase.open({ url: `postgres://hub:x@127.0.0.1:${port}/none`, connections: 1, name: 'test' });
  onTestFinished(() => hub.abort());
  await expect(work(hub)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(
      /^The database of the hub failed: .*ECONNREFUSED.* Check that the database is running/,
    ),
  });
});
