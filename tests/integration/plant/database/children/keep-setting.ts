import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { tagsOver } from '../../../../support/services/wired-tags.ts';
import { openPlant } from './open-plant.ts';

/*
 * For each n from `from` on, one Set writes n to a storage tag, a row n to plant.db and a record n to the ERP outbox; n
 * is printed when the Set is acknowledged. In the Set `last` the process kills itself at `step`, or never if that is
 * "-". Before that Set, the log of plant.db is checkpointed, so that the Set restarts the log.
 */
const [directory = '', from = '1', last = '0', step = '-'] = process.argv.slice(2);
const { store, plant } = openPlant(directory);
let current = 0;
const { tags } = tagsOver(store, {
  plant,
  log: (where, fault) => console.error(where, fault),
  onCommitStep: (reached) => {
    if (current === Number(last) && reached === step) process.kill(process.pid, 'SIGKILL');
  },
});

for (current = Number(from); current <= Number(last); current += 1) {
  if (current === Number(last)) checkpoint();
  await tags.set({
    items: [
      { tag: 'Plant.Count.Value', value: current },
      { tag: 'Db.Count.Value', value: current },
      { tag: 'Erp.Count.Record', value: { n: current } },
    ],
  });
  writeSync(1, `${current}\n`);
}
process.exit(0);

function checkpoint(): void {
  const code = `const { DatabaseSync } = require('node:sqlite');
    new DatabaseSync(process.argv[1]).exec('PRAGMA wal_checkpoint(PASSIVE)');`;
  execFileSync(process.execPath, ['--no-warnings', '-e', code, join(directory, 'plant.db')]);
}
