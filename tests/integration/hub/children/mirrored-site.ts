import { setTimeout as pause } from 'node:timers/promises';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { randomFrom } from '../../../support/run/random-numbers.ts';
import { openSite } from '../../../support/hub/hub-site.ts';

// Mirrors a workspace, fires, and changes events whose ids are multiples of 3, until it is killed.
const [directory = '', url = '', seed = '1'] = process.argv.slice(2);
const site = openSite(openWorkspaceStore(directory));
const random = randomFrom(Number(seed));
site.mirror(url);
console.log('ready');
for (;;) {
  await site.fire(1 + Math.floor(random() * 20), random() < 0.8 ? 'results_1' : 'results_2');
  const last = site.store.database.prepare<[], number>('SELECT max(id) FROM events').pluck().get() ?? 0;
  const id = 3 * Math.floor((random() * last) / 3);
  if (random() < 0.1) await site.events.delete(id);
  else await site.events.setActive(id, random() < 0.5);
  await pause(10);
}
