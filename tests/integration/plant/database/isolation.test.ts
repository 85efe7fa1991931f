import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { productRoot } from '../../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../../src-main/platform/files/programs.ts';
import { withoutOsSandbox } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { PlantDatabase } from '../../../../src-main/storage/plant/plant-database.ts';
import { plantCommand } from '../../../../src-main/storage/plant/plant-view.ts';
import { programsOf } from '../../../support/product/processes.ts';
import { sharedFolder, temporaryFolder } from '../../../support/temp-folder.ts';

const DENIED = 'ERR_ACCESS_DENIED';
const folder = sharedFolder();
const hostFile = programFile('plant-host');
const { args } = plantCommand(
  { nodeBinary: process.execPath, hostFile, file: join(folder, 'plant.db') },
  'writer',
  null,
);

/** Runs code in a process that is started exactly like a plant host, and may also read the code. Returns its output. */
function probe(code: string): unknown {
  const file = join(folder, 'probe.mjs');
  writeFileSync(
    file,
    `import fs from 'node:fs';
    import { createRequire } from 'node:module';
    import { isMainThread, workerData, Worker } from 'node:worker_threads';
    const require = createRequire('/');
    const seen = {};
    const print = () => fs.writeSync(1, JSON.stringify(seen));
    async function attempt(name, does) {
      try { await does(); seen[name] = 'allowed'; } catch (error) { seen[name] = error.code ?? error.message; }
    }
    ${code}`,
  );
  const flags = args.slice(0, args.indexOf(hostFile));
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, `--allow-fs-read=${file}`, file], {
    env: {},
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const ATTEMPTS = `
  await attempt('read', () => fs.readFileSync('/etc/hostname'));
  await attempt('list', () => fs.readdirSync('/'));
  await attempt('write', () => fs.writeFileSync(${JSON.stringify(join(folder, 'out'))}, 'x'));
  await attempt('child', () => require('node:child_process').spawnSync('ls'));
  await attempt('addon', () => process.dlopen({ exports: {} }, '/x.node'));
  await attempt('inspector', () => require('node:inspector').open(0));`;
const ALL_DENIED = {
  read: DENIED,
  list: DENIED,
  write: DENIED,
  child: DENIED,
  addon: 'ERR_DLOPEN_DISABLED',
  inspector: DENIED,
};

test('a plant host cannot use files, child processes, addons and a debugger', () => {
  expect(probe(`${ATTEMPTS} print();`)).toEqual(ALL_DENIED);
});

test('a plant host cannot use the network', async () => {
  const server = createServer((socket) => socket.end('hello'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const seen = probe(`
    const net = require('node:net');
    const over = (socket, event) => new Promise((done, fail) => socket.once('error', fail).once(event, done));
    await attempt('connect', () => over(net.connect(${port}, '127.0.0.1'), 'connect'));
    await attempt('listen', () => over(net.createServer().listen(0), 'listening'));
    await attempt('lookup', () => require('node:dns/promises').lookup('localhost'));
    print();
    process.exit();`);
  server.close();
  expect(seen).toEqual({ connect: DENIED, listen: DENIED, lookup: DENIED });
});

test('its threads start none and read no files either, once its watchdog runs', () => {
  const watchdog = pathToFileURL(join(productRoot(), 'src-main', 'storage', 'plant', 'child', 'watchdog.ts')).href;
  const more = `${ATTEMPTS}
    await attempt('own program', () => fs.readFileSync(${JSON.stringify(hostFile)}));
    await attempt('thread', () => new Worker('1', { eval: true }));
    print();
    process.kill(process.pid, 'SIGKILL');`;
  const denied = { ...ALL_DENIED, 'own program': DENIED, thread: DENIED };
  const inMain = `import { Watch } from ${JSON.stringify(watchdog)};
    if (isMainThread) { new Watch(import.meta.filename); ${more} }`;
  const inThread = `import { Watch, watch } from ${JSON.stringify(watchdog)};
    if (isMainThread) { new Watch(import.meta.filename); setInterval(() => {}, 1000); }
    else { watch(workerData); ${more} }`;
  expect(probe(inMain)).toEqual(denied);
  expect(probe(inThread)).toEqual(denied);
});

test.for([
  ['with the OS sandbox', undefined],
  ['without it', withoutOsSandbox('a test compares')],
] as const)('it works in folders with any names, and behind links, %s', async ([, sandbox]) => {
  const strange = join(folder, "a,b=c %20 #ü'&", sandbox === undefined ? 'confined' : 'plain');
  const directory = join(strange, 'plant');
  mkdirSync(directory, { recursive: true });
  const installed = join(strange, 'product');
  symlinkSync(productRoot(), installed, 'junction');
  await using plant = new AsyncDisposableStack();
  const database = new PlantDatabase({
    directory,
    nodeBinary: process.execPath,
    hostFile: programFile('plant-host', installed),
    settings: { get: () => ({ 'db.statementMs': 5_000, 'db.maxRows': 10 }) },
    ...(sandbox && { sandbox }),
  });
  plant.defer(() => database.close());
  await database.setUp('CREATE TABLE t (a); INSERT INTO t VALUES (7)');
  expect(await database.read([{ sql: 'SELECT a FROM t' }])).toMatchObject([{ rows: [[7]] }]);
});

test.runIf(process.platform === 'linux')(
  'a process is replaced after a time of use, never within a transaction',
  async () => {
    const directory = temporaryFolder();
    // With a sandbox, a process is also replaced if the folder has new files.
    const sandbox = withoutOsSandbox('a test compares');
    const opened = (renewMs?: number) =>
      new PlantDatabase({
        directory,
        nodeBinary: process.execPath,
        hostFile,
        sandbox,
        settings: { get: () => ({ 'db.statementMs': 5_000, 'db.maxRows': 10 }) },
        ...(renewMs !== undefined && { renewMs }),
      });
    const processesOf = async (plant: PlantDatabase) => {
      await plant.read([{ sql: 'SELECT a FROM t' }]);
      const transaction = await plant.begin();
      // The former one may still be ending.
      await expect.poll(() => programsOf(process.pid, directory, 'writer').length).toBe(1);
      const [writer] = programsOf(process.pid, directory, 'writer');
      await transaction.write({ sql: 'INSERT INTO t VALUES (1)' });
      expect(programsOf(process.pid, directory, 'writer')).toEqual([writer]);
      await transaction.commit();
      return [...programsOf(process.pid, directory, 'reader'), writer];
    };
    const short = opened(0);
    await short.setUp('CREATE TABLE t (a)');
    const first = await processesOf(short);
    expect(first.length).toBeGreaterThanOrEqual(2);
    await processesOf(short);
    await expect.poll(() => programsOf(process.pid, directory).filter((pid) => first.includes(pid))).toEqual([]);
    expect(await short.read([{ sql: 'SELECT count(*) FROM t' }])).toMatchObject([{ rows: [[2]] }]);
    await short.close();
    const usual = opened();
    const before = await processesOf(usual);
    // There can be more: another reader starts if the first one is slow.
    expect(await processesOf(usual)).toEqual(expect.arrayContaining(before));
    await usual.close();
  },
);
