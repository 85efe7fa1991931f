import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { tagsOver } from '../../../../support/services/wired-tags.ts';
import { openPlant } from './open-plant.ts';

/*
 * Writes 1 to `last` to a DB tag, each with a Set of its own, and kills itself when all are acknowledged. At the last one
 * it copies workspace.db into `copies` when plant.db is committed: what a power cut leaves of it if it undoes everything
 * that did not wait for the disk.
 */
const [directory = '', copies = '', last = '1'] = process.argv.slice(2);
const { store, plant } = openPlant(directory);
let current = 0;
const { tags } = tagsOver(store, {
  plant,
  log: (where, fault) => console.error(where, fault),
  onCommitStep: (step) => {
    if (step !== 'decided' || current !== Number(last)) return;
    for (const name of ['workspace.db', 'workspace.db-wal']) copyFileSync(join(directory, name), join(copies, name));
  },
});

for (current = 1; current <= Number(last); current += 1) {
  await tags.set({ items: [{ tag: 'Db.Count.Value', value: current }] });
}
process.kill(process.pid, 'SIGKILL');
