import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packedTree } from '../../../resources/bin/packed-tree.mjs';
import { problemsOf, problemsOfInstalled } from '../../../resources/bin/packed-tree-check.mjs';
import { openedDesktop } from '../../support/product/desktop-on-double.ts';
import { builtProduct, ROOT } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

test('the package runs standalone, has every license and no development files', async () => {
  const folder = join(temporaryFolder(), 'package');
  await packedTree(ROOT, folder);
  expect(await problemsOf(folder)).toEqual([]);

  // As installed: the archive (here a folder with its name) next to the other files.
  const archive = join(folder, 'beside', 'app.asar');
  await rename(join(folder, 'app'), archive);
  expect(problemsOfInstalled(folder)).toEqual([]);
  const bundle = join(archive, 'out', 'main', 'desktop.js');
  const desktop = await openedDesktop(temporaryFolder(), { DOUBLE_BUNDLE: bundle });
  expect(await desktop.send({ do: 'connect', from: 'app://tagwright/', frame: 'top' })).toBe(true);
  const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
  const input = { body: 'return 6 * 7', context, dryRun: false };
  expect(await desktop.send({ do: 'call', path: 'runs.execute', input })).toMatchObject({ status: 'ok', result: 42 });
  // YAML is read by a thread, whose program is also next to the archive.
  const text = 'openapi: 3.1.0\npaths:\n  /x: {get: {responses: {"200": {description: fine}}}}\n';
  const imported = { do: 'call', path: 'mocks.import', input: { format: 'auto', text, replace: false } } as const;
  expect(await desktop.send(imported)).toMatchObject({ format: 'openapi', added: 1 });
});

test('the check finds missing and superfluous files, and a host that does not start', async () => {
  const folder = join(temporaryFolder(), 'package');
  await packedTree(ROOT, folder);
  await writeFile(join(folder, 'beside', 'out', 'main', 'headless.js.map'), '{}');
  await writeFile(join(folder, 'beside', 'out', 'main', 'script-host.cjs'), 'process.exit(1)');
  expect(problemsOfInstalled(folder)).toEqual([`there is no application in ${folder}`]);
  const problems = await problemsOf(folder);
  expect(problems[0]).toBe('beside/out/main/headless.js.map is packed, but only development needs it');
  expect(problems[1]).toContain('no script runs in beside');
  await rename(join(folder, 'app'), join(folder, 'beside', 'app.asar'));
  expect(problemsOfInstalled(folder)).toEqual([expect.stringContaining('no script runs in beside')]);
  await rename(join(folder, 'beside', 'app.asar'), join(folder, 'app'));
  await rm(join(folder, 'beside', 'node_modules', 'isolated-vm', 'LICENSE'));
  expect(await problemsOf(folder)).toContain('beside/node_modules/isolated-vm/LICENSE is missing in the package');
});
