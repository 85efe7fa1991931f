import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type {
  ScriptHostPool,
  ScriptHostPoolOptions,
} from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { encodeFrame, FrameReader } from '../../../../src-main/platform/host-pipe/frames.ts';
import { WARM_UP } from '../../../../src-main/scripting/sandbox/child/warm-up.ts';
import { FROM_HOST, TO_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import { hostSandbox } from '../../../../src-main/scripting/sandbox/supervisor/host-command.ts';
import type { HostExit } from '../../../../src-main/scripting/sandbox/supervisor/run-errors.ts';
import { hostStarter } from '../../../../src-main/scripting/sandbox/supervisor/script-host.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';
import { columns, jobOf, realPool, runScript } from '../../../support/scripting/script-runs.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';
import { scriptHostsOf, startedFromNow, untilOneLoops } from '../../../support/product/processes.ts';

const onLinux = process.platform === 'linux';
const pools: ScriptHostPool[] = [];
const folder = sharedFolder();
/** The script hosts of the test. */
let hostPids: () => number[] = () => [];

function pool(options: Partial<ScriptHostPoolOptions> = {}): ScriptHostPool {
  const made = realPool(options);
  pools.push(made);
  return made;
}

beforeEach(() => {
  hostPids = startedFromNow('script-host');
});
afterEach(async () => {
  for (const made of pools.splice(0)) await made.close();
});

function isRunning(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const until = (condition: () => boolean) => expect.poll(condition, { interval: 10 }).toBe(true);

describe('hosts', () => {
  test('warm up with a script that works', async () => {
    const entries: string[] = [];
    const outcome = await runScript(pool(), WARM_UP, { onConsole: (entry) => entries.push(entry.text) });
    expect(outcome).toMatchObject({ status: 'ok', result: [0] });
    expect(entries).toEqual([expect.stringMatching(/^\{.*\} \{ ?at: .*random: 0\.\d+ ?\}$/s)]);
  });

  test('are replaced by the spare when a run is cancelled', async () => {
    const hosts = pool({ spare: true });
    hosts.start();
    await until(() => hosts.status().idle === 2);
    const cancel = new AbortController();
    const limits = { scriptMs: 600_000, totalMs: 600_000 };
    const endless = runScript(hosts, 'while (true);', { signal: cancel.signal, limits });
    await wait(50);
    cancel.abort();
    expect((await endless).status).toBe('cancelled');
    expect(await runScript(hosts, 'return 1')).toMatchObject({ status: 'ok', result: 1 });
    await until(() => hosts.status().idle === 2);
    expect(hosts.status()).toEqual({ idle: 2, busy: 0, starting: 0, restarts: 1 });
  });

  test('work in parallel', async () => {
    const hosts = pool({ count: 2, spare: false });
    hosts.start();
    await until(() => hosts.status().idle === 2);
    const both = await Promise.all(
      [1, 2].map(() => runScript(hosts, 'while (true);', { limits: { scriptMs: 2_000 } })),
    );
    expect(both.map(({ status }) => status)).toEqual(['timeout', 'timeout']);
    expect(both[1]?.timing.queuedMs).toBeLessThan(2_000);
  });

  test('apply the memory limit of each run', async () => {
    const hosts = pool({ spare: false });
    const body = 'const a = []; for (let i = 0; i < 40; i++) a.push(new Array(131072).fill(1.5)); return a.length';
    expect(await runScript(hosts, body, { limits: { memoryMb: 16 } })).toMatchObject({ status: 'memory' });
    expect(await runScript(hosts, body, { limits: { memoryMb: 128 } })).toMatchObject({ status: 'ok', result: 40 });
    expect(await runScript(hosts, body, { limits: { memoryMb: 16 } })).toMatchObject({ status: 'memory' });
  });

  test('use the same local time as this process', async () => {
    const { result } = await runScript(pool({ spare: false }), 'return new Date(0).getTimezoneOffset()');
    expect(result).toBe(new Date(0).getTimezoneOffset());
  });

  test.runIf(onLinux)('that crash end only their run, and the report says how', async () => {
    const hosts = pool({ spare: true });
    const limits = { scriptMs: 600_000, totalMs: 600_000 };
    const run = runScript(hosts, 'console.log("begun"); while (true);', { limits });
    process.kill(await untilOneLoops(process.pid), 'SIGSEGV');
    const outcome = await run;
    expect(outcome).toMatchObject({ status: 'crashed', console: [{ text: 'begun' }] });
    expect(outcome.error?.message).toContain('SIGSEGV');
    expect(await runScript(hosts, 'return 1')).toMatchObject({ status: 'ok' });
  });

  test.runIf(onLinux)('that are found dead do not fail a run', async () => {
    const hosts = pool({ spare: false });
    await runScript(hosts, 'return 1');
    const [pid] = hostPids();
    process.kill(pid ?? 0, 'SIGSTOP');
    const run = runScript(hosts, 'return 2');
    await wait(30);
    process.kill(pid ?? 0, 'SIGKILL');
    expect(await run).toMatchObject({ status: 'ok', result: 2 });
  });

  test.runIf(onLinux)('use less than 60 MB when idle, even after much work', async () => {
    const hosts = pool({ spare: true });
    for (let run = 0; run < 500; run += 1) await runScript(hosts, 'return 1');
    await until(() => hosts.status().idle === 2);
    const few = expect.toSatisfy((mb: number) => mb > 10 && mb < 60);
    await expect.poll(() => hostPids().map(residentMb)).toEqual([few, few]);
  });

  test.runIf(onLinux)('end on close', async () => {
    const hosts = pool({ count: 2, spare: true });
    hosts.start();
    await until(() => hosts.status().idle === 3);
    void runScript(hosts, 'while (true);');
    await expect.poll(() => hostPids().length).toBe(3);
    const pids = hostPids();
    await hosts.close();
    // The program of the OS sandbox can end a moment before the host in it.
    await until(() => !pids.some(isRunning));
  });

  test.runIf(onLinux)('end with the process that started them, whether idle or busy', async () => {
    const program = `
      import { realPool, runScript, columns } from ${JSON.stringify(resolve(import.meta.dirname, '../../../support/scripting/script-runs.ts'))};
      const calls = { get: () => columns([1]), set: () => columns([]) };
      const pool = realPool({ count: 3, spare: true });
      pool.start();
      runScript(pool, 'while (true);', { calls, limits: { scriptMs: 5000 } });
      runScript(pool, 'while (true) TagValueManager.Get(["a"])', { calls, limits: { scriptMs: 60000, totalMs: 60000 } });
      setTimeout(() => console.log('ready'), 500);`;
    const main = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void main.kill('SIGKILL'));
    await new Promise((ready) => main.stdout.once('data', ready));
    await expect.poll(() => scriptHostsOf(main.pid ?? 0).length).toBe(4);
    const pids = scriptHostsOf(main.pid ?? 0);
    main.kill('SIGKILL');
    await until(() => !pids.some(isRunning));
  });

  test('return responses that main delays, without charging the script', async () => {
    const calls = {
      get: async (tags: string[]) => (await wait(1_500), columns(tags.map(() => 5))),
      set: () => columns([]),
    };
    const outcome = await runScript(pool({ spare: false }), 'return TagValueManager.Get(["a"]).Value[0].Value', {
      calls,
      limits: { scriptMs: 1_000 },
    });
    expect(outcome).toMatchObject({ status: 'ok', result: 5 });
    expect(outcome.timing.hostCallMs).toBeGreaterThan(1_490);
  });

  test('are not charged for the time main itself is blocked', async () => {
    let calls = 0;
    const get = (tags: string[]) => {
      calls += 1;
      if (calls === 2) setImmediate(() => holdUp(1_500));
      return columns(tags.map(() => 1));
    };
    const body = 'for (let i = 0; i < 20; i++) TagValueManager.Get(["a"]); return 1';
    const limits = { scriptMs: 1_000 };
    const outcome = await runScript(pool({ spare: false }), body, { limits, calls: { get, set: () => columns([]) } });
    expect(outcome.status).toBe('ok');
    expect(outcome.timing.totalMs).toBeGreaterThan(1_450);
  });
});

describe('the process of a host', () => {
  async function started(hostFile: string) {
    const reader = new FrameReader(() => 1e6);
    const frames: number[] = [];
    const { promise: exit, resolve: exited } = Promise.withResolvers<HostExit>();
    const sandbox = hostSandbox({ hostFile: TEST_SCRIPT_HOST, nodeBinary: process.execPath });
    await sandbox.known;
    const start = hostStarter({ hostFile, nodeBinary: process.execPath, sandbox });
    const data = (chunk: Buffer): void => reader.push(chunk, (type) => frames.push(type) > 0);
    const host = start({ data, exit: exited }, 64);
    onTestFinished(() => host.kill());
    return { host, frames, exit };
  }

  test('reports a new realm without being asked only if creating it took long, and once', async () => {
    const { host, frames } = await started(TEST_SCRIPT_HOST);
    const body = 'globalThis.a = []; for (let i = 0; i < 2e5; i++) a.push(new ArrayBuffer(16)); throw 1';
    const { ready, done } = FROM_HOST;
    await expect.poll(() => frames).toEqual([ready]);
    const { context, limits } = jobOf(body);
    host.write(encodeFrame(TO_HOST.run, JSON.stringify({ body, context, limits: { ...limits, scriptMs: 30_000 } })));
    await expect.poll(() => frames).toEqual([ready, done, ready]);
    host.write(encodeFrame(TO_HOST.check, ''));
    host.write(encodeFrame(TO_HOST.run, JSON.stringify({ body: 'return 1', context, limits })));
    await expect.poll(() => frames.slice(0, 4)).toEqual([ready, done, ready, done]);
  });

  test.runIf(onLinux)('has not read a frame that was sent after it had closed its pipe', async () => {
    const hostFile = join(folder, 'closing.cjs');
    writeFileSync(hostFile, "require('node:fs').closeSync(3); setTimeout(() => process.exit(1), 1_000);");
    const { host, exit } = await started(hostFile);
    await wait(700);
    host.write(encodeFrame(TO_HOST.run, '{}'));
    expect(await exit).toMatchObject({ unread: true });
  });
});

/** 0 if the process has ended. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function holdUp(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
