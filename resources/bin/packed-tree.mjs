import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

/** The resources that users need; the others are for development. */
const RESOURCES = ['sample', 'typings', 'examples'];
const ICON = join('resources', 'icon', 'icon.png');

/**
 * Fills a folder with the package for this system: `app` becomes the archive of the desktop application; `beside` is
 * placed next to it and is complete in itself, with the plain Node that runs script hosts and the command line.
 *
 * @param {string} root the checkout, built
 * @param {string} folder emptied first
 * @returns {Promise<{ files: number, bytes: number }>} the amount written
 */
export async function packedTree(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name,
    version,
    description,
    license,
    author: 'Tagwright',
    type: 'module',
    main: 'out/main/desktop.js',
  };
  const licenses = thirdPartyLicenses(root);
  for (const part of ['app', 'beside']) {
    const to = join(folder, part);
    mkdirSync(to, { recursive: true });
    writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
    writeFileSync(join(to, 'THIRD-PARTY-LICENSES.txt'), licenses);
    for (const built of ['main', 'preload', 'renderer']) {
      cpSync(join(root, 'out', built), join(to, 'out', built), {
        recursive: true,
        filter: (file) => !file.endsWith('.map'),
      });
    }
    for (const kind of RESOURCES) {
      cpSync(join(root, 'resources', kind), join(to, 'resources', kind), { recursive: true });
    }
  }
  // The icon of the window, if the program file does not contain it.
  cpSync(join(root, ICON), join(folder, 'app', ICON));
  copyModules(root, join(folder, 'beside', 'node_modules'));
  return sizeOf(folder);
}

/** Without its sources. */
const KOFFI_PROGRAM = ['index.cjs', 'src/static.cjs'].map((file) => join('src', 'koffi', file));

/** The modules that cannot be bundled, each with its license and the native part for this system. */
function copyModules(root, to) {
  const modules = join(root, 'node_modules');
  const take = (module, ...parts) => {
    for (const part of parts)
      cpSync(join(modules, module, part), join(to, module, part), { recursive: true, dereference: true });
  };
  const { platform, arch } = process;
  take('better-sqlite3', 'package.json', 'LICENSE', 'lib');
  const prebuilds = readdirSync(join(modules, 'better-sqlite3', 'prebuilds'));
  const ours = prebuilds.filter((file) => new RegExp(`^${platform}(?:musl)?-${arch}\\.node$`).test(file));
  take('better-sqlite3', ...ours.map((file) => join('prebuilds', file)));
  take('isolated-vm', 'package.json', 'LICENSE', join('prebuilds', `${platform}-${arch}`));
  // It is only needed on Windows.
  if (platform === 'win32') {
    take('koffi', 'package.json', 'LICENSE.txt', 'index.cjs', ...KOFFI_PROGRAM);
    take(join('@koromix', `koffi-win32-${arch}`), 'package.json', 'index.js', `win32_${arch}`);
  }
  take('node', 'package.json', join('bin', platform === 'win32' ? 'node.exe' : 'node'));
}

/** @returns {{ files: number, bytes: number }} */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((file) => statSync(join(folder, String(file))))
    .filter((file) => file.isFile());
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}
