import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { builtProduct, LAUNCHER, ROOT, SYSTEM_NODE } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A command that says which build it is and what it was started with. Nothing makes it wait. */
const command = (build: string) => `
  const [, program, ...args] = process.argv;
  process.stdout.write(JSON.stringify({ build: ${JSON.stringify(build)}, program, args }));
  process.exit(3);`;

const OTHERS = ['main/desktop.js', 'preload/index.cjs', 'renderer/index.html'];

/** A checkout with the real launcher, a build and a bundler that makes another one. */
function checkout() {
  const root = temporaryFolder();
  const source = join(root, 'src-main', 'source.ts');
  const built = ['main/headless.js', ...OTHERS].map((file) => join(root, 'out', file));
  cpSync(dirname(LAUNCHER), join(root, 'resources', 'bin'), { recursive: true });
  write(source, '');
  write(join(root, 'package.json'), '{"version":"1.2.3"}');
  for (const file of built) write(file, command('old'));
  const bundler = `for (const file of ${JSON.stringify(built)})
    require('node:fs').writeFileSync(file, ${JSON.stringify(command('new'))});`;
  write(join(root, 'node_modules', 'vite', 'bin', 'vite.js'), bundler);
  mkdirSync(join(root, 'node_modules', 'node', 'bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'node_modules', 'node', 'bin', 'node'));
  for (const file of built) utimesSync(file, new Date(Date.now() + 1_000), new Date(Date.now() + 1_000));
  /** A command whose process the launcher watches over. */
  const run = (env: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'resources', 'bin', 'tagwright.mjs'), 'serve', '--json'],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } },
    );
    return { status, said: stdout, warned: stderr };
  };
  const said = (build: string) => JSON.stringify({ build, program: built[0], args: ['serve', '--json'] });
  return {
    root,
    run,
    said,
    changeSource: () => utimesSync(source, new Date(Date.now() + 2_000), new Date(Date.now() + 2_000)),
  };
}

test('a command starts early, and begins when the build is known to be up to date', () => {
  const { run, said } = checkout();
  expect(run()).toEqual({ status: 3, said: said('old'), warned: '' });
});

test('a command of an old build never begins', () => {
  const { run, said, changeSource } = checkout();
  changeSource();
  const { status, said: text, warned } = run();
  expect([status, text]).toEqual([3, said('new')]);
  expect(warned).toContain('Building Tagwright');
});

test('a build that is not checked need not wait', () => {
  const { run, said, changeSource } = checkout();
  changeSource();
  expect(run({ TAGWRIGHT_NO_BUILD: '1' })).toEqual({ status: 3, said: said('old'), warned: '' });
});

test('the real command reads its standard input, and is stopped with its launcher', async () => {
  await builtProduct();
  const { root } = checkout();
  rmSync(join(root, 'out'), { recursive: true });
  symlinkSync(join(ROOT, 'out'), join(root, 'out'));
  utimesSync(join(root, 'src-main', 'source.ts'), new Date(0), new Date(0));
  for (const folder of ['src-main', 'resources', 'resources/bin'])
    utimesSync(join(root, folder), new Date(0), new Date(0));
  for (const file of readdirSync(join(root, 'resources', 'bin')))
    utimesSync(join(root, 'resources', 'bin', file), new Date(0), new Date(0));
  utimesSync(join(root, 'package.json'), new Date(0), new Date(0));
  const launcher = join(root, 'resources', 'bin', 'tagwright.mjs');
  const env = { ...process.env, TAGWRIGHT_NO_BUILD: '' };
  const workspace = join(temporaryFolder(), 'workspace');
  const args = [launcher, 'run', '-', '--json', '--workspace', workspace];
  const { status, stdout } = spawnSync(SYSTEM_NODE, args, { env, input: 'return 6 * 7;', encoding: 'utf8' });
  expect([status, JSON.parse(stdout)]).toMatchObject([0, { status: 'ok', result: 42 }]);
  const serving = spawn(SYSTEM_NODE, [launcher, 'serve', '--json', '--port', '0', '--ui-port', '0', '-w', workspace], {
    env,
  });
  await once(serving.stdout, 'data');
  serving.kill('SIGTERM');
  expect(await once(serving, 'exit')).toEqual([0, null]);
});
