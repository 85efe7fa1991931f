import { closeSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hostRuntime, productRoot } from '../../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../../src-main/platform/files/programs.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { PlantDatabase } from '../../../../src-main/storage/plant/plant-database.ts';
import { StorageHealth } from '../../../../src-main/storage/storage-health.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';

// Fills two small file systems, for the workspace and for plant.db, and prints their health in lines of JSON.
const [disk = '', plantDisk = ''] = process.argv.slice(2);
const workspace = join(disk, 'workspace');
const ROOT = productRoot();

/** Takes all free space except a few pages. */
function fill(file: string, left: number): void {
  const handle = openSync(file, 'w');
  const room = `${file}.room`;
  writeFileSync(room, Buffer.alloc(left));
  try {
    for (;;) writeSync(handle, Buffer.alloc(4_096));
  } catch {
    closeSync(handle);
  }
  rmSync(room);
}

const store = openWorkspaceStore(workspace);
const plant = new PlantDatabase({
  directory: plantDisk,
  nodeBinary: hostRuntime(ROOT).node,
  hostFile: programFile('plant-host', ROOT),
  settings: { get: () => ({ 'db.statementMs': 10_000, 'db.maxRows': 10 }) },
});
await plant.setUp('CREATE TABLE filled (text)');
const health = new StorageHealth({ ...store, plant, log: createLog({ write: () => undefined }), lookMs: 20 });

/** Waits until the health changes, and prints it. */
let last = '';
async function say(when: string): Promise<void> {
  let now = last;
  while (now === last) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    now = health
      .problems()
      .map(({ code }) => code)
      .join();
  }
  last = now;
  console.log(JSON.stringify({ [when]: now }));
}

async function insert(bytes: number): Promise<void> {
  const transaction = await plant.begin();
  await transaction.write({ sql: 'INSERT INTO filled VALUES (zeroblob(:bytes))', bind: { bytes } });
  await transaction.commit().catch(() => undefined);
}

fill(join(disk, 'ballast'), 16_384);
await say('a few pages left');
rmSync(join(disk, 'ballast'));
await say('room');
fill(join(plantDisk, 'ballast'), 16_384);
await insert(200_000);
await say('plant.db full');
rmSync(join(plantDisk, 'ballast'));
await say('room for plant.db');
await insert(200_000);
writeFileSync(join(plantDisk, 'other.db'), 'no database at all '.repeat(1_000));
renameSync(join(plantDisk, 'other.db'), plant.path);
await plant.read([{ sql: 'SELECT 1 FROM filled' }]);
await say('no database');
rmSync(plant.path);
await say('gone');
writeFileSync(plant.path, '');
await say('another');
await health.close();
await plant.close();
store.close();
