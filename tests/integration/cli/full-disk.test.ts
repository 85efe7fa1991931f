import { spawn } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { builtProduct, LAUNCHER, SYSTEM_NODE } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { canMount, namespace } from '../storage/child.ts';

beforeAll(builtProduct, 180_000);

const TAG = 'Bottling.Line1.Order.Number.Value';
/** A disk of 12 MB that only these commands see. After each command, its exit code is printed on a line. */
const COMMANDS = `
mount -t tmpfs -o size=12m tmpfs "$DISK"
tagwright() { "$NODE" "$LAUNCHER" "$@" 2>&1; echo "exit $?"; }
fill() { dd if=/dev/zero of="$DISK/filling" bs=4k 2>/dev/null || true; }
tagwright tags set ${TAG}=4712 -w "$DISK/plant"
printf 'as it was' > "$DISK/tags.json"
fill
tagwright tags set ${TAG}=4713 -w "$DISK/plant"
printf 'return 1' | tagwright run - -w "$DISK/plant"
tagwright tags list -w "$DISK/new"
printf 'value-of-it' | tagwright secrets set KEY -w "$DISK/plant"
tagwright tags export "$DISK/tags.json" -w "$ROOMY"
tagwright export "$DISK/text" -w "$ROOMY"
ls -A "$DISK" && cat "$DISK/tags.json"
rm "$DISK/filling"
tagwright tags get ${TAG} -w "$DISK/plant"
printf 'value-of-it' | tagwright secrets set KEY -w "$DISK/plant"
`;

test.skipIf(!canMount())('a full disk: exit 7 with what to do; nothing is lost', async () => {
  const disk = temporaryFolder();
  const [file = '', ...args] = namespace();
  const shell = spawn(file, [...args, 'sh', '-c', COMMANDS], {
    env: {
      ...process.env,
      DISK: disk,
      ROOMY: temporaryFolder(),
      NODE: SYSTEM_NODE,
      LAUNCHER,
      TAGWRIGHT_NO_BUILD: '1',
    },
  });
  let said = '';
  shell.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  await new Promise((resolve) => shell.once('close', resolve));
  const codes = said.split('\n').filter((line) => line.startsWith('exit '));
  expect({ said, codes }).toMatchObject({
    codes: ['exit 0', ...Array.from({ length: 6 }, () => 'exit 7'), 'exit 0', 'exit 0'],
  });
  expect(
    said.match(/^tagwright: The disk that holds ".*" is full; nothing was written\. Free some space/gm),
  ).toHaveLength(5);
  expect(said).toMatch(/"[^"]*text" is full: some of its files/);
  expect(said).toMatch(/tags\.json\n(?:text\n)?as it was/);
  expect(said).toMatch(new RegExp(`^${TAG} +4712 +Int +Good\nexit 0\n`, 'm'));
  expect(said).not.toMatch(/\n\s+at /);
});
