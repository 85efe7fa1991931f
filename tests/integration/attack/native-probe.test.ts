import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfinedCommand } from '../../../src-main/platform/os-sandbox/confined-command.ts';
import { osSandboxState, withoutOsSandbox, type OsSandbox } from '../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { HOST_FLAGS, hostCommand } from '../../../src-main/sandbox/supervisor/host-process.ts';
import { testSandbox } from '../../support/os-sandbox.ts';
import { commandOf } from '../../support/processes.ts';

const onLinux = process.platform === 'linux';
const SECRET = 'not-for-hosts-4711';
const PROBE = resolve(import.meta.dirname, 'native-probe.cjs');
const isolatedVm = dirname(createRequire(import.meta.url).resolve('isolated-vm/package.json'));

const folder = mkdtempSync(join(tmpdir(), 'tagwright probe ü-'));
const marker = `tagwright-probe-${process.pid}`;
const workspace = join(folder, 'workspace');
const files = {
  user: join(folder, 'user.txt'),
  key: join(workspace, 'secrets.key'),
  instance: join(workspace, 'instance.json'),
};
const socket = join(folder, 'socket');
const listening = [createServer(), createServer(), createServer()];
/** Stands for main: a process of the user with a secret in its environment. */
const main = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], {
  env: { ...process.env, SECRET },
  stdio: 'ignore',
});
let port = 0;

beforeAll(async () => {
  mkdirSync(workspace);
  for (const file of Object.values(files)) writeFileSync(file, SECRET, { mode: 0o600 });
  const [tcp, path, abstract] = listening;
  tcp?.listen(0, '127.0.0.1');
  path?.listen(socket);
  abstract?.listen(`\0${marker}`);
  await Promise.all(listening.map((server) => once(server, 'listening')));
  const address = tcp?.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterAll(() => {
  for (const server of listening) server.close();
  main.kill('SIGKILL');
  for (const pid of processesWith(marker)) process.kill(pid, 'SIGKILL');
  for (const place of [homedir(), tmpdir()]) rmSync(join(place, marker), { force: true });
  rmSync(folder, { recursive: true, force: true });
});

function processesWith(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid !== process.pid && commandOf(pid).includes(text));
}

/** What native code reaches in a process that is started as the command says. */
async function probe(sandbox: OsSandbox, command: ConfinedCommand): Promise<Record<string, boolean>> {
  const child = sandbox.spawn(command);
  const pipe = child.process.stdio[3];
  if (!(pipe instanceof Duplex)) throw new Error('it has no pipe');
  const targets = { files, main: main.pid, secret: SECRET, home: homedir(), temporary: tmpdir(), port, socket, marker };
  pipe.write(`${JSON.stringify(targets)}\n`);
  const [line] = (await once(createInterface(pipe), 'line')) as [string];
  const ended = once(child.process, 'close');
  child.kill();
  await ended;
  const reached = JSON.parse(line) as Record<string, boolean>;
  // Not what it says, but what is there.
  const survivors = processesWith(marker).length > 0;
  const written = [homedir(), tmpdir()].some((place) => existsSync(join(place, marker)));
  return { ...reached, childThatSurvives: survivors, writeToHomeOrTemporary: written };
}

/** Some systems let nobody but root read the memory of a process that is not a child. */
function mayReadMemory(): boolean {
  const scope = '/proc/sys/kernel/yama/ptrace_scope';
  return process.getuid?.() === 0 || !existsSync(scope) || readFileSync(scope, 'utf8').trim() === '0';
}

const all = (reached: boolean) => ({
  userFile: reached,
  workspaceKey: reached,
  rpcToken: reached,
  environmentOfMain: reached,
  memoryOfMain: reached,
  signalToMain: reached,
  childThatSurvives: reached,
  listOfHome: reached,
  writeToHomeOrTemporary: reached,
  loopback: reached,
  unixSockets: reached,
  otherProcesses: reached,
});

describe.runIf(onLinux)('native code in the place of a script host', () => {
  const { args, ...command } = hostCommand({ hostFile: PROBE, nodeBinary: process.execPath }, isolatedVm, 128);
  const native = { ...command, args: args.slice(HOST_FLAGS.length) };

  it('reaches none of 12 targets where the OS sandbox is active', async ({ skip }) => {
    const sandbox = testSandbox();
    if (sandbox.state.protection !== 'full') skip(sandbox.state.summary);
    expect(await probe(sandbox, native)).toEqual(all(false));
  });

  it('reaches all of them without: the probe itself works', async () => {
    const plain = withoutOsSandbox('a test compares');
    expect(plain.state).toMatchObject({ protection: 'none', summary: 'Not active: a test compares.' });
    expect(await probe(plain, native)).toEqual({ ...all(true), memoryOfMain: mayReadMemory() });
  });

  it('is what the state of the sandbox is about', async () => {
    const { system, protection, layers, summary } = await osSandboxState(process.execPath);
    expect(system).toBe('Linux');
    expect(layers.map(({ name }) => name)).toEqual(['Files', 'Network', 'Other processes', 'System calls', 'Memory']);
    expect(layers.every(({ reason }) => reason !== '')).toBe(true);
    expect(summary).toMatch({ full: /^Active: /, partial: /^Partly active, /, none: /^Not active: / }[protection]);
  });
});
