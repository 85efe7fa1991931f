import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';
import { remoteServer } from '../../support/services/remote-server.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

test('webhooks are added, tested, changed, listed and deleted on the command line', async () => {
  let status = 204;
  const far = await remoteServer((_, response) => response.writeHead(status).end());
  const workspace = join(temporaryFolder(), 'workspace');
  const run = (...args: string[]) => commandLine(['webhooks', ...args, '--workspace', workspace]);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);

  const added = await run('add', far.base, '--name', 'ERP', '--rule', '1', '--change', 'created', '--content', 'thin');
  expect(added).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Added webhook "ERP" \(1\)\nSecret: whsec_\S+\n$/),
  });
  const secret = /whsec_\S+/.exec(added.out)?.[0] ?? '';
  expect(await json('list')).toMatchObject([
    { id: 1, name: 'ERP', url: far.base, enabled: true, ruleIds: [1], changes: ['created'], content: 'thin' },
  ]);
  expect((await run('list')).out).toMatch(
    /^ID +NAME +URL +RULES +CHANGES +WAITING +STATE\n1 +ERP +\S+ +1 +created +0 +enabled\n$/,
  );

  expect(await run('test', '1')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Delivered: status 204 in \d+ ms\n$/),
  });
  const [request] = far.requests;
  const headers = Object.fromEntries(
    Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  expect(new Webhook(secret).verify(request?.body ?? '', headers)).toMatchObject({ type: 'webhook.test' });

  status = 500;
  expect(await run('test', '1')).toMatchObject({ code: 1, out: expect.stringContaining('Not delivered: status 500') });
  const log = await json('log', '1');
  expect(log).toMatchObject([
    { state: 'failed', status: 500, attempts: 1 },
    { state: 'delivered', status: 204 },
  ]);
  expect((await run('log')).out.split('\n')).toHaveLength(4);
  status = 200;
  const failed = String(log[0].id);
  expect(await run('resend', failed)).toMatchObject({ code: 0, out: expect.stringContaining('Delivered: status 200') });
  expect((await run('show', failed)).out).toMatch(
    /^webhook\.test, delivered, 2 attempts\n[^]*webhook-signature: v1,[^]*Response 200\n/,
  );

  expect((await json('edit', '1', '--no-enable', '--rule', 'all', '--format', 'cloudevents')).enabled).toBe(false);
  expect(await json('list')).toMatchObject([
    { name: 'ERP', enabled: false, ruleIds: null, changes: ['created'], format: 'cloudevents' },
  ]);
  const rotated = await run('rotate', '1', '--hours', '1');
  expect(rotated.out).toMatch(/^Secret: whsec_\S+\n$/);
  expect(rotated.out).not.toContain(secret);

  for (const [args, message] of [
    [['add', 'ftp://example.com'], 'Enter a URL that starts with https:// or http://'],
    [['add', far.base, '--change', 'made'], '"made" is not a change'],
    [['rotate', '1', '--hours', 'soon'], '--hours must be a number'],
    [['test', 'one'], '"one" is not an id'],
    [['log', '1', '--limit', '0'], '--limit must be a whole number'],
  ] as const) {
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  }
  for (const args of [
    ['add', far.base, '--rule', 'None'],
    ['show', '999'],
    ['delete', '7'],
  ]) {
    expect((await run(...args)).code).not.toBe(0);
  }
  expect((await run('delete', '1')).out).toBe('Deleted webhook "ERP" (1)\n');
  expect(await json('list')).toEqual([]);
});

test('the webhooks of a copied workspace are disabled, and have other ids', async () => {
  const far = await remoteServer((_, response) => response.end());
  const folder = temporaryFolder();
  const [workspace, copy] = [join(folder, 'workspace'), join(folder, 'copy')];
  const run = (...args: string[]) => commandLine(args);
  await run('webhooks', 'add', far.base, '--workspace', workspace);
  await run('webhooks', 'test', '1', '--workspace', workspace);
  expect(await run('workspaces', 'copy', copy, '--with-secrets', '--workspace', workspace)).toMatchObject({ code: 0 });
  const listed = await run('webhooks', 'list', '--json', '--workspace', copy);
  expect(JSON.parse(listed.out)).toMatchObject([
    { id: 1, enabled: false, problem: expect.stringContaining('This workspace is a copy'), lastDeliveredAt: null },
  ]);
  expect((await run('webhooks', 'log', '--workspace', copy)).err).toContain('0 entries');
  expect(await run('webhooks', 'test', '1', '--workspace', copy)).toMatchObject({
    code: 1,
    out: expect.stringContaining('The secret cannot be opened here'),
  });
  await run('webhooks', 'rotate', '1', '--workspace', copy);
  expect(await run('webhooks', 'test', '1', '--workspace', copy)).toMatchObject({ code: 0 });
  const keys = far.requests.map(({ headers }) => String(headers['webhook-id']).split('_')[1]);
  expect(keys).toHaveLength(2);
  expect(keys[0]).not.toBe(keys[1]);
});
