import { TagwrightError } from '../../../platform/errors.ts';
import type { KindOfTag } from '../kinds/kind.ts';
import type { Tag } from '../definitions/tag.ts';

/** The kind of a tag if it can be forced and released; throws BAD_REQUEST for tags of other kinds. */
export function overridesOf(tag: Tag): NonNullable<KindOfTag['overrides']> {
  if (tag.kind.overrides) return tag.kind.overrides;
  const message = `"${tag.path}" is a ${tag.definition.kind} tag; only machine tags can be forced and released`;
  throw new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: ['path'], message }] } });
}

/** The kind of a tag if it stores values by scope; throws BAD_REQUEST for tags of other kinds. */
export function scopesOf(tag: Tag): NonNullable<KindOfTag['scopes']> {
  if (tag.kind.scopes) return tag.kind.scopes;
  const message = `"${tag.path}" is a ${tag.definition.kind} tag; only storage tags store values by scope`;
  throw new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: ['path'], message }] } });
}
