import { isDeepStrictEqual } from 'node:util';
import { nameKey } from '#domain/text/name-key';
import type { Applied } from './applied.ts';
import { named, nothing } from './applied.ts';

/** Items that are identified by name, in a folder and in a workspace. */
interface NamedThings<Text extends { name: string }> {
  /** The name of an item in errors. */
  title: (name: string) => string;
  given: readonly Text[];
  stored: readonly { id: number; text: Text }[];
  /** Saves a new one, or replaces the one with this `id`. */
  save: (text: Text, id: number | undefined) => Promise<unknown>;
  /** Deletes one that is not given; null if these stay. */
  remove: ((id: number) => Promise<unknown>) | null;
}

/** Makes the stored items equal to the given ones. Names are compared regardless of case, and stored as given. */
export async function applyByName<Text extends { name: string }>(things: NamedThings<Text>): Promise<Applied> {
  const { title, given, stored, save, remove } = things;
  const done = nothing();
  const left = new Map(stored.map((one) => [nameKey(one.text.name), one]));
  for (const text of given) {
    const key = nameKey(text.name);
    const before = left.get(key);
    left.delete(key);
    if (before && isDeepStrictEqual(before.text, text)) done.unchanged += 1;
    else {
      await named(title(text.name), save(text, before?.id));
      done[before ? 'updated' : 'created'] += 1;
    }
  }
  if (!remove) return done;
  for (const { id } of left.values()) await remove(id);
  return { ...done, deleted: left.size };
}
