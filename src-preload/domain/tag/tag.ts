import type { Json, JsonObject } from '../text/json.ts';
import type { Quality } from './quality.ts';

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
  settings: JsonObject;
}

/** Limits of the texts of a definition; the requirements have none (documented in docs/tags.md). */
export const DEFINITION_LIMITS = {
  /** Characters of a description. */
  description: 4_000,
  /** Characters of a unit. */
  unit: 64,
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
}

/** One item of a write. */
export interface TagWrite {
  tag: string;
  value: Json;
}

/** Why one item of a Set was rejected. */
export interface WriteFailure {
  tag: string;
  reason: string;
  /** The position of the item in the Set, from 0; absent for an item of a nested Set. */
  index?: number;
}
