import type { TagValue } from './tag.ts';

/** The values of a tag at moments in the past, ms since 1970. */
export interface PastValues {
  /** `signal`: computed from the signal of a machine tag; `value`: the current value, since it was written. */
  basis: 'signal' | 'value';
  /** Values before this are unknown, or those of the signal without what was written or forced; -Infinity for none. */
  knownSince: number;
  /** null if it is unknown. */
  at(ms: number): TagValue | null;
  /** The next moment after it at which the value may differ; Infinity for never. */
  changesAt(ms: number): number;
}
