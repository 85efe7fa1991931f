import { isDeepStrictEqual } from 'node:util';
import { nameKey } from '#domain/text/name-key';
import type { Applied, FolderItem } from './applied.ts';
import { named, nothing } from './applied.ts';

/** Items that are identified by name, in a folder and in a workspace. */
interface NamedThings<Text extends { name: string }> {
  /** The item in errors. */
  title: (name: string) => FolderItem;
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
  const wanted = new Set(given.map(({ name }) => nameKey(name)));
  // First: together, former and new ones could be too many.
  if (remove) {
    for (const [key, { id }] of left) {
      if (wanted.has(key)) continue;
      await remove(id);
      done.deleted += 1;
    }
  }
  for (const text of given) {
    const before = left.get(nameKey(text.name));
    if (before && isDeepStrictEqual(before.text, text)) done.unchanged += 1;
    else {
      await named(title(text.name), () => save(text, before?.id));
      done[before ? 'updated' : 'created'] += 1;
    }
  }
  return done;
}
