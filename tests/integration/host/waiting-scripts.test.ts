import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { HostsStatus } from '../../../src-main/scripting/sandbox/script-run.ts';
import { rawRemoteServer } from '../../support/services/remote-server.ts';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct } from '../../support/product/product.ts';
import { startInstance } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };

/** An instance with these settings, and a client. */
async function instance(settings: string[]) {
  const workspace = join(temporaryFolder(), 'plant');
  const set = await commandLine(['settings', 'set', ...settings, '--workspace', workspace]);
  expect(set).toMatchObject({ code: 0 });
  const served = await startInstance({ workspace });
  onTestFinished(async () => expect((await served.close()).code).toBe(0));
  const client = await served.client();
  // Their conditions would also wait for hosts.
  for (const rule of await client.rules.list()) await client.rules.save({ ...rule, enabled: false });
  return { workspace, client };
}

/** Accepts connections, and sends nothing. */
const waitFor = (silent: string, name = '') =>
  `/* ${name} */ return ApiValueManager.Fetch(${JSON.stringify(silent)}, 'get').ErrorMessage`;

test('a setting limits waiting scripts; status and report show that a run waits', async () => {
  const { workspace, client } = await instance(['hosts.count=1', 'hosts.waiting=1', 'api.mode="live"']);
  const silent = await rawRemoteServer(() => undefined);
  let last: Partial<HostsStatus> = {};
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const following = (async () => {
    for await (const { hosts } of await client.app.status(undefined, { signal: stop.signal })) last = hosts;
  })().catch(() => undefined);
  const waiting = ['a', 'b'].map((key) =>
    client.runs.execute({ body: waitFor(silent, key), context, dryRun: false, key }),
  );
  // One run waits. The other could occupy the only place, and so could the next ones: they are held back.
  await expect.poll(() => last).toMatchObject({ waiting: 1, queued: 1, held: 1 });
  const next = client.runs.execute({ body: '/* ApiValueManager */ return 7', context, dryRun: false });
  const stdin = '/* ApiValueManager */ return 8';
  const shown = commandLine(['run', '-', '--workspace', workspace], { stdin });
  await expect.poll(() => last).toMatchObject({ waiting: 1, queued: 3, held: 3 });
  expect(await client.runs.execute({ body: 'return 9', context, dryRun: false })).toMatchObject({ result: 9 });
  const waitedMs = 1_200;
  const since = performance.now();
  await expect.poll(() => performance.now() - since).toBeGreaterThan(waitedMs);

  // Stop works at once, whatever the remote server does, and releases the place.
  for (const key of ['a', 'b']) await client.runs.cancel({ key });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  const report = await next;
  expect(report).toMatchObject({ status: 'ok', result: 7 });
  expect(report.timing.queuedMs).toBeGreaterThan(waitedMs);
  const { code, out } = await shown;
  expect(code).toBe(0);
  expect(out).toMatch(/^ok {2}in .*\(script .*, host calls .*, waited [\d.,]+ m?s for a host\)/);
  await expect.poll(() => last.queued).toBeUndefined();
  stop.abort();
  await following;
});

test('many runs that wait for one slow system delay no other script, and are shown', async () => {
  const { workspace, client } = await instance(['hosts.waiting=6', 'api.mode="live"']);
  const silent = await rawRemoteServer(() => undefined);
  const keys = Array.from({ length: 50 }, (_, index) => `run-${index}`);
  const waiting = keys.map((key) => client.runs.execute({ body: waitFor(silent), context, dryRun: false, key }));
  const report = await client.runs.execute({ body: 'return 1 + 1', context, dryRun: false });
  expect(report).toMatchObject({ status: 'ok', result: 2 });
  const hosts = async () => {
    for await (const status of await client.app.status()) return status.hosts;
    return null;
  };
  await expect.poll(hosts).toMatchObject({ waiting: 6, waitingMost: 6, queued: 44, held: 44 });
  expect(await client.runs.execute({ body: 'return 3', context, dryRun: false })).toMatchObject({ result: 3 });
  const { out } = await commandLine(['doctor', '--workspace', workspace]);
  expect(out).toMatch(/warning +Waiting scripts +44 runs held back/);
  for (const key of keys) await client.runs.cancel({ key });
  for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ status: 'cancelled' });
});

test('waiting scripts within the limit block no runs', async () => {
  const { client } = await instance(['hosts.count=1', 'hosts.waiting=4', 'api.mode="live"']);
  const silent = await rawRemoteServer(() => undefined);
  const keys = ['a', 'b', 'c', 'd'];
  const waiting = keys.map((key) => client.runs.execute({ body: waitFor(silent), context, dryRun: false, key }));
  const report = await client.runs.execute({ body: 'return 7', context, dryRun: false });
  expect(report).toMatchObject({ status: 'ok', result: 7 });
  for (const key of keys) await client.runs.cancel({ key });
  for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ status: 'cancelled', result: null });
});
