import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex, Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ConfinedCommand } from '../../../src-main/platform/os-sandbox/confined-command.ts';
import { linuxSandbox } from '../../../src-main/platform/os-sandbox/linux.ts';
import { findTool } from '../../../src-main/platform/os-sandbox/linux-tools.ts';
import { withoutOsSandbox, type OsSandbox } from '../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { Trial, versionTrial } from '../../../src-main/platform/os-sandbox/trial.ts';
import { HOST_FLAGS, hostCommand } from '../../../src-main/scripting/sandbox/supervisor/host-command.ts';
import { plantCommand, PlantView } from '../../../src-main/storage/plant/plant-view.ts';
import { testSandbox } from '../../support/scripting/os-sandbox.ts';
import { commandOf } from '../../support/product/processes.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const onLinux = process.platform === 'linux';
const SECRET = 'not-for-hosts-4711';
const PROBE = resolve(import.meta.dirname, 'native-probe.cjs');
const isolatedVm = dirname(createRequire(import.meta.url).resolve('isolated-vm/package.json'));

const folder = join(sharedFolder(), 'tagwright probe ü');
const marker = `tagwright-probe-${process.pid}`;
const workspace = join(folder, 'workspace');
const files = {
  user: join(folder, 'user.txt'),
  key: join(workspace, 'secrets.key'),
  instance: join(workspace, 'instance.json'),
};
const socket = join(folder, 'socket');
const listening = [createServer(), createServer(), createServer()];
/** Represents main: a process of the user with a secret in its environment. */
const main = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], {
  env: { ...process.env, SECRET },
  stdio: 'ignore',
});
let port = 0;

