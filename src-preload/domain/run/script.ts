/**
 * Limits of the fields of a script; the requirements have none, these are Tagwright's (documented in
 * docs/scripting/scripts.md).
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
  /** Size of the body in UTF-8. */
  bytes: number;
  /** The changes from the previous version; empty for the first version. */
  changed: (keyof ScriptText)[];
}

/**
 * Unsaved changes of a script (or of a new one: `scriptId` null) in one window, stored in the workspace until saved or
 * discarded.
 */
export interface Draft extends ScriptText {
  /**
   * The script, `script-<id>` or `new-<unique suffix>` for one that was never saved; then `@` and the window, except in
   * drafts of earlier versions.
   */
  key: string;
  scriptId: number | null;
  /** The version that the edit is based on, 0 for a new script. */
  baseVersion: number;
  changedAt: string;
}

/** A draft without its text. */
export interface DraftSummary extends Omit<Draft, 'description' | 'body'> {
  /** Whether its window is open; otherwise any window may continue it. */
  isOpen: boolean;
}

/** The key of the draft that a window has of a script. */
export const draftKey = (script: string, window: string): string => `${script}@${window}`;

/** The script and the window of a draft; the window is empty in drafts of earlier versions. */
export function partsOfDraftKey(key: string): { script: string; window: string } {
  const [script = '', window = ''] = key.split('@', 2);
  return { script, window };
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
