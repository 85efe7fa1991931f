import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOST_FLAGS } from '../../../../src-main/scripting/sandbox/supervisor/host-command.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const folder = sharedFolder();
const isolatedVm = dirname(createRequire(import.meta.url).resolve('isolated-vm/package.json'));

/** Runs code in a process that is started exactly like a script host. Returns its output. */
function probe(code: string, moreFlags: string[] = []): unknown {
  const file = join(folder, 'probe.cjs');
  writeFileSync(file, code);
  const { stdout, stderr } = spawnSync(process.execPath, [...HOST_FLAGS, ...moreFlags, file, isolatedVm, '64'], {
    env: {},
    encoding: 'utf8',
  });
  return JSON.parse(stdout === '' ? JSON.stringify(stderr) : stdout);
}

/** Code that runs in a real script host when it has started and is ready for its first run. */
const inStartedHost = (code: string) => `{
    const { dlopen, exit } = process;
    let library;
    process.dlopen = (module, file) => { dlopen.call(process, module, file); library = new WeakRef(module.exports.ivm); };
    const fs = require('node:fs');
    fs.writeSync = () => {
      // The host ends its blocking loop, and this has the process for itself.
      process.exit = () => undefined;
      console.error = () => undefined;
      (async () => { ${code} })().finally(() => exit.call(process));
      throw new Error('the end of the loop');
    };
  }
  ${readFileSync(TEST_SCRIPT_HOST, 'utf8')}`;

const attempt = (name: string, code: string) => `try { ${code}; seen[${JSON.stringify(name)}] = 'allowed' }
  catch (error) { seen[${JSON.stringify(name)}] = error.code ?? error.message }`;

describe('inside a process that is started like a script host', () => {
  test('files, child processes and workers are denied', () => {
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

  test('the network is denied, also listening', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
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

  test('no addon can be loaded after isolated-vm', () => {
    const seen = probe(`const seen = {};
      const file = process.argv[2] + '/prebuilds/' + process.platform + '-' + process.arch + '/isolated-vm.abi' + process.versions.modules;
      const load = () => { for (const end of ['.glibc.node', '.node']) try { process.dlopen({ exports: {} }, file + end); return } catch (error) { if (end === '.node') throw error } };
      ${attempt('before', 'load()')}
      process.permission.drop('addon');
      ${attempt('after', 'load()')}
      console.log(JSON.stringify(seen));`);
    expect(seen).toEqual({ before: 'allowed', after: 'ERR_ACCESS_DENIED' });
  });

  test('the environment is empty', () => {
    expect(probe('console.log(JSON.stringify(Object.keys(process.env)))')).toEqual([]);
  });

  test('SQLite, which could open and write any file, is not available', () => {
    expect(
      probe(`const seen = {}; ${attempt('sqlite', "require('node:sqlite')")} console.log(JSON.stringify(seen));`),
    ).toEqual({ sqlite: 'ERR_UNKNOWN_BUILTIN_MODULE' });
  });

  test('asm.js is plain JavaScript, and does not reach the compiler of WebAssembly', () => {
    const code = `function Asm(stdlib, foreign, heap) { 'use asm'; function f(a) { a = a | 0; return (a + 1) | 0; } return { f: f }; }
      const made = Asm(globalThis, {}, new ArrayBuffer(65536));
      console.log(JSON.stringify([made.f(1), %IsAsmWasmCode(Asm)]));`;
    expect(probe(code, ['--allow-natives-syntax'])).toEqual([2, false]);
  });

  test.skipIf(process.platform === 'win32')('SIGUSR1 opens no debugger', () => {
    const code = `process.kill(process.pid, 'SIGUSR1');
      setTimeout(() => { console.log(JSON.stringify(require('node:inspector').url() ?? null)); process.exit(); }, 500);`;
    expect(probe(code, ['--allow-inspector'])).toBeNull();
  });

  test('nothing can be loaded after a host has started', () => {
    const ways = {
      require: "require('node:fs')",
      'require without its scheme': "require('fs')",
      'require of a file': 'require(__filename)',
      'import()': "await import('node:fs')",
      'import() of data': "await import('data:text/javascript,1')",
      'import() from a text': `await new Function('return import("node:vm")')()`,
      'the loader itself': "module.constructor._load('node:vm')",
      'another require': "module.constructor.createRequire('/')('node:vm')",
      'other hooks': `module.constructor.registerHooks({ resolve: () => ({ url: 'node:vm', shortCircuit: true }) })`,
      'a module from a text': `new module.constructor('x')._compile('require("node:vm")', '/x.js')`,
      'the extension of addons': "module.constructor._extensions['.node'](module, '/x.node')",
      getBuiltinModule: "process.getBuiltinModule('fs')",
      mainModule: "process.mainModule.require('fs')",
      binding: "process.binding('fs')",
      _linkedBinding: "process._linkedBinding('fs')",
      dlopen: "process.dlopen({ exports: {} }, '/x.node')",
      kill: 'process.kill(process.ppid, 0)',
    };
    const attempts = Object.entries(ways).map(([name, code]) => attempt(name, code));
    const seen = probe(
      inStartedHost(`const seen = {}; ${attempts.join('\n')} process.stdout.write(JSON.stringify(seen));`),
    );
    const loads = expect.stringMatching(
      /a script host cannot load modules|is not a (function|constructor)|reading 'require'/,
    );
    expect(seen).toEqual(Object.fromEntries(Object.keys(ways).map((name) => [name, loads])));
  });

  test('a started host has dropped the rest of isolated-vm, such as loading libraries', () => {
    const code = `await new Promise((done) => setTimeout(done, 10));
      for (let round = 0; round < 5; round += 1) { gc(); await new Promise((done) => setTimeout(done, 10)); }
      process.stdout.write(JSON.stringify(library.deref()?.NativeModule === undefined));`;
    expect(probe(inStartedHost(code), ['--expose-gc'])).toBe(true);
  });

  test.runIf(process.platform === 'linux')('inherited descriptors of the application are closed', () => {
    const program = `
      import { readdirSync, readlinkSync } from 'node:fs';
      import { realPool, runScript } from ${JSON.stringify(resolve(import.meta.dirname, '../../../support/scripting/script-runs.ts'))};
      import { scriptHostsOf } from ${JSON.stringify(resolve(import.meta.dirname, '../../../support/product/processes.ts'))};
      const pool = realPool({ spare: false });
      await runScript(pool, 'return 1');
      const [host] = scriptHostsOf(process.pid);
      const links = (pid) => readdirSync('/proc/' + pid + '/fd').flatMap((fd) => { try { return [readlinkSync('/proc/' + pid + '/fd/' + fd)] } catch { return [] } });
      console.log(JSON.stringify([process.pid, host].map((pid) => links(pid).filter((link) => link === '/etc/passwd').length)));
      await pool.close();`;
    const { stdout, stderr } = spawnSync(
      'sh',
      [
        '-c',
        'exec 7</etc/passwd 9</etc/passwd; exec "$0" "$@"',
        process.execPath,
        '--input-type=module-typescript',
        '-e',
        program,
      ],
      { encoding: 'utf8' },
    );
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: '[2,0]', stderr: '' });
  });
});
