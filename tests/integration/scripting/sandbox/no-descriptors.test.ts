import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../../support/product/product.ts';

const run = promisify(execFile);

/** Main with only the descriptors it needs to start, so Node can neither start a process nor create pipes. */
const PROGRAM = `
  const { openSync } = await import('node:fs');
  const { hostStarter } = await import('${join(ROOT, 'src-main/scripting/sandbox/supervisor/script-host.ts')}');
  const { PlantProcess } = await import('${join(ROOT, 'src-main/storage/plant/plant-process.ts')}');
  const { withoutOsSandbox } = await import('${join(ROOT, 'src-main/platform/os-sandbox/os-sandbox.ts')}');
  const { closedDescriptors } = await import('${join(ROOT, 'src-main/platform/os-sandbox/linux-tools.ts')}');
  closedDescriptors(3); // as the first host did
  const sandbox = withoutOsSandbox('a test');
  const files = { hostFile: '/host.js', nodeBinary: process.execPath, isolatedVmFolder: '/', sandbox };
  const start = hostStarter(files);
  try { for (;;) openSync('/dev/null', 'r'); } catch {}
  const ended = await new Promise((exit) => start({ data() {}, exit: ({ how }) => exit(how) }, 128));
  const plant = new PlantProcess({ file: '/plant.db', hostFile: '/plant.js', nodeBinary: process.execPath, sandbox }, 'reader');
  await plant.gone;
  process.stdout.write(JSON.stringify([ended, plant.usable]));
`;

test('a host that cannot start for lack of descriptors ends, and main continues', async () => {
  const limited = 'ulimit -n 80; exec "$0" --no-warnings --input-type=module -e "$1"';
  const { stdout } = await run('sh', ['-c', limited, process.execPath, PROGRAM]);
  expect(JSON.parse(stdout)).toEqual([expect.stringContaining('EMFILE'), false]);
});
