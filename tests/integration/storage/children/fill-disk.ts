import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';

// Fills a small file system, and prints how the workspace reacts, in lines of JSON.
const [folder = ''] = process.argv.slice(2);
const workspace = join(folder, 'workspace');

function say(what: object): void {
  console.log(JSON.stringify(what));
}

function codeOf(thrown: unknown): string {
  return thrown instanceof TagwrightError ? `${thrown.code}: ${thrown.message}` : `not ours: ${String(thrown)}`;
}

/** Takes all free space. */
function fill(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(4_096));
  } catch {
    closeSync(handle);
  }
}

const store = openWorkspaceStore(workspace);
const acknowledged: string[] = [];
let refusal = '';
for (let count = 0; refusal === ''; count += 1) {
  const key = `filler.${count}`;
  if (count === 5) fill(join(folder, 'ballast'));
  try {
    await store.commits.run(() => store.settings.put(key, 'x'.repeat(50_000)));
    acknowledged.push(key);
  } catch (thrown) {
    refusal = codeOf(thrown);
  }
}
const kept = (): boolean => acknowledged.join() === [...store.settings.all().keys()].toSorted().join();
say({ refusal, acknowledged: acknowledged.length, kept: kept() });

const backup = await store.backupIfOlderThan(0).then(() => 'made', codeOf);
say({ backup, kept: kept() });

rmSync(join(folder, 'ballast'));
await store.commits.run(() => store.settings.put('filler.after', 1));
acknowledged.push('filler.after');
say({ room: 'again', kept: kept() });
store.close();

fill(join(folder, 'ballast'));
for (const directory of [workspace, join(folder, 'second')]) {
  try {
    const full = openWorkspaceStore(directory);
    full.close();
    say({ open: 'opened' });
  } catch (thrown) {
    say({ open: codeOf(thrown) });
  }
}
rmSync(join(folder, 'ballast'));
const again = openWorkspaceStore(workspace);
const second = openWorkspaceStore(join(folder, 'second'));
say({ reopened: again.settings.all().size === acknowledged.length, secondCreated: second.created });
again.close();
second.close();
