import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { TagwrightError } from '../errors.ts';

/** The folder with package.json, resources and (built) out: the nearest above this file, bundled or not. */
export function productRoot(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json above ${from}`);
  }
}

export function resourcesFolder(root: string): string {
  return join(root, 'resources');
}

/** The built workbench for browsers and the desktop window. */
export function rendererFolder(root: string): string {
  return join(root, 'out', 'renderer');
}

/**
 * The folder of the programs for plain Node: the folder of the product, or next to its archive when the desktop
 * application is packaged, because only Electron reads archives.
 */
export function plainRoot(root: string): string {
  return root.endsWith('.asar') ? dirname(root) : root;
}

/** The bundled script host. */
export function scriptHostFile(root: string): string {
  return join(plainRoot(root), 'out', 'main', 'script-host.cjs');
}

/** The default workspace: TAGWRIGHT_WORKSPACE, else a folder in the user's profile. */
export function defaultWorkspace(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['TAGWRIGHT_WORKSPACE'];
  return named ? resolve(named) : join(envPaths('tagwright', { suffix: '' }).data, 'workspace');
}

/** How to start a script host. */
export interface HostRuntime {
  /** A plain Node, never Electron. */
  node: string;
  /** The native part of isolated-vm for it; hosts load it by its path, because they cannot read anything else. */
  isolatedVm: string;
}

/** Facts about the current process; tests use others. */
export interface RuntimeFacts {
  execPath: string;
  versions: Readonly<Partial<Record<string, string>>>;
  platform: NodeJS.Platform;
  arch: string;
  musl: boolean;
}

/** The ABI of the Node versions for which isolated-vm has builds. */
const ABI_OF_NODE: Readonly<Record<string, string>> = { 24: '137', 26: '147' };
const OLDEST_NODE = 26;

/**
 * The Node of the product, else the current one if it is a plain Node of at least 26, and the build of isolated-vm for
 * it. Throws UNAVAILABLE if there is none.
 */
export function hostRuntime(product: string, facts: RuntimeFacts = factsOfThisProcess()): HostRuntime {
  const root = plainRoot(product);
  const { node, major, abi } = shippedNode(root, facts) ?? ownNode(facts);
  const libc = facts.platform === 'linux' ? (facts.musl ? '.musl' : '.glibc') : '';
  const isolatedVm = join(
    join(root, 'node_modules', 'isolated-vm', 'prebuilds', `${facts.platform}-${facts.arch}`),
    `isolated-vm.abi${abi ?? ABI_OF_NODE[major] ?? '-unknown'}${libc}.node`,
  );
  if (existsSync(isolatedVm)) return { node, isolatedVm };
  throw new TagwrightError(
    'UNAVAILABLE',
    `The script sandbox has no build for Node ${major} on ${facts.platform}-${facts.arch} ("${isolatedVm}" is missing). ` +
      'Run "npm ci" in the folder of Tagwright.',
    { data: { file: isolatedVm } },
  );
}

interface NodeChoice {
  node: string;
  major: string;
  /** Only known for the current process. */
  abi: string | undefined;
}

function shippedNode(root: string, facts: RuntimeFacts): NodeChoice | null {
  const folder = join(root, 'node_modules', 'node');
  const node = join(folder, 'bin', facts.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) return null;
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return { node, major: majorOf(hasVersion ? String(manifest.version) : ''), abi: undefined };
}

function ownNode({ execPath, versions }: RuntimeFacts): NodeChoice {
  const major = majorOf(versions['node'] ?? '');
  if (versions['electron'] === undefined && Number(major) >= OLDEST_NODE) {
    return { node: execPath, major, abi: versions['modules'] };
  }
  throw new TagwrightError(
    'UNAVAILABLE',
    `Scripts need Node ${OLDEST_NODE}, which comes with Tagwright but is missing. Run "npm ci" in its folder.`,
  );
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? '';
}

function factsOfThisProcess(): RuntimeFacts {
  const { execPath, versions, platform, arch } = process;
  return { execPath, versions, platform, arch, musl: existsSync('/etc/alpine-release') };
}
