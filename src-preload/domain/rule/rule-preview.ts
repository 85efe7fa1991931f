import type { TagKind } from '../tag/tag.ts';
import type { PreviewedWindow, RuleOutput } from './rule.ts';

/** Where a preview has the values of a tag from. */
export interface PreviewSource {
  path: string;
  kind: TagKind;
  /** `signal`: computed; `value`: its current value; `samples`: taken by rules; `none`: its past is not known. */
  basis: 'signal' | 'value' | 'samples' | 'none';
  /** For `signal`: writes before are not known. For `value` and `samples`: nothing is known before. ms since 1970. */
  since: number | null;
  /** For `samples`: the name of the rule that took them. */
  rule: string | null;
}

/** What a rule would have done. */
export interface RulePreview {
  /** The newest windows, oldest first. */
  windows: PreviewedWindow[];
  /** The number of samples in the preview. */
  samples: number;
  /** Tags whose past is not known. */
  unknownTags: string[];
  /** The time in which the rule would have been active, ms since 1970; null if samples of rules are the only history. */
  span: { from: number; to: number } | null;
  /** The limit that shortened the span; null if it is complete. */
  limit: 'samples' | 'time' | null;
  /** The number of windows before the shown ones. */
  earlier: number;
  /** The sources of values: all source tags, and the tag of the window. */
  sources: PreviewSource[];
  /** The units of the outputs, in their order; '' without a unit. */
  units: string[];
}

export const OUTCOME_NAMES: Readonly<Record<PreviewedWindow['outcome'], string>> = {
  fires: 'fires',
  empty: 'empty',
  condition: 'condition not met',
  error: 'condition failed',
};

/** The unit of an output of a tag with a given unit. */
export function unitOfOutput({ reducer }: Pick<RuleOutput, 'reducer'>, tagUnit: string): string {
  if (reducer === 'count') return 'samples';
  return reducer === 'timeInState' ? 's' : tagUnit;
}

/** The number format of an output of a tag with a given format; undefined for an output with a unit of its own. */
export function formatOfOutput(
  { reducer }: Pick<RuleOutput, 'reducer'>,
  tagFormat: string | undefined,
): string | undefined {
  return reducer === 'count' || reducer === 'timeInState' ? undefined : tagFormat;
}

/** Why the values of a tag in a preview are incomplete; null if they are complete. */
export function previewNote(source: PreviewSource, timeText: (ms: number) => string): string | null {
  const { basis, kind, since, rule } = source;
  if (basis === 'none') {
    return `no history: values of ${NAMES[kind]} tags are known only from the samples of a rule. Save and enable the rule to collect them`;
  }
  if (basis === 'samples') {
    const from = since === null ? '' : `, since ${timeText(since)}`;
    return `not computable: uses the samples that the rule "${rule ?? ''}" took${from}`;
  }
  if (since === null) return null;
  return basis === 'value'
    ? `unknown before ${timeText(since)}, when its current value was written`
    : `values that were written or forced before ${timeText(since)} are not known; the preview uses its signal`;
}

const NAMES: Readonly<Record<TagKind, string>> = {
  machine: 'machine',
  storage: 'storage',
  erp: 'ERP',
  db: 'DB',
  calculation: 'calculation',
  script: 'script',
};