beforeAll(async () => {
  mkdirSync(workspace, { recursive: true });
  for (const file of Object.values(files)) writeFileSync(file, SECRET, { mode: 0o600 });
  const [tcp, path, abstract] = listening;
  tcp?.listen(0, '127.0.0.1');
  path?.listen(socket);
  abstract?.listen(`\0${marker}`);
  await Promise.all(listening.map((server) => once(server, 'listening')));
  const address = tcp?.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterEach(() => {
  for (const pid of processesWith(marker)) process.kill(pid, 'SIGKILL');
  for (const place of [homedir(), tmpdir()]) rmSync(join(place, marker), { force: true });
});

afterAll(() => {
  for (const server of listening) server.close();
  main.kill('SIGKILL');
});

function processesWith(part: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid !== process.pid && commandOf(pid).includes(part));
}

/**
 * The targets that native code reaches in a process started with the command. It reports on a pipe at this descriptor.
 */
async function probe(
  sandbox: Pick<OsSandbox, 'spawn'>,
  command: ConfinedCommand,
  descriptor: number,
  database?: string,
): Promise<Record<string, boolean | null>> {
  const child = sandbox.spawn({ ...command, args: [...command.args, String(descriptor)] });
  const pipe = child.process.stdio[descriptor];
  if (!(pipe instanceof Duplex)) throw new Error('it has no pipe');
  const places = { files, home: homedir(), temporary: tmpdir(), port, socket, database };
  const targets = { ...places, main: main.pid, secret: SECRET, marker };
  pipe.write(`${JSON.stringify(targets)}\n`);
  const ended = once(child.process, 'close');
  const [line] = (await Promise.race([once(createInterface(pipe), 'line'), ended.then(() => [null])])) as [
    string | null,
  ];
  if (line === null) throw new Error('it ended');
  child.kill();
  await ended;
  const reached = JSON.parse(line) as Record<string, boolean | null>;
  // The content counts, not the report: an empty file reveals nothing.
  const survivors = processesWith(marker).length > 0;
  const written = [homedir(), tmpdir()].some(
    (place) => (statSync(join(place, marker), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  return { ...reached, childThatSurvives: survivors, writeToHomeOrTemporary: written };
}

/** The path of setpriv (util-linux 2.40 or later), if it is not the system's. */
const NEWER_SETPRIV = process.env['TAGWRIGHT_TEST_SETPRIV'];

/** Landlock, as used without bubblewrap, with namespaces and where they are forbidden. */
async function landlock(namespaces: boolean): Promise<{ sandbox: Pick<OsSandbox, 'spawn'>; missing: string | null }> {
  const hidden = new Set(['bwrap', ...(namespaces ? [] : ['unshare'])]);
  const find = (name: string) => {
    if (hidden.has(name)) return null;
    return name === 'setpriv' && NEWER_SETPRIV !== undefined ? NEWER_SETPRIV : findTool(name);
  };
  const { wrapper, layers } = await linuxSandbox(new Trial(versionTrial(process.execPath)), find);
  const reason = layers[0]?.reason ?? '';
  const wanted = namespaces ? /in namespaces/ : /^Landlock and seccomp:/;
  return { sandbox: wrapper, missing: wanted.test(reason) ? null : reason };
}

/** On some systems, only root can read the memory of a process that is not a child. */
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
  ownDatabase: null,
});

describe.runIf(onLinux)('native code instead of a script host', () => {
  const { args, ...command } = hostCommand({ hostFile: PROBE, nodeBinary: process.execPath }, isolatedVm, 128);
  const native = { ...command, args: args.slice(HOST_FLAGS.length) };

  test('reaches none of 12 targets if the OS sandbox is active', async ({ skip }) => {
    const sandbox = await testSandbox();
    if (sandbox.state.protection !== 'full') skip(sandbox.state.summary);
    expect(await probe(sandbox, native, 3)).toEqual(all(false));
  });

  test('reaches all of them without a sandbox: the probe itself works', async () => {
    const plain = withoutOsSandbox('a test compares');
    expect(plain.state).toMatchObject({ protection: 'none', summary: 'Not active: a test compares.' });
    expect(await probe(plain, native, 3)).toEqual({ ...all(true), memoryOfMain: mayReadMemory() });
  });

  test('with namespaces only, reads files, but reaches neither main nor a network', async ({ skip }) => {
    const { wrapper, layers } = await linuxSandbox(new Trial(versionTrial(process.execPath)), (name) =>
      name === 'bwrap' ? null : findTool(name),
    );
    const off = layers.filter(({ active }) => !active).map(({ name }) => name);
    if (off.length !== 3) skip(layers[0]?.reason);
    expect(off).toEqual(['Files', 'Workspace files', 'System calls']);
    expect(layers[0]?.reason).toMatch(/^bubblewrap is not installed/);
    expect(await probe(wrapper, native, 3)).toEqual({
      ...all(true),
      environmentOfMain: false,
      memoryOfMain: false,
      signalToMain: false,
      childThatSurvives: false,
      writeToHomeOrTemporary: false,
      loopback: false,
      ownDatabase: null,
    });
  });

  test.for([
    ['in namespaces', true],
    ['without namespaces', false],
  ] as const)('reaches none of 12 targets with Landlock %s', async ([, namespaces], { skip }) => {
    const { sandbox, missing } = await landlock(namespaces);
    if (missing !== null) skip(missing);
    expect(await probe(sandbox, native, 3)).toEqual(all(false));
  });

  test('with limits only, writes no files', async () => {
    const only = (name: string) => (name === 'prlimit' ? findTool(name) : null);
    const { wrapper, layers } = await linuxSandbox(new Trial(versionTrial(process.execPath)), only);
    expect(layers.map(({ active }) => active)).toEqual([false, false, false, false, false, true]);
    expect(await probe(wrapper, native, 3)).toEqual({
      ...all(true),
      memoryOfMain: mayReadMemory(),
      writeToHomeOrTemporary: false,
    });
  });

  test('ends before other programs when the machine runs out of memory', async () => {
    const sandbox = await testSandbox();
    const code = 'setTimeout(() => {}, 600_000)';
    const child = sandbox.spawn({ ...native, args: ['-e', code] });
    try {
      await expect.poll(() => commandOf(child.pid ?? 0)).toContain(code);
      if (sandbox.state.protection === 'full') expect(child.pid).not.toBe(child.process.pid);
      expect(readFileSync(`/proc/${child.pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    } finally {
      child.kill();
    }
  });

  test('confirms the reported status of the sandbox', async () => {
    const { system, protection, layers, summary } = (await testSandbox()).state;
    expect(system).toBe('Linux');
    expect(layers.map(({ name }) => name)).toEqual([
      'Files',
      'Network',
      'Other processes',
      'Workspace files',
      'System calls',
      'Memory',
    ]);
    expect(layers.every(({ reason }) => reason !== '')).toBe(true);
    expect(summary).toMatch({ full: /^Active: /, partial: /^Partly active, /, none: /^Not active: / }[protection]);
  });
});

/** Native code ignores the permission model of Node. */
function withoutPermissions({ args, ...command }: ConfinedCommand): ConfinedCommand {
  return { ...command, args: args.filter((flag) => !/^--(permission$|allow-)/.test(flag)) };
}

describe.runIf(onLinux)('native code instead of a plant host', () => {
  const database = join(workspace, 'plant.db');
  const options = { nodeBinary: process.execPath, hostFile: PROBE, file: database };
  const native = (view: PlantView | null) => withoutPermissions(plantCommand(options, 'writer', view));

  test('reaches its database and none of 12 targets if the OS sandbox is active', async ({ skip }) => {
    const sandbox = await testSandbox();
    if (sandbox.state.protection !== 'full') skip(sandbox.state.summary);
    writeFileSync(database, '');
    mkdirSync(join(workspace, 'logs'), { recursive: true });
    const view = new PlantView(database);
    expect(await probe(sandbox, native(view), 4, database)).toEqual({ ...all(false), ownDatabase: true });
    expect(readdirSync(workspace).toSorted()).toEqual(['instance.json', 'logs', 'plant.db', 'secrets.key']);
    expect(readFileSync(files.key, 'utf8')).toBe(SECRET);
    expect(view.isOutdated()).toBe(false);
    writeFileSync(join(workspace, 'new.key'), SECRET);
    expect(view.isOutdated()).toBe(true);
  });

  test('creates no journal of workspace.db if the OS sandbox is active', async ({ skip }) => {
    const sandbox = await testSandbox();
    if (sandbox.state.protection !== 'full') skip(sandbox.state.summary);
    const journal = join(workspace, 'workspace.db-journal');
    writeFileSync(journal, '');
    const code = `const fs = require('node:fs');
      const [journal] = process.argv.slice(1);
      for (const attempt of [
        () => fs.unlinkSync(journal),
        () => fs.writeFileSync(journal, 'x'),
        () => { fs.writeFileSync(journal + '2', 'x'); fs.renameSync(journal + '2', journal); },
      ]) try { attempt(); } catch {}
      console.error(fs.readdirSync(require('node:path').dirname(journal)).join());`;
    const command = { ...native(new PlantView(database)), args: ['-e', code, journal] };
    const child = sandbox.spawn(command);
    const said = readAll(child.process.stderr ?? Readable.from([]));
    expect(await once(child.process, 'close')).toEqual([0, null]);
    expect(await said).toContain('workspace.db-journal');
    expect(statSync(journal).size).toBe(0);
    for (const left of [journal, `${journal}2`]) rmSync(left, { force: true });
  });

  test('with Landlock, reaches only its database and the files of the workspace', async ({ skip }) => {
    const { sandbox, missing } = await landlock(false);
    if (missing !== null) skip(missing);
    writeFileSync(database, '');
    const reached = { ...all(false), workspaceKey: true, rpcToken: true, ownDatabase: true };
    expect(await probe(sandbox, native(null), 4, database)).toEqual(reached);
  });

  test('reaches all of them without a sandbox', async () => {
    writeFileSync(database, '');
    const plain = withoutOsSandbox('a test compares');
    const reached = { ...all(true), memoryOfMain: mayReadMemory(), ownDatabase: true };
    expect(await probe(plain, native(null), 4, database)).toEqual(reached);
  });
});
