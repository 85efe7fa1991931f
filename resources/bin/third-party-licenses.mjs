import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';

const SOURCES = ['src-main', 'src-preload', 'src-renderer'];
const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*['"]([^'"]+)['"]/g;
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)/i;

/**
 * The licenses of everything packaged with Tagwright: of every package that its sources import, and of their
 * dependencies, as installed.
 *
 * @param {string} root the checkout, with its node_modules
 * @returns {string} a text, in order of name
 */
export function thirdPartyLicenses(root) {
  const found = new Map();
  const modules = join(root, 'node_modules');
  // Electron contains its own licenses; Node is packaged as a program.
  const left = [...importedPackages(root)].filter((name) => name !== 'electron').map((name) => [name, root]);
  left.push(['isolated-vm', root]);
  for (let next = left.pop(); next; next = left.pop()) {
    const folder = folderOf(next[0], next[1]);
    if (folder === null || found.has(folder)) continue;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    found.set(folder, manifest);
    for (const name of Object.keys(manifest.dependencies ?? {})) left.push([name, folder]);
  }
  const node = JSON.parse(readFileSync(join(modules, 'node', 'package.json'), 'utf8'));
  const entries = [...found].map(([folder, { name, version, license }]) => ({
    name,
    version,
    license,
    text: textIn(folder),
  }));
  entries.push({
    name: 'node',
    version: node.version,
    license: 'MIT',
    text: 'https://github.com/nodejs/node/blob/main/LICENSE',
  });
  entries.sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'));
  const line = '-'.repeat(78);
  return entries
    .map(({ name, version, license, text }) => `${line}\n${name} ${version} (${nameOf(license)})\n\n${text}\n`)
    .join('\n');
}

function importedPackages(root) {
  const names = new Set();
  for (const source of SOURCES) {
    for (const file of readdirSync(join(root, source), { recursive: true }).map(String)) {
      if (!/\.tsx?$/.test(file)) continue;
      for (const [, name] of readFileSync(join(root, source, file), 'utf8').matchAll(IMPORT)) {
        if (/^(?:[.#/]|node:|virtual:)/.test(name) || builtinModules.includes(name)) continue;
        names.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        );
      }
    }
  }
  return names;
}

/** Like Node's search for a package: in the nearest node_modules above. Optional ones may be missing. */
function folderOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return null;
  }
}

function textIn(folder) {
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return texts.length > 0 ? texts.join('\n\n') : 'Its package holds no text of its license.';
}

function nameOf(license) {
  return typeof license === 'string' ? license : (license?.type ?? 'see its text');
}
