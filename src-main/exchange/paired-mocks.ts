import { isDeepStrictEqual } from 'node:util';
import { routeOf } from '#domain/mock/mock';
import type { InstanceClient } from '../host/instance-client.ts';
import type { WorkspaceText } from './read-folder.ts';

type StoredMocks = Awaited<ReturnType<InstanceClient['mocks']['list']>>['mocks'];
type Given = WorkspaceText['mocks'];

interface PairedMocks {
  /** The given mocks that differ from all stored ones, with the `id` of the one that each of them changes, if any. */
  changes: { mock: Given[number]; id: number | undefined }[];
  /** The stored mocks that no given one is equal to or changes. */
  others: number[];
}

/**
 * Mocks in a folder and in a workspace: equal ones first; of the others, those with the same name, if possible in the
 * same folder of the list.
 */
export function pairedMocks(stored: StoredMocks, given: Given): PairedMocks {
  const left = Map.groupBy(
    stored.map((mock) => ({ ...routeOf(mock), id: mock.id })),
    ({ name }) => name,
  );
  const changed: Given = [];
  for (const mock of given) {
    const named = left.get(mock.name) ?? [];
    const same = named.findIndex(({ id: _id, ...route }) => isDeepStrictEqual(route, mock));
    if (same < 0) changed.push(mock);
    else named.splice(same, 1);
  }
  const changes = changed.map((mock) => {
    const named = left.get(mock.name) ?? [];
    const inFolder = named.findIndex(({ folder }) => folder === mock.folder);
    return { mock, id: named.splice(Math.max(0, inFolder), 1)[0]?.id };
  });
  return { changes, others: [...left.values()].flat().map(({ id }) => id) };
}
