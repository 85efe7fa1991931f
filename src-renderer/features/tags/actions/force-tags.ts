import type { Quality } from '#domain/tag/quality';
import type { TagDefinition } from '#domain/tag/tag';
import type { Workbench } from '../../../frame/workbench.ts';

/** A group of tags by its path; `''` has all of them. */
export function machineTagsIn(tags: readonly TagDefinition[], group: string): string[] {
  return tags
    .filter(({ kind, path }) => kind === 'machine' && (group === '' || path.startsWith(`${group}.`)))
    .map(({ path }) => path);
}

/** Forces or clears the quality of machine tags, all or none. The notice restores what was forced before. */
export async function forceAll(
  { client, notify }: Pick<Workbench, 'client' | 'notify'>,
  paths: readonly string[],
  quality: Quality | null,
): Promise<void> {
  const before = await client.tags.get({ paths: [...paths] });
  await client.tags.forceAll({ paths: [...paths], quality });
  const former = Map.groupBy(before, (value) => (value.forced === true ? value.quality : null));
  const count = `${paths.length.toLocaleString('en')} ${paths.length === 1 ? 'tag' : 'tags'}`;
  notify({
    intent: 'success',
    title: quality === null ? `Forced quality of ${count} cleared` : `Quality of ${count} forced`,
    ...(quality !== null && { body: quality }),
    action: {
      label: 'Undo',
      run: async () => {
        try {
          for (const [forced, values] of former) {
            await client.tags.forceAll({ paths: values.map(({ path }) => path), quality: forced });
          }
        } catch (error) {
          notify({ intent: 'error', title: 'Undo failed', error });
        }
      },
    },
  });
}
