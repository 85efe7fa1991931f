import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { RuntimeFacts } from '../../../src-main/platform/files/paths.ts';
import { defaultWorkspace, hostRuntime, productRoot, resourcesFolder } from '../../../src-main/platform/files/paths.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A folder of the product with these files in its node_modules. */
function rootWith(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, 'node_modules', path, '..'), { recursive: true });
    writeFileSync(join(root, 'node_modules', path), content);
  }
  return root;
}

const NODE_26: RuntimeFacts = {
  execPath: '/opt/node',
  versions: { node: '26.10.0', modules: '147' },
  platform: 'linux',
  arch: 'x64',
  musl: false,
};

test('the root is the nearest ancestor with a package.json', () => {
  expect(productRoot()).toBe(ROOT);
  expect(productRoot(join(ROOT, 'src-main', 'storage'))).toBe(ROOT);
  expect(existsSync(resourcesFolder(productRoot()))).toBe(true);
  expect(() => productRoot('/')).toThrow('no package.json above /');
});

test('this checkout has a Node 26 and its build of isolated-vm', () => {
  const { node, isolatedVm } = hostRuntime(ROOT);
  const code = `process.stdout.write(process.versions.node + ' ' + typeof require(${JSON.stringify(isolatedVm)}))`;
  expect(execFileSync(node, ['--no-node-snapshot', '-e', code]).toString()).toMatch(/^26\.\S+ object$/);
});

test.each([
  ['linux', 'arm64', false, 'linux-arm64/isolated-vm.abi147.glibc.node'],
  ['linux', 'x64', true, 'linux-x64/isolated-vm.abi147.musl.node'],
  ['darwin', 'arm64', false, 'darwin-arm64/isolated-vm.abi147.node'],
] as const)('on %s %s (musl %s) the build is %s', (platform, arch, musl, file) => {
  const build = `isolated-vm/prebuilds/${file}`;
  const root = rootWith({ 'node/bin/node': '', 'node/package.json': '{"version":"26.10.0"}', [build]: '' });
  const electron = { node: '24.1.0', modules: '140', electron: '45.0.0' };
  expect(hostRuntime(root, { execPath: '/opt/electron', versions: electron, platform, arch, musl })).toEqual({
    node: join(root, 'node_modules/node/bin/node'),
    isolatedVm: join(root, 'node_modules', build),
  });
});

test('without its own Node it uses the running one, unless old or Electron', async () => {
  const root = rootWith({ 'isolated-vm/prebuilds/linux-x64/isolated-vm.abi147.glibc.node': '' });
  expect(hostRuntime(root, NODE_26).node).toBe('/opt/node');
  for (const versions of [
    { node: '24.1.0', modules: '137' },
    { ...NODE_26.versions, electron: '45.0.0' },
  ]) {
    const error = await thrownBy(() => hostRuntime(root, { ...NODE_26, versions }));
    expect(error.code).toBe('UNAVAILABLE');
    expect(error.message).toContain('Run "npm ci"');
  }
});

test('a machine without a build of the sandbox gets an error', async () => {
  const error = await thrownBy(() => hostRuntime(rootWith({}), { ...NODE_26, arch: 'riscv64' }));
  expect(error.code).toBe('UNAVAILABLE');
  expect(error.message).toContain('no build for Node 26 on linux-riscv64');
});

test('the workspace is from the environment, else a folder of the user', () => {
  expect(defaultWorkspace({ TAGWRIGHT_WORKSPACE: 'plants/north' })).toBe(resolve('plants/north'));
  expect(defaultWorkspace({})).toMatch(/tagwright.*workspace$/);
});
