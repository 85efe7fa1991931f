import { isDeepStrictEqual } from 'node:util';
import { nameKey } from '#domain/text/name-key';
import type { Applied } from './applied.ts';
import { named, nothing } from './applied.ts';

/** Things that are told apart by their names, in a folder and in a workspace. */
interface NamedThings<Text extends { name: string }> {
  /** How an error speaks of one. */
  title: (name: string) => string;
  given: readonly Text[];
  stored: readonly { id: number; text: Text }[];
  /** Saves a new one, or over that of `id`. */
  save: (text: Text, id: number | undefined) => Promise<unknown>;
  /** Deletes one that is not given; null where these stay. */
  remove: ((id: number) => Promise<unknown>) | null;
}

/**
 * Makes what is stored be as what is given. One name is one thing, whatever the letter case: it is stored as it is
 * written in what is given.
 */
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
