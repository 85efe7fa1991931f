// Packages Tagwright for the system it runs on: fills out/package, checks it, and has electron-builder create installers
// if the desktop runtime is installed. `npm run package` builds first.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedTree } from './packed-tree.mjs';
import { problemsOf, problemsOfInstalled } from './packed-tree-check.mjs';

const BUILDER = 'electron-builder@26.17.0';
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'out', 'package');

const tree = await packedTree(root, folder);
process.stdout.write(`Packed ${tree.files} files, ${(tree.bytes / 1e6).toFixed(1)} MB, into ${folder}\n`);
const endAt = (problems) => {
  for (const problem of problems) process.stderr.write(`tagwright: ${problem}\n`);
  if (problems.length > 0) process.exit(1);
};
endAt(await problemsOf(folder));
process.stdout.write('Checked: no development files, every license is there, a script runs from the packed folder.\n');

const electron = join(root, 'node_modules', 'electron');
if (!existsSync(join(electron, 'path.txt'))) {
  process.stdout.write(
    'No installers were made: the desktop runtime (Electron) is not installed here. Where its download can be reached, ' +
      `"node node_modules/electron/install.js" fetches it; then run "npm run package" again.\n`,
  );
} else {
  const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8'));
  const config = join(root, 'resources', 'package', 'electron-builder.yml');
  // Downloaded on demand: it is as large as the product, and needed only for packaging.
  const given = [`-c.electronVersion=${version}`, `-c.electronDist=${join(electron, 'dist')}`];
  const args = ['--yes', BUILDER, '--projectDir', root, '--config', config, ...given];
  const made = spawnSync('npx', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (made.status !== 0) endAt(['electron-builder made no installers; its lines above say why.']);
  endAt(problemsOfInstalled(join(folder, 'installers')));
  process.stdout.write('Checked: a script runs from what the installers hold.\n');
}
