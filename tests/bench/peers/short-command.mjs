import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The least that a command with a script needs, by hand: a launcher in the Node that starts it, the Node of the project with a
 * database, and a confined process with an isolate. `node short-command.mjs launcher FOLDER` prints the result of `1 + 1`.
 */
const FILE = fileURLToPath(import.meta.url);
const ROOT = resolve(FILE, '../../../..');
const NODE = join(ROOT, 'node_modules/node/bin/node');
const BWRAP = '/usr/bin/bwrap';
const load = module.createRequire(import.meta.url);

const roles = {
  launcher: (folder) => {
    process.exitCode = spawnSync(NODE, [FILE, 'main', folder], { stdio: 'inherit' }).status ?? 1;
  },
  main: async (folder) => {
    module.enableCompileCache(join(folder, 'compiled'));
    const own = [NODE, '--no-node-snapshot', FILE, 'host'];
    const confined = [
      BWRAP,
      '--unshare-all',
      '--die-with-parent',
      '--cap-drop',
      'ALL',
      '--ro-bind',
      '/',
      '/',
      '--',
      ...own,
    ];
    const [program = '', ...args] = existsSync(BWRAP) ? confined : own;
    const host = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise((started) => setImmediate(started));
    const Database = load('better-sqlite3');
    const database = new Database(join(folder, 'by-hand.db'));
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE IF NOT EXISTS run (at TEXT); INSERT INTO run VALUES (1)');
    host.stdin.write('1 + 1');
    const [result] = await once(host.stdout, 'data');
    database.close();
    host.kill('SIGKILL');
    process.stdout.write(result, () => process.exit());
  },
  host: async () => {
    const ivm = load('isolated-vm');
    const context = new ivm.Isolate({ memoryLimit: 128 }).createContextSync();
    const [body] = await once(process.stdin, 'data');
    process.stdout.write(`${context.evalSync(String(body))}\n`);
  },
};

const [role = '', folder = '.'] = process.argv.slice(2);
await roles[role](folder);
