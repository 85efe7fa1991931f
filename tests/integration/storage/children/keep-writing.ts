import { writeSync } from 'node:fs';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';

// Writes groups through the commit queue, several per turn, and prints each name when it is acknowledged, until killed.
const [directory = ''] = process.argv.slice(2);
const store = openWorkspaceStore(directory);

async function write(worker: number): Promise<void> {
  for (let count = 0; ; count += 1) {
    const name = `${worker}-${count}`;
    await store.commits.run(() => store.scripts.insertGroup(name, name));
    writeSync(1, `${name}\n`);
  }
}

await Promise.all([0, 1, 2, 3].map(write));
