import type { Draft, Script, ScriptText } from '#domain/run/script';

/** A script in an editor tab: the saved version and the current text. */
export interface Doc {
  /** `script-<id>`, or `new-<unique suffix>`; also the key of its draft. */
  key: string;
  /** Identifies its text in the editor; stays the same when the first save gives the doc another key. */
  editor: string;
  scriptId: number | null;
  /** The version that the edit is based on; 0 for a script that was never saved. */
  baseVersion: number;
  /** The last saved version that this window knows. */
  saved: Script | null;
  text: ScriptText;
  /** When the restored draft was written; null once it is saved or discarded. */
  restoredFrom: string | null;
  /** A version that another window saved after `baseVersion`, while this one has unsaved changes. */
  theirs: Script | null;
  /** Whether the script was deleted. */
  deleted: boolean;
  /** Counts the replacements of the body from outside the editor. */
  replaced: number;
}

export const keyOfScript = (id: number): string => `script-${id}`;

const TEXT_FIELDS = ['group', 'name', 'description', 'body'] as const;

export function textOf({ group, name, description, body }: ScriptText): ScriptText {
  return { group, name, description, body };
}

export function sameText(a: ScriptText, b: ScriptText): boolean {
  return TEXT_FIELDS.every((field) => a[field] === b[field]);
}

/** Whether there are unsaved changes. */
export function isDirty(doc: Doc): boolean {
  if (doc.saved) return !sameText(doc.text, doc.saved);
  return doc.text.body !== '' || doc.text.name !== '' || doc.text.description !== '';
}

/** Whether it has a history. */
export function isSaved(doc: Doc): doc is Doc & { scriptId: number } {
  return doc.scriptId !== null;
}

/** A saved script, opened; with its draft, if any. */
export function docOfScript(script: Script, draft: Draft | undefined): Doc {
  const doc: Doc = {
    key: keyOfScript(script.id),
    editor: keyOfScript(script.id),
    scriptId: script.id,
    baseVersion: script.version,
    saved: script,
    text: textOf(script),
    restoredFrom: null,
    theirs: null,
    deleted: false,
    replaced: 0,
  };
  if (!draft || sameText(draft, script)) return doc;
  return {
    ...doc,
    baseVersion: draft.baseVersion,
    text: textOf(draft),
    restoredFrom: draft.changedAt,
    theirs: draft.baseVersion < script.version ? script : null,
  };
}

/** A script that was never saved (or was deleted), from its draft. */
export function docOfDraft(draft: Draft): Doc {
  return {
    key: draft.key,
    editor: draft.key,
    scriptId: null,
    baseVersion: 0,
    saved: null,
    text: textOf(draft),
    restoredFrom: draft.changedAt,
    theirs: null,
    deleted: false,
    replaced: 0,
  };
}

export function newDoc(key: string, group: string): Doc {
  return {
    key,
    editor: key,
    scriptId: null,
    baseVersion: 0,
    saved: null,
    text: { group, name: '', description: '', body: '' },
    restoredFrom: null,
    theirs: null,
    deleted: false,
    replaced: 0,
  };
}

export function draftOf(doc: Doc, changedAt: string): Draft {
  return { ...doc.text, key: doc.key, scriptId: doc.scriptId, baseVersion: doc.baseVersion, changedAt };
}

/** The title in a tab and a list. */
export function titleOf(text: Pick<ScriptText, 'name'>): string {
  return text.name.trim() === '' ? 'Untitled' : text.name;
}
