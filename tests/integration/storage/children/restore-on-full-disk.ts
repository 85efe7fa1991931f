import { readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { prepareRestore } from '../../../../src-main/storage/backups/restore-backup.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';

// Restores a backup on a small disk that becomes full at different moments, and prints the outcomes.
const [folder = ''] = process.argv.slice(2);
const workspace = join(folder, 'workspace');
const file = join(workspace, 'workspace.db');
const filler = join(folder, 'filler');

const say = (what: object) => writeSync(1, `${JSON.stringify(what)}\n`);
const refusalOf = (thrown: unknown) => {
  if (thrown instanceof TagwrightError) return `${thrown.code}: ${thrown.message}`;
  throw thrown;
};
const refused = (work: () => Promise<unknown>) => work().then(() => null, refusalOf);

/** Leaves the given number of bytes free. */
function fill(free: number): void {
  rmSync(filler, { force: true });
  const chunk = Buffer.alloc(4_096);
  try {
    for (;;) writeFileSync(filler, chunk, { flag: 'a' });
  } catch {
    // The disk is full now.
  }
  writeFileSync(filler, Buffer.alloc(Math.max(0, statSync(filler).size - free)));
}
const room = () => rmSync(filler, { force: true });
const left = () => readdirSync(workspace).filter((name) => name.startsWith('workspace.db'));

function groups(): string[] {
  const store = openWorkspaceStore(workspace);
  const names = store.scripts.groups().map((group) => group.name);
  store.close();
  return names;
}

const store = openWorkspaceStore(workspace);
await store.commits.run(() => store.scripts.insertGroup('Then', 'then'));
const name = basename(await store.backUpNow());
await store.commits.run(() => store.scripts.insertGroup('Now', 'now'));
store.close();
const size = statSync(file).size;

fill(size / 2);
say({ copy: await refused(() => prepareRestore(file, name)), left: left() });
fill(size * 1.5);
say({ keeping: await refused(() => prepareRestore(file, name)), left: left() });
room();
say({ groups: groups() });

const late = await prepareRestore(file, name);
fill(size / 2);
say({ replacing: await refused(() => late.replace()) });
late.discard();
say({ left: left(), groups: groups() });
room();

const sound = await prepareRestore(file, name);
const kept = await sound.replace();
say({ groups: groups() });
// Undoing the restore needs no space.
fill(0);
await sound.undo();
room();
say({ kept: readdirSync(join(workspace, 'backups')).includes(basename(kept ?? '')), groups: groups() });
