import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Files that only development needs. */
const UNWANTED = [
  /\.map$/,
  /\.tsx?$/,
  /\.test\./,
  /(?:^|[/\\])(?:tests?|src-[a-z]+|\.git|\.env)(?:[/\\]|$)/,
  /\.tsbuildinfo$/,
];
/** The typings for the editor and for users. */
const WANTED = /tagwright\.d\.ts$/;
const NEEDED = [
  'app/out/main/desktop.js',
  'app/out/preload/index.cjs',
  'app/out/renderer/index.html',
  'app/resources/icon/icon.png',
  'app/LICENSE',
  'app/THIRD-PARTY-LICENSES.txt',
  'beside/out/main/headless.js',
  'beside/out/main/script-host.cjs',
  'beside/out/main/plant-host.js',
  'beside/out/main/examination.js',
  'beside/out/main/workspace-copy.js',
  'beside/out/main/yaml-reader.js',
  'beside/out/main/mock-body-thread.js',
  'beside/out/main/long-credentials-thread.js',
  'beside/out/main/pattern-thread.js',
  'beside/out/main/instrument-thread.js',
  'beside/out/main/capsule-thread.js',
  'beside/out/main/pack-thread.js',
  'beside/out/main/backup-thread.js',
  'beside/LICENSE',
  'beside/THIRD-PARTY-LICENSES.txt',
  'beside/node_modules/better-sqlite3/LICENSE',
  'beside/node_modules/isolated-vm/LICENSE',
  ...(process.platform === 'win32' ? ['beside/node_modules/koffi/LICENSE.txt'] : []),
];
const WITHIN_MS = 60_000;

/**
 * The problems of a packed folder; empty if there are none: development files, missing parts or licenses, or a script
 * that does not run in it with its own Node and without the checkout.
 *
 * @param {string} folder as packedTree filled it
 * @returns {Promise<string[]>}
 */
export async function problemsOf(folder) {
  const files = readdirSync(folder, { recursive: true }).map(String);
  const unwanted = files.filter((file) => !WANTED.test(file) && UNWANTED.some((pattern) => pattern.test(file)));
  const missing = NEEDED.filter((file) => !existsSync(join(folder, file)));
  const problems = [
    ...unwanted.map((file) => `${file} is packed, but only development needs it`),
    ...missing.map((file) => `${file} is missing in the package`),
  ];
  if (missing.length > 0) return problems;
  const licenses = readFileSync(join(folder, 'beside', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['react', 'monaco-editor', 'better-sqlite3', 'isolated-vm', 'express', 'node']) {
    if (!licenses.includes(`\n${name} `)) problems.push(`the license of ${name} is missing`);
  }
  const failure = runsScripts(join(folder, 'beside'));
  return failure === null ? problems : [...problems, failure];
}

/**
 * The problems of the folders with the contents of electron-builder's installers; empty if a script runs in each of
 * them.
 *
 * @param {string} installers the folder of the installers
 * @returns {string[]}
 */
export function problemsOfInstalled(installers) {
  const found = readdirSync(installers, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'app.asar')
    .map(({ parentPath }) => runsScripts(parentPath));
  if (found.length === 0) return [`there is no application in ${installers}`];
  return found.filter((problem) => problem !== null);
}

/** Runs a script on a fresh sample workspace. Returns the problem, or null. */
function runsScripts(beside) {
  const node = join(beside, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const workspace = mkdtempSync(join(tmpdir(), 'tagwright-packed-'));
  try {
    const entry = join(beside, 'out', 'main', 'headless.js');
    const { TEMP, TMP, SystemRoot, HOME = workspace } = process.env;
    const ran = spawnSync(node, [entry, 'run', '-', '--json', '--workspace', workspace], {
      cwd: workspace,
      input: 'return 6 * 7',
      encoding: 'utf8',
      timeout: WITHIN_MS,
      env: { HOME, TEMP, TMP, SystemRoot },
    });
    if (ran.status === 0 && JSON.parse(ran.stdout).result === 42) return null;
    return `no script runs in ${basename(beside)}: ${ran.error?.message ?? (ran.stderr.trim() || ran.stdout)}`;
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
