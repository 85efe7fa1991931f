import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The sources of the build, and one file of each of its parts. */
const SOURCES = ['src-main', 'src-preload', 'src-renderer', 'docs', 'resources', 'vite.config.ts', 'package.json'];
const OUTPUTS = ['main/headless.js', 'main/desktop.js', 'preload/index.cjs', 'renderer/index.html'];

const LOOK_AGAIN_MS = 200;
const PATIENCE_MS = 10 * 60_000;
const LAST_LINES = 40;

/**
 * Builds Tagwright in a checkout if `out` is missing or older than the sources. A package has no sources, so nothing is
 * checked. Of several concurrent starts, one builds and the others wait. TAGWRIGHT_NO_BUILD=1 uses the existing build.
 *
 * @param {string} root folder of package.json
 * @param {string} node the Node to build with
 * @returns {Promise<string | null>} the problem, or null if there is a usable build
 */
export async function buildWhenStale(root, node) {
  if (!isBuiltHere(root) || isFresh(root)) return null;
  const bundler = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (modifiedAt(bundler) === 0) return `The tools to build Tagwright are not installed. Run "npm ci" in ${root}.`;

  const lock = join(root, 'out', 'building.lock');
  try {
    mkdirSync(join(root, 'out'), { recursive: true });
    for (const until = Date.now() + PATIENCE_MS; !take(lock);) {
      if (Date.now() > until)
        return `Another start of Tagwright has been building for long. If none is, delete "${lock}".`;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  } catch (error) {
    return (
      `The sources are newer than what was built of them, and "${join(root, 'out')}" cannot be written (${error.code}). ` +
      'Have its owner run "npm run build" there; TAGWRIGHT_NO_BUILD=1 uses the existing build.'
    );
  }
  try {
    // The process that held the lock may have built it.
    return isFresh(root) ? null : await build(root, node, bundler);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether Tagwright is built in this folder at all: not in a package, and not if TAGWRIGHT_NO_BUILD=1. */
export function isBuiltHere(root) {
  return process.env.TAGWRIGHT_NO_BUILD !== '1' && modifiedAt(join(root, 'src-main')) > 0;
}

/** Whether every part of the build is newer than every source. A deleted file changes the time of its folder. */
export function isFresh(root) {
  const oldest = Math.min(...OUTPUTS.map((file) => modifiedAt(join(root, 'out', file))));
  return oldest > 0 && SOURCES.every((source) => newestIn(join(root, source)) < oldest);
}

function newestIn(path) {
  let newest = modifiedAt(path);
  for (const entry of entriesOf(path)) {
    // For every start: join would normalize 1,400 paths, which takes as long as half of the rest.
    const inside = `${path}${sep}${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestIn(inside) : modifiedAt(inside));
  }
  return newest;
}

function entriesOf(path) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Takes the lock, even from a process that ended without releasing it. */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true });
    return false;
  }
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  // A lock that was just taken may not contain its pid yet.
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function build(root, node, bundler) {
  process.stderr.write('Building Tagwright (once, and after changes of its sources)…');
  const started = Date.now();
  return new Promise((resolve) => {
    const output = [];
    const child = spawn(node, [bundler, 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => resolve(`The build cannot be started: ${error.message}`));
    child.on('close', (code) => {
      if (code === 0) {
        process.stderr.write(` ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
        return resolve(null);
      }
      const text = Buffer.concat(output).toString('utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');
      process.stderr.write(` failed\n${text}\n`);
      resolve('Tagwright could not be built; the lines above say why.');
    });
  });
}
