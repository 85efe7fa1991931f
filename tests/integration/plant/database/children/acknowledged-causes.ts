import { copyFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tagsOver } from '../../../../support/services/wired-tags.ts';
import { openPlant } from './open-plant.ts';

/*
 * Writes `first` to `last` to a DB tag, each with a Set of its own, prints the first one that is acknowledged, and kills
 * itself when all are. In the Set `copied`, when its intent is on the disk or plant.db is committed, it copies workspace.db
 * into `copies`: what a power cut leaves of it if it undoes everything after that.
 */
const [directory = '', copies = '', last = '1', copied = '1', at = 'intended', first = '1'] = process.argv.slice(2);
const { store, plant } = openPlant(directory);
let current = 0;
const { tags } = tagsOver(store, {
  plant,
  log: (where, fault) => console.error(where, fault),
  onCommitStep: (step) => {
    if (step !== at || current !== Number(copied)) return;
    for (const name of ['workspace.db', 'workspace.db-wal']) copyFileSync(join(directory, name), join(copies, name));
  },
});

for (current = Number(first); current <= Number(last); current += 1) {
  await tags.set({ items: [{ tag: 'Db.Count.Value', value: current }] });
  if (current === Number(first)) writeSync(1, `${current}\n`);
}
process.kill(process.pid, 'SIGKILL');
