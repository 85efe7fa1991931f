import type { TagKind } from '#domain/tag/tag';
import type { ImmediateKind } from './kind.ts';

/**
 * Replaces a kind that this build does not have, or whose settings it cannot read: the tag is kept unchanged, reads as
 * BadConfigurationError, and rejects writes with the reason.
 */
export function inertKind(kind: TagKind, reason: string): ImmediateKind {
  return {
    kind,
    mode: 'immediate',
    parse: (settings) => ({ ok: true, settings }),
    attach: () => undefined,
    detach: () => undefined,
    erase: () => undefined,
    retype: () => undefined,
    read: ({ definition: { path, type } }) => ({ path, value: null, quality: 'BadConfigurationError', type, reason }),
    prepare: () => ({ ok: false, reason }),
    changesAt: () => Infinity,
  };
}
