import type { TagDefinition, TagWrite } from '#domain/tag/tag';
import type { ScopedValue } from '#domain/tag/scope';
import type { Client } from '../../../client/client.ts';

/** With this many storage tags or more, their values are not read before the deletion. */
const MOST_VALUES = 500;

/** Deleted tags, to restore. */
export interface RemovedTags {
  definitions: readonly TagDefinition[];
  values: readonly { path: string; stored: readonly ScopedValue[] }[];
  /** There were too many storage tags to keep all values. */
  valuesLost: boolean;
}

/** Deletes tags, all or none; the result can be restored. */
export async function removeTags(client: Client, definitions: readonly TagDefinition[]): Promise<RemovedTags> {
  const storage = definitions.filter(({ kind }) => kind === 'storage');
  const valuesLost = storage.length > MOST_VALUES;
  const values = valuesLost ? [] : await Promise.all(storage.map(({ path }) => storedOf(client, path)));
  await client.tags.delete({ paths: definitions.map(({ path }) => path) });
  return { definitions, values, valuesLost };
}

async function storedOf(client: Client, path: string) {
  const { values } = await client.tags.scopes({ path });
  return { path, stored: values };
}

/** Saves deleted tags again with their stored values. Throws an Error with the rejected ones. */
export async function restoreTags(client: Client, { definitions, values }: RemovedTags): Promise<void> {
  await saveAll(client, definitions);
  const byScope = Map.groupBy(
    values.flatMap(({ path, stored }) => stored.map((one) => ({ path, ...one }))),
    ({ diagram, location }) => JSON.stringify([diagram, location]),
  );
  for (const ofScope of byScope.values()) {
    const [first] = ofScope;
    if (!first) continue;
    const items = ofScope.map(({ path, value }): TagWrite => ({ tag: path, value }));
    await client.tags.set({ items, diagram: first.diagram, location: first.location });
  }
}

/** Creates or replaces definitions, all or none. Throws an Error with the rejected ones. */
export async function saveAll(client: Client, definitions: readonly TagDefinition[]): Promise<void> {
  const { refused } = await client.tags.import({ format: 'json', text: JSON.stringify(definitions) });
  const [first] = refused;
  if (!first) return;
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : '';
  throw new Error(`Nothing was changed: ${first.path}: ${first.reason}${more}`);
}
