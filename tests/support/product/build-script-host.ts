import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { bundleScriptHost } from '../../../src-main/scripting/sandbox/build/script-host.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Everything that the host may import, and its build. */
const SOURCES = [
  ...['build', 'child', 'globals', 'guest', 'protocol'].map((room) => `src-main/scripting/sandbox/${room}`),
  'src-main/platform/host-pipe',
  'src-preload/domain',
].map((folder) => resolve(ROOT, folder));

/** The script host, built from the current sources, for tests that start real hosts. */
export const TEST_SCRIPT_HOST = resolve(ROOT, 'out/test/script-host.cjs');

/** Bundles the script host once for all tests. The bundle is used until a source changes. */
export default async function buildScriptHost(): Promise<void> {
  const stamp = `// ${fingerprint()}\n`;
  if (existsSync(TEST_SCRIPT_HOST) && readFileSync(TEST_SCRIPT_HOST, 'utf8').startsWith(stamp)) return;
  await mkdir(dirname(TEST_SCRIPT_HOST), { recursive: true });
  // Renamed into place, because several test commands may run at the same time.
  const unfinished = `${TEST_SCRIPT_HOST}.${process.pid}`;
  await writeFile(unfinished, stamp + (await bundleScriptHost()));
  await rename(unfinished, TEST_SCRIPT_HOST);
}

function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(resolve(ROOT, 'package-lock.json')));
  for (const folder of SOURCES) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
      if (file.endsWith('.ts')) hash.update(file).update(readFileSync(resolve(folder, file)));
    }
  }
  return hash.digest('hex');
}
