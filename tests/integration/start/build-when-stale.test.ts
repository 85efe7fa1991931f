import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildWhenStale } from '../../../resources/bin/build-when-stale.mjs';
import { temporaryFolder } from '../../support/temp-folder.ts';

const OUTPUTS = ['main/headless.js', 'main/desktop.js', 'preload/index.cjs', 'renderer/index.html'];

function write(file: string, text = ''): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A checkout whose bundler counts its builds, takes a moment, and fails if a source requests it. */
function checkout(): { root: string; builds: () => number; source: string; said: () => string } {
  const root = temporaryFolder();
  const source = join(root, 'src-main', 'deep', 'source.ts');
  write(source);
  write(join(root, 'package.json'), '{}');
  write(
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    `const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
    const { dirname } = require('node:path');
    appendFileSync('builds.txt', process.argv[2] + '\\n');
    if (readFileSync('src-main/deep/source.ts', 'utf8') === 'broken') {
      console.error('source.ts:1:1 is broken');
      process.exit(1);
    }
    setTimeout(() => {
      for (const file of ${JSON.stringify(OUTPUTS)}) {
        mkdirSync(dirname('out/' + file), { recursive: true });
        writeFileSync('out/' + file, '');
      }
    }, 300);`,
  );
  let said = '';
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  vi.stubEnv('TAGWRIGHT_NO_BUILD', '');
  onTestFinished(() => {
    stderr.mockRestore();
    vi.unstubAllEnvs();
  });
  const counted = join(root, 'builds.txt');
  return {
    root,
    source,
    said: () => said,
    builds: () => (existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').length - 1 : 0),
  };
}

const build = (root: string) => buildWhenStale(root, process.execPath);
const later = () => new Date(Date.now() + 5_000);

test('builds once, and again only when a source is newer, new or gone', async () => {
  const { root, source, builds } = checkout();
  expect(await build(root)).toBeNull();
  expect(await build(root)).toBeNull();
  expect(builds()).toBe(1);
  utimesSync(source, later(), later());
  await build(root);
  expect(builds()).toBe(2);
  utimesSync(source, new Date(0), new Date(0));
  write(join(root, 'src-main', 'new.ts'));
  utimesSync(join(root, 'src-main', 'new.ts'), new Date(0), new Date(0));
  for (const file of OUTPUTS) utimesSync(join(root, 'out', file), later(), later());
  utimesSync(join(root, 'src-main'), new Date(Date.now() + 60_000), new Date(Date.now() + 60_000));
  await build(root);
  expect(builds()).toBe(3);
});

test('builds again when a page of the manual is newer', async () => {
  const { root, builds } = checkout();
  const page = join(root, 'docs', 'plant', 'tags.md');
  write(page);
  await build(root);
  utimesSync(page, later(), later());
  await build(root);
  expect(builds()).toBe(2);
});

test('a missing part of the build is built', async () => {
  const { root, builds } = checkout();
  await build(root);
  rmSync(join(root, 'out', 'renderer', 'index.html'));
  await build(root);
  expect(builds()).toBe(2);
});

test('one of several concurrent starts builds', async () => {
  const { root, builds } = checkout();
  expect(await Promise.all([build(root), build(root), build(root)])).toEqual([null, null, null]);
  expect(builds()).toBe(1);
});

test('the lock of a killed start is taken over', async () => {
  const { root, builds } = checkout();
  write(join(root, 'out', 'building.lock'), '999999999');
  expect(await build(root)).toBeNull();
  expect(builds()).toBe(1);
  expect(existsSync(join(root, 'out', 'building.lock'))).toBe(false);
});

test('a build that fails says why, and the next start retries', async () => {
  const { root, source, builds, said } = checkout();
  writeFileSync(source, 'broken');
  expect(await build(root)).toMatch(/could not be built/);
  expect(said()).toContain('source.ts:1:1 is broken');
  writeFileSync(source, 'fixed');
  expect(await build(root)).toBeNull();
  expect(builds()).toBe(2);
});

test('nothing is built if packaged, without sources, or disabled by the environment', async () => {
  const { root, builds } = checkout();
  vi.stubEnv('TAGWRIGHT_NO_BUILD', '1');
  expect(await build(root)).toBeNull();
  vi.stubEnv('TAGWRIGHT_NO_BUILD', '');
  rmSync(join(root, 'src-main'), { recursive: true });
  expect(await build(root)).toBeNull();
  expect(builds()).toBe(0);
});

test('an error says what to run if the tools are missing', async () => {
  const { root } = checkout();
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(await build(root)).toContain('npm ci');
});

test('a checkout that cannot be written is reported at once', async () => {
  const { root, builds } = checkout();
  // Also for root, to whom permissions do not apply.
  write(join(root, 'out'));
  expect(await build(root)).toMatch(/"[^"]*out" cannot be written \(EEXIST\)\. .*npm run build.*TAGWRIGHT_NO_BUILD=1/);
  expect(builds()).toBe(0);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that cannot be written is reported too',
  async () => {
    const { root } = checkout();
    mkdirSync(join(root, 'out'), { mode: 0o555 });
    expect(await build(root)).toContain('cannot be written (EACCES)');
  },
);
