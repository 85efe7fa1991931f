import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Listeners } from '../../../../src-main/platform/events.ts';
import { hostRuntime, productRoot } from '../../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../../src-main/platform/files/programs.ts';
import { type OsSandbox, withoutOsSandbox } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { PlantDatabase } from '../../../../src-main/storage/plant/plant-database.ts';
import { testSandbox } from '../../../support/scripting/os-sandbox.ts';
import { commandOf, startedFromNow } from '../../../support/product/processes.ts';
import { realPool, runScript } from '../../../support/scripting/script-runs.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const onLinux = process.platform === 'linux';
const NO_RULES = { jitless: false, requireOsSandbox: false };
const none = withoutOsSandbox('there is none in this test');
let pool: ScriptHostPool | null = null;

/** An OS sandbox whose detection is repeated with another result. */
class RepeatedSandbox implements OsSandbox {
  readonly known = Promise.resolve();
  readonly #changed = new Listeners<void>();
  #found: OsSandbox;

  constructor(found: OsSandbox) {
    this.#found = found;
  }

  get state() {
    return this.#found.state;
  }

  onChange(listener: () => void) {
    return this.#changed.add(listener);
  }

  spawn(...command: Parameters<OsSandbox['spawn']>) {
    return this.#found.spawn(...command);
  }

  find(found: OsSandbox): void {
    this.#found = found;
    this.#changed.emit();
  }
}

function plantIn(sandbox: OsSandbox) {
  const settings = { 'db.statementMs': 5_000, 'db.maxRows': 10, 'hosts.requireOsSandbox': false };
  const plant = new PlantDatabase({
    directory: temporaryFolder(),
    nodeBinary: hostRuntime(productRoot()).node,
    hostFile: programFile('plant-host'),
    settings: { get: () => settings },
    sandbox,
  });
  onTestFinished(() => plant.close());
  return { plant, settings };
}

/** The processes of the test. */
let scriptHosts: () => number[] = () => [];
let plantHosts: () => number[] = () => [];
const REFUSED = /hosts\.requireOsSandbox asks for an OS sandbox/;

beforeEach(() => {
  scriptHosts = startedFromNow('script-host');
  plantHosts = startedFromNow('plant/child');
});
afterEach(() => pool?.close());

describe('hosts.requireOsSandbox', () => {
  const rules = { ...NO_RULES, requireOsSandbox: true };

  test('rejects scripts without a sandbox, and says why and what to do', async () => {
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

  test('rejects SQL without a sandbox', async () => {
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
    const evidence = { file: '1', mode: 'journal', counter: 1 } as const;
    await expect(plant.outcomeOf(evidence)).rejects.toThrow(/hosts\.requireOsSandbox/);
    await plant.close();
  });
});

describe.runIf(onLinux)('hosts.requireOsSandbox, if enabled while hosts run without a sandbox,', () => {
  test('ends idle script hosts, lets a run end, and rejects waiting runs', async () => {
    const hosts = realPool({ count: 1, sandbox: none, rules: NO_RULES });
    pool = hosts;
    hosts.start();
    await vi.waitFor(() => expect(hosts.status().idle).toBe(2));
    const busy = runScript(hosts, 'for (const end = Date.now() + 500; Date.now() < end;); return 1');
    const queued = runScript(hosts, 'return 2');
    hosts.follow({ ...NO_RULES, requireOsSandbox: true });
    await expect(queued).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(REFUSED) });
    expect(await busy).toMatchObject({ status: 'ok' });
    await vi.waitFor(() => expect(scriptHosts()).toEqual([]));
    hosts.follow(NO_RULES);
    expect(await runScript(hosts, 'return 3')).toMatchObject({ result: 3 });
  });

  test('ends idle hosts of plant.db, and rejects waiting reads', async () => {
    const { plant, settings } = plantIn(none);
    await plant.tryOut();
    // A reader and a writer, and another reader if the first one is slow.
    expect(plantHosts().length).toBeGreaterThanOrEqual(2);
    settings['db.statementMs'] = 2_000;
    const endless = {
      sql: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c',
    };
    const owner = {};
    const reads = Array.from({ length: 3 }, () => plant.read([endless], { owner }));
    // Idle readers get reads at once; another one starts with its read.
    await pause(0);
    await vi.waitFor(() => expect(plantHosts().length).toBeGreaterThanOrEqual(3));
    settings['hosts.requireOsSandbox'] = true;
    plant.review();
    for (const read of reads.slice(0, 2)) expect(await read).toMatchObject([{ error: { fault: 'time' } }]);
    expect(await reads[2]).toMatchObject([{ error: { fault: 'file', message: expect.stringMatching(REFUSED) } }]);
    await vi.waitFor(() => expect(plantHosts()).toEqual([]));
  });
});

describe.runIf(onLinux)('hosts that were started before the sandbox was detected', () => {
  test('are replaced', async ({ skip }) => {
    const full = await testSandbox();
    if (full.state.protection !== 'full') skip(full.state.summary);
    const sandbox = new RepeatedSandbox(none);
    const hosts = realPool({ count: 1, spare: false, sandbox, rules: NO_RULES });
    pool = hosts;
    const { plant } = plantIn(sandbox);
    await plant.tryOut();
    expect(await runScript(hosts, 'return 1')).toMatchObject({ status: 'ok' });
    const plain = new Set([...scriptHosts(), ...plantHosts()]);
    expect(plain.size).toBeGreaterThanOrEqual(3);
    sandbox.find(full);
    await vi.waitFor(() => expect([...scriptHosts(), ...plantHosts()].filter((pid) => plain.has(pid))).toEqual([]));
    expect(await runScript(hosts, 'return 2')).toMatchObject({ result: 2 });
    await plant.tryOut();
  });

  test('stay if later ones cannot be confined', async ({ skip }) => {
    const full = await testSandbox();
    if (full.state.protection !== 'full') skip(full.state.summary);
    const sandbox = new RepeatedSandbox(full);
    const { plant } = plantIn(sandbox);
    await plant.tryOut();
    // The first use left a note in the folder, so those hosts are replaced.
    await plant.tryOut();
    await vi.waitFor(() => expect(plantHosts().length).toBeGreaterThanOrEqual(2));
    const confined = plantHosts();
    sandbox.find(none);
    await plant.tryOut();
    // There can be more: another reader starts if the first one is slow.
    expect(plantHosts()).toEqual(expect.arrayContaining(confined));
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
    await vi.waitFor(() => expect(hosts.status()).toMatchObject({ idle: 2, restarts: 0 }));
    await expect.poll(() => scriptHosts().map((pid) => commandOf(pid).includes('--jitless'))).toEqual([true, true]);
    expect(await runScript(hosts, "return ['ab'.replace(/(a)(?<name>b)/u, '$2$1'), 2 ** 40]")).toMatchObject({
      status: 'ok',
      result: ['ba', 2 ** 40],
    });
  });
});
