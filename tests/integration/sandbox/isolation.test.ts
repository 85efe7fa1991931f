import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HOST_FLAGS } from '../../../src-main/sandbox/supervisor/host-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tagwright-isolation-'));
const isolatedVm = dirname(createRequire(import.meta.url).resolve('isolated-vm/package.json'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs code inside a process that is started exactly like a script host; returns what it prints. */
function probe(code: string): unknown {
  const file = join(folder, 'probe.cjs');
  writeFileSync(file, code);
  const { stdout, stderr } = spawnSync(process.execPath, [...HOST_FLAGS, file, isolatedVm], {
    env: {},
    encoding: 'utf8',
  });
  return JSON.parse(stdout === '' ? JSON.stringify(stderr) : stdout);
}

const attempt = (name: string, code: string) => `try { ${code}; seen[${JSON.stringify(name)}] = 'allowed' }
  catch (error) { seen[${JSON.stringify(name)}] = error.code ?? error.message }`;

describe('from inside a process that is started like a script host', () => {
  it('files, child processes and workers are refused', () => {
    const seen = probe(`const seen = {};
      ${attempt('read', "require('node:fs').readFileSync('/etc/hostname')")}
      ${attempt('list', "require('node:fs').readdirSync('/')")}
      ${attempt('write', `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'out'))}, 'x')`)}
      ${attempt('child', "require('node:child_process').spawnSync('ls')")}
      ${attempt('worker', "new (require('node:worker_threads').Worker)('1', { eval: true })")}
      console.log(JSON.stringify(seen));`);
    const denied = 'ERR_ACCESS_DENIED';
    expect(seen).toEqual({ read: denied, list: denied, write: denied, child: denied, worker: denied });
  });

  it('the network is refused, also to a server that listens', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const seen = probe(`const seen = {};
      const done = (name) => (value) => { seen[name] = value.code ?? value.cause?.code ?? String(value); if (Object.keys(seen).length === 4) { console.log(JSON.stringify(seen)); process.exit(0); } };
      try { require('node:net').connect(${port}, '127.0.0.1').on('error', done('connect')).on('data', done('connect')) } catch (error) { done('connect')(error) }
      try { require('node:net').createServer().on('error', done('listen')).listen(0, () => done('listen')('allowed')) } catch (error) { done('listen')(error) }
      try { require('node:dns').lookup('localhost', (error) => done('dns')(error ?? 'allowed')) } catch (error) { done('dns')(error) }
      fetch('http://127.0.0.1:${port}').then(() => done('fetch')('allowed'), done('fetch'));`);
    server.close();
    const denied = 'ERR_ACCESS_DENIED';
    expect(seen).toEqual({ connect: denied, listen: denied, dns: denied, fetch: denied });
  });

  it('no addon can be loaded once isolated-vm is', () => {
    const seen = probe(`const seen = {};
      const file = process.argv[2] + '/prebuilds/' + process.platform + '-' + process.arch + '/isolated-vm.abi' + process.versions.modules;
      const load = () => { for (const end of ['.glibc.node', '.node']) try { process.dlopen({ exports: {} }, file + end); return } catch (error) { if (end === '.node') throw error } };
      ${attempt('before', 'load()')}
      process.permission.drop('addon');
      ${attempt('after', 'load()')}
      console.log(JSON.stringify(seen));`);
    expect(seen).toEqual({ before: 'allowed', after: 'ERR_ACCESS_DENIED' });
  });

  it('there is nothing in the environment', () => {
    expect(probe('console.log(JSON.stringify(Object.keys(process.env)))')).toEqual([]);
  });
});
