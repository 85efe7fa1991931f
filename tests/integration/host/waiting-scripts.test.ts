import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { rawFarEnd } from '../../support/far-end.ts';
import { commandLine } from '../../support/command-line.ts';
import { builtProduct } from '../../support/product.ts';
import { startInstance } from '../../support/served-instance.ts';
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

test('a setting limits waiting scripts; status and report show that a run waits', async () => {
  const { workspace, client } = await instance(['hosts.count=1', 'hosts.waiting=1', 'api.mode="live"']);
  // Accepts connections, and sends nothing.
  const silent = await rawFarEnd(() => undefined);
  let last: { waiting?: number; queued?: number } = {};
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const following = (async () => {
    for await (const { hosts } of await client.app.status(undefined, { signal: stop.signal })) last = hosts;
  })().catch(() => undefined);
  const body = `return ApiValueManager.Fetch(${JSON.stringify(silent)}, 'get').ErrorMessage`;
  const waiting = ['a', 'b'].map((key) => client.runs.execute({ body, context, dryRun: false, key }));
  await expect.poll(() => last.waiting).toBe(2);
  // One run has released its place. The other occupies the only one, and the next run waits for it.
  const next = client.runs.execute({ body: 'return 7', context, dryRun: false });
  const shown = commandLine(['run', '-', '--workspace', workspace], { stdin: 'return 8' });
  await expect.poll(() => last.queued).toBe(2);
  expect(last.waiting).toBe(2);
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

test('waiting scripts within the limit block no runs', async () => {
  const { client } = await instance(['hosts.count=1', 'hosts.waiting=4', 'api.mode="live"']);
  const silent = await rawFarEnd(() => undefined);
  const body = `return ApiValueManager.Fetch(${JSON.stringify(silent)}, 'get').ErrorMessage`;
  const keys = ['a', 'b', 'c', 'd'];
  const waiting = keys.map((key) => client.runs.execute({ body, context, dryRun: false, key }));
  const report = await client.runs.execute({ body: 'return 7', context, dryRun: false });
  expect(report).toMatchObject({ status: 'ok', result: 7 });
  for (const key of keys) await client.runs.cancel({ key });
  for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ status: 'cancelled', result: null });
});
