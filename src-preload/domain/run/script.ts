/**
 * Limits of the fields of a script; the requirements have none, these are Tagwright's (documented in docs/scripts.md).
 */
export const SCRIPT_LIMITS = {
  /** Characters of a group's or script's name. */
  name: 100,
  /** Characters of a description. */
  description: 4_000,
  /** Bytes of a body in UTF-8. */
  bodyBytes: 1_048_576,
} as const;

/** A saved version of a script, as the editor shows it. */
export interface ScriptText {
  group: string;
  name: string;
  description: string;
  body: string;
}

export interface Script extends ScriptText {
  id: number;
  /** Counts the saves, from 1. */
  version: number;
  /** When this version was saved, RFC 3339 in UTC. */
  savedAt: string;
}

export type ScriptSummary = Omit<Script, 'body'>;

export interface ScriptVersion extends ScriptText {
  scriptId: number;
  version: number;
  savedAt: string;
  savedBy: string | null;
}

/** A save in the history. */
export interface ScriptRevision {
  version: number;
  savedAt: string;
  /** The operating system user who saved it; null if unknown. */
  savedBy: string | null;
  group: string;
  name: string;
  /** Of the body in UTF-8. */
  bytes: number;
  /** The changes from the previous version; empty for the first version. */
  changed: (keyof ScriptText)[];
}

/** Unsaved changes of a script (or of a new one: `scriptId` null), stored in the workspace until saved or discarded. */
export interface Draft extends ScriptText {
  /** The key of the draft: `script-<id>`, or `new-<unique suffix>` for a script that was never saved. */
  key: string;
  scriptId: number | null;
  /** The version that the edit is based on, 0 for a new script. */
  baseVersion: number;
  changedAt: string;
}

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The problem of the name of a group or script, or null if it is valid. */
export function problemOfName(what: 'group' | 'name', value: string): string | null {
  const label = what === 'group' ? 'Script Group' : 'Name';
  if (value.trim() === '') return `${label} is required`;
  if (value !== value.trim()) return `${label} cannot begin or end with a space`;
  if (value.length > SCRIPT_LIMITS.name) {
    return `${label} has at most ${SCRIPT_LIMITS.name} characters, but this one has ${value.length}`;
  }
  if (CONTROL_CHARACTERS.test(value)) return `${label} cannot contain control characters or line breaks`;
  if (value.includes('/')) return `${label} cannot contain "/": it separates group and name in "Group/Name"`;
  return null;
}
