import type { TagDefinition } from '#domain/tag/tag';
import type { WhySubject } from '../../frame/why/use-why.ts';
import type { ViewScope } from '../../client/live-values.ts';

/** What *Why?* explains of a tag: the value that is shown, in the scope of the view. @param at ms since 1970; now unless given */
export function tagSubject(
  { path, kind }: Pick<TagDefinition, 'path' | 'kind'>,
  scope: ViewScope,
  at?: number,
): WhySubject {
  return {
    thing: `tag:${path}`,
    ...(at !== undefined && { at: new Date(at).toISOString() }),
    // The other kinds have one value for all scopes.
    ...((kind === 'storage' || kind === 'script') && { scope }),
  };
}
