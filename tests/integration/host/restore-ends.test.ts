import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { RestorableWorkbench } from '../../../src-main/host/restorable-workbench.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { InstanceLock } from '../../../src-main/storage/workspace/instance-lock.ts';
import { builtProduct, ROOT, tagwright } from '../../support/product/product.ts';
import { clientOf, serve, setTarget, TARGET } from '../../support/product/served-instance.ts';
import { seededRandom } from '../../support/run/random.ts';
import { scaled } from '../../support/run/scale.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

test('a stop or kill during a restore leaves the old or the new workspace complete', async () => {
  const workspace = temporaryFolder();
  const random = seededRandom();
  for (let round = 0; round < scaled(3, 8); round += 1) {
    const { command, pid } = await serve(workspace);
    const client = await clientOf(workspace);
    await setTarget(client, 111);
    const { name } = await client.backups.create();
    await setTarget(client, 222);
    client.backups.restore({ name }).catch(() => {});
    await delay(random() * 500);
    process.kill(pid, round === 0 ? 'SIGTERM' : 'SIGKILL');
    await command.ended;
    const { code, out, err } = await tagwright(['tags', 'get', TARGET, '--json', '-w', workspace]);
    if (code !== 0) throw new Error(`round ${round}: ${err}`);
    const { value } = JSON.parse(out)[0];
    expect([111, 222]).toContain(value);
    const database = new Database(join(workspace, 'workspace.db'), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    expect(existsSync(join(workspace, 'workspace.db.restored'))).toBe(false);
  }
});

const log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

/** A workbench in this process. `restore` closes it and runs `between` instead of restoring a backup. */
async function restorable(lost: (thrown: unknown) => void) {
  const directory = temporaryFolder();
  const workbench = await RestorableWorkbench.open(
    { directory, root: ROOT, createSample: false, eventsPort: 0, log },
    lost,
  );
  let served = 0;
  workbench.serveBy({ serve: () => void (served += 1), pause: () => void (served -= 1) });
  const restore = (between: () => Promise<null>) =>
    workbench.restore({ name: 'workspace.db', replace: between, undo: async () => {}, discard: () => {} });
  return { directory, workbench, restore, served: () => served };
}

test('a workspace that cannot be opened is reported, and the instance can be stopped', async () => {
  const lost = Promise.withResolvers<unknown>();
  const { directory, workbench, restore, served } = await restorable(lost.resolve);
  restore(async () => {
    writeFileSync(join(directory, 'workspace.db'), 'damaged by the disk');
    throw new Error('the disk failed');
  });
  expect(await lost.promise).toMatchObject({ code: 'WORKSPACE_DAMAGED' });
  expect(served()).toBe(0);
  await workbench.close();
  InstanceLock.acquire(directory, systemClock).release();
});

test('a taken events port is reported; a stop waits for the restore', async () => {
  const { directory, workbench, restore, served } = await restorable((thrown) => expect(thrown).toBe(null));
  const port = Number(new URL(workbench.current.services.eventsApi.status().url ?? '').port);
  const thief = createServer();
  onTestFinished(() => void thief.close());
  const before = workbench.current;
  restore(async () => {
    expect(served()).toBe(0);
    await new Promise<void>((resolve) => void thief.listen(port, '127.0.0.1', resolve));
    return null;
  });
  await workbench.settle();
  expect([workbench.current === before, served()]).toEqual([false, 1]);
  const info = workbench.current.services.app.info();
  expect(info).toMatchObject({
    restored: { kept: null, problem: null },
    eventsApi: null,
    eventsApiProblem: expect.stringContaining(`${port}`),
  });
  // No new one starts.
  restore(() => Promise.reject(new Error('too late')));
  await workbench.close();
  InstanceLock.acquire(directory, systemClock).release();
});
