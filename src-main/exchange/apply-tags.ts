import { TagwrightError } from '../platform/errors.ts';
import type { InstanceClient } from '../host/instance-client.ts';
import type { Applied } from './applied.ts';
import { nothing } from './applied.ts';
import type { WorkspaceText } from './read-folder.ts';

/** The definitions of tags, all or none of them. Throws BAD_REQUEST that names the first rejected one. */
export async function applyTags(
  client: InstanceClient,
  { tags: text }: WorkspaceText,
  mirror: boolean,
): Promise<Applied> {
  const before = await client.tags.export({ format: 'json' });
  const unchanged = before.text === text;
  const { created, updated, refused } = unchanged
    ? { created: 0, updated: 0, refused: [] }
    : await client.tags.import({ format: 'json', text });
  const [first] = refused;
  if (first) {
    const more = refused.length === 1 ? '' : ` (and ${refused.length - 1} more)`;
    const message = `"tags.json" cannot be imported: tag ${first.row}, ${first.path}: ${first.reason}${more}`;
    throw new TagwrightError('BAD_REQUEST', message);
  }
  const done = { ...nothing(), created, updated, unchanged: unchanged ? before.count : 0 };
  if (!mirror || unchanged) return done;
  const wanted = pathsIn(text);
  const now = [...pathsIn((await client.tags.export({ format: 'json' })).text)];
  const others = now.filter((path) => !wanted.has(path));
  if (others.length > 0) await client.tags.delete({ paths: others });
  return { ...done, deleted: others.length };
}

/** The values of storage tags: all values of a scope, or none. */
export async function applyValues(client: InstanceClient, { values }: WorkspaceText): Promise<Applied> {
  const scopes = Map.groupBy(values, ({ diagram, location }) => JSON.stringify([diagram, location]));
  for (const items of scopes.values()) {
    const [{ diagram, location } = { diagram: '', location: '' }] = items;
    await client.tags.set({ items: items.map(({ tag, value }) => ({ tag, value })), diagram, location });
  }
  return { ...nothing(), updated: values.length };
}

/** The paths of an export of tags. */
function pathsIn(text: string): Set<string> {
  const tags: unknown = JSON.parse(text);
  const paths = (Array.isArray(tags) ? tags : []).map((tag: unknown) =>
    typeof tag === 'object' && tag !== null && 'path' in tag ? String(tag.path) : '',
  );
  return new Set(paths);
}
