import { afterEach, describe, expect, test, vi } from 'vitest';
import { withoutOsSandbox } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { PlantDatabase } from '../../../../src-main/storage/plant/plant-database.ts';
import { testSandbox } from '../../../support/os-sandbox.ts';
import { commandOf, programsOf } from '../../../support/processes.ts';
import { realPool, runScript } from '../../../support/script-runs.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const onLinux = process.platform === 'linux';
const NO_RULES = { jitless: false, requireOsSandbox: false };
const none = withoutOsSandbox('there is none in this test');
let pool: ScriptHostPool | null = null;

afterEach(() => pool?.close());

describe('hosts.requireOsSandbox', () => {
  const rules = { ...NO_RULES, requireOsSandbox: true };

  test('refuses to run scripts without a sandbox, and says why and what to do', async () => {
    pool = realPool({ sandbox: none, rules });
    pool.start();
    await expect(runScript(pool, 'return 1')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message:
        'Scripts do not run here: the setting hosts.requireOsSandbox asks for an OS sandbox that keeps files, network and ' +
        'other processes out of reach. Not active: there is none in this test. Fix that, or turn the setting off.',
    });
    expect(pool.status()).toMatchObject({ idle: 0, starting: 0 });
    pool.follow(NO_RULES);
    expect(await runScript(pool, 'return 1')).toMatchObject({ status: 'ok' });
  });

  test('runs scripts in one', async ({ skip }) => {
    const sandbox = await testSandbox();
    if (sandbox.state.protection !== 'full') skip(sandbox.state.summary);
    pool = realPool({ sandbox, rules });
    expect(await runScript(pool, 'return 1')).toMatchObject({ status: 'ok', result: 1 });
  });

  test('refuses SQL without a sandbox', async () => {
    const settings = { 'db.statementMs': 5_000, 'db.maxRows': 10, 'hosts.requireOsSandbox': true };
    const plant = new PlantDatabase({
      directory: temporaryFolder(),
      nodeBinary: process.execPath,
      hostFile: '',
      settings: { get: () => settings },
      sandbox: none,
    });
    const message = expect.stringMatching(/^SQL does not run here: .*hosts\.requireOsSandbox/);
    expect(await plant.read([{ sql: 'SELECT 1' }])).toEqual([{ error: { fault: 'file', message } }]);
    await expect(plant.begin()).rejects.toThrow(/hosts\.requireOsSandbox/);
    await plant.close();
  });
});

describe.runIf(onLinux)('hosts.jitless', () => {
  test('replaces hosts when it changes, the busy one after its run', async () => {
    const hosts = realPool({ count: 2, spare: false });
    pool = hosts;
    hosts.start();
    await vi.waitFor(() => expect(hosts.status().idle).toBe(2));
    const busy = runScript(hosts, 'for (const end = Date.now() + 300; Date.now() < end;); return 1');
    hosts.follow({ ...NO_RULES, jitless: true });
    expect(await busy).toMatchObject({ status: 'ok' });
    const commands = () => programsOf(process.pid, 'script-host').map(commandOf);
    await vi.waitFor(() => expect(hosts.status()).toMatchObject({ idle: 2, restarts: 0 }));
    expect(commands().map((command) => command.includes('--jitless'))).toEqual([true, true]);
    expect(await runScript(hosts, "return ['ab'.replace(/(a)(?<name>b)/u, '$2$1'), 2 ** 40]")).toMatchObject({
      status: 'ok',
      result: ['ba', 2 ** 40],
    });
  });
});
