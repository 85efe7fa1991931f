import { isDeepStrictEqual } from 'node:util';
import { convert } from '#domain/tag/convert';
import { TagwrightError } from '../platform/errors.ts';
import type { InstanceClient } from '../host/instance-client.ts';
import type { Applied } from './applied.ts';
import { named, nothing } from './applied.ts';
import { tagsIn } from './check-folder.ts';
import { FILES } from './folder-format.ts';
import type { WorkspaceText } from './read-folder.ts';
import { storedValues } from './write-folder.ts';

/** The definitions of tags, all or none of them. Throws BAD_REQUEST that names the first rejected one. */
export async function applyTags(
  client: InstanceClient,
  { tags: text }: WorkspaceText,
  mirror: boolean,
): Promise<Applied> {
  const item = { file: FILES.tags, item: '' };
  const imported = await named(item, () => client.tags.import({ format: 'json', text }));
  const [first] = imported.refused;
  if (first) {
    // They were checked before: something has changed since.
    const message = `"${FILES.tags}" cannot be imported: tag ${first.row}, ${first.path}: ${first.reason}`;
    throw new TagwrightError('BAD_REQUEST', message);
  }
  const { created, updated, unchanged = 0 } = imported;
  const done = { ...nothing(), created, updated, unchanged };
  if (!mirror) return done;
  const wanted = new Set(tagsIn(text).map(({ path }) => path));
  const now = tagsIn((await client.tags.export({ format: 'json' })).text);
  const others = now.map(({ path }) => path).filter((path) => !wanted.has(path));
  if (others.length > 0) await client.tags.delete({ paths: others });
  return { ...done, deleted: others.length };
}

/** The values of storage tags: all values of a scope, or none. Equal ones are not written. */
export async function applyValues(client: InstanceClient, { values, tags }: WorkspaceText): Promise<Applied> {
  const done = nothing();
  const keyOf = ({ tag, diagram, location }: Omit<(typeof values)[number], 'value'>): string =>
    JSON.stringify([tag, diagram, location]);
  const paths = [...new Set(values.map(({ tag }) => tag))];
  const stored = new Map((await storedValues(client, paths)).map((one) => [keyOf(one), one.value]));
  const types = new Map(tagsIn(tags).map(({ path, type }) => [path, type]));
  const changed = values.filter((one) => {
    const before = stored.get(keyOf(one));
    const type = types.get(one.tag);
    const converted = type && convert(one.value, type);
    const isEqual = before !== undefined && isDeepStrictEqual(converted?.ok ? converted.value : one.value, before);
    done[isEqual ? 'unchanged' : before === undefined ? 'created' : 'updated'] += 1;
    return !isEqual;
  });
  const scopes = Map.groupBy(changed, ({ diagram, location }) => JSON.stringify([diagram, location]));
  for (const items of scopes.values()) {
    const [{ diagram, location } = { diagram: '', location: '' }] = items;
    const scope = [diagram, location].filter((name) => name !== '').join(', ');
    const written = items.map(({ tag, value }) => ({ tag, value }));
    const setting = () => client.tags.set({ items: written, diagram, location });
    await named({ file: FILES.values, item: scope === '' ? '' : `scope ${scope}` }, setting);
  }
  return done;
}
