import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../host/instance-client.ts';
import type { Applied } from './applied.ts';
import { named, nothing } from './applied.ts';
import type { WorkspaceText } from './read-folder.ts';

/** The mocks: those that are there as they are given stay; of the others, one of the same name is changed. */
export async function applyMocks(client: Client, { mocks: given }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const done = nothing();
  const left = new Map(
    (await client.mocks.list()).mocks.map(({ hits: _hits, lastHitAt: _at, ...mock }) => [mock.id, mock]),
  );
  const others: typeof given = [];
  for (const mock of given) {
    const same = [...left.values()].find(({ id: _id, ...route }) => isDeepStrictEqual(route, mock));
    if (same) done.unchanged += 1;
    else others.push(mock);
    if (same) left.delete(same.id);
  }
  for (const mock of others) {
    const stored = [...left.values()].find(({ name }) => name === mock.name);
    await named(`mock "${mock.name}"`, client.mocks.save({ ...mock, ...(stored && { id: stored.id }) }));
    done[stored ? 'updated' : 'created'] += 1;
    if (stored) left.delete(stored.id);
  }
  if (mirror && left.size > 0) done.deleted = (await client.mocks.delete({ ids: [...left.keys()] })).count;
  return done;
}
