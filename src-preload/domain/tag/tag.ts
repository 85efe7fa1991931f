import type { Json, JsonObject } from '../text/json.ts';
import type { Quality } from './quality.ts';
import { grouped } from '../text/grouped.ts';

export const TAG_KINDS = ['machine', 'storage', 'erp', 'db', 'calculation', 'script'] as const;
export type TagKind = (typeof TAG_KINDS)[number];

export const TAG_TYPES = ['Boolean', 'Int', 'Double', 'String', 'DateTime', 'Json', 'Bytes'] as const;
export type TagType = (typeof TAG_TYPES)[number];

/** The type of a tag value result; `Unknown` is the type of a tag that does not exist. */
export type ResultType = TagType | 'Unknown';

/** A tag definition. `settings` belong to the kind, which validates them. */
export interface TagDefinition {
  path: string;
  kind: TagKind;
  type: TagType;
  description: string;
  /** Engineering unit, for display only: `°C`, `bottles/min`. Empty for none. */
  unit: string;
  /** How numbers are shown to people: `0.00`, `#,##0.0`, `0 %`. Only of Int and Double; absent for none. */
  format?: string;
  settings: JsonObject;
}

/** What a tag that cannot be written lacks, for people; null if it can be. */
export function readOnlyReason({ kind, settings }: Pick<TagDefinition, 'kind' | 'settings'>): string | null {
  const lacks = (setting: string) => (settings[setting] ?? '') === '';
  if (kind === 'calculation') return 'A calculation tag cannot be written; write its inputs.';
  if (kind === 'db' && lacks('writeSql')) return 'This tag is read-only: it has no write SQL.';
  return kind === 'script' && lacks('writeScript') ? 'This tag is read-only: it has no write script.' : null;
}

/** Limits of the texts of a definition; the requirements have none (documented in docs/plant/tags.md). */
export const DEFINITION_LIMITS = {
  /** Characters of a description. */
  description: 4_000,
  /** Characters of a unit. */
  unit: 64,
  /** Characters of a number format. */
  format: 64,
  /** Characters of the settings as JSON. */
  settings: 8 * 1_048_576,
} as const;

/**
 * One element of a read: the value of a tag in a scope. DateTime values are RFC 3339 text in UTC, Bytes values are
 * Base64 text.
 */
export interface TagValue {
  path: string;
  value: Json;
  quality: Quality;
  type: ResultType;
  /** The reason of the quality, for people, if the kind of the tag knows it: the error of a script or query. */
  reason?: string;
  /** A written value replaces the signal of a machine tag. */
  overridden?: true;
  /** The quality of a machine tag is forced; a bad one hides the value. */
  forced?: true;
  /**
   * When the value last changed (the source timestamp of OPC UA), RFC 3339 in UTC; only if it was requested and is known.
   */
  changedAt?: string;
}

/**
 * Why a script's value has no exact form as JSON: the digits of a BigInt beyond ±2^53, what the value is that JSON would
 * lose (`the value is NaN`), or another problem.
 */
export type UnfitValue = { digits: string } | { lost: string } | { problem: string };

/** One item of a write. */
export interface TagWrite {
  tag: string;
  value: Json;
  /** Instead of the value, which is then null. */
  unfit?: UnfitValue;
}

/** Why one item of a Set was rejected. */
export interface WriteFailure {
  tag: string;
  reason: string;
  /** The position of the item in the Set, from 0; absent for an item of a nested Set. */
  index?: number;
}

/** A tag or script that does not exist, in the settings of an imported tag. */
export interface MissingReference {
  path: string;
  /** The place, such as `settings.readScript`. */
  member: string;
  name: string;
}

/** The stored values of a tag that an import would drop. */
export interface TagLoss {
  path: string;
  /** The former type and the new one, or "deleted"; or the kinds, if the kind changes. */
  from: string;
  to: string;
  values: number;
}

/** `3 stored values of 2 tags` */
export function lossesSummary(losses: readonly TagLoss[]): string {
  const values = losses.reduce((sum, loss) => sum + loss.values, 0);
  const of = losses.length === 1 ? 'of 1 tag' : `of ${grouped(losses.length)} tags`;
  return `${grouped(values)} stored ${values === 1 ? 'value' : 'values'} ${of}`;
}
