import { type Draft, type Script, type ScriptText, SCRIPT_LIMITS, draftKey, partsOfDraftKey } from '#domain/run/script';
import type { DraftKeeper } from './draft-keeper.ts';

/** A script in an editor tab: the saved version and the current text. */
export interface Doc {
  /** `script-<id>`, or `new-<unique suffix>`; with the window, the key of its draft. */
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

function sameText(a: ScriptText, b: ScriptText): boolean {
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

/** A script that was never saved, or was deleted, from its draft. */
export function docOfDraft(draft: Draft): Doc {
  const key = partsOfDraftKey(draft.key).script;
  return {
    key,
    editor: key,
    scriptId: draft.scriptId,
    baseVersion: draft.baseVersion,
    saved: null,
    text: textOf(draft),
    restoredFrom: draft.changedAt,
    theirs: null,
    deleted: draft.scriptId !== null,
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

function draftOf({ key, text, scriptId, baseVersion }: Doc, window: string, changedAt: string): Draft {
  return { ...text, key: draftKey(key, window), scriptId, baseVersion, changedAt };
}

/** The title in a tab and a list. */
export function titleOf(text: Pick<ScriptText, 'name'>): string {
  return text.name.trim() === '' ? 'Untitled' : text.name;
}

/** The bytes of a body (in UTF-8) that is too long to be saved; null if it is not. */
export function bytesTooMany(body: string): number | null {
  // A character has at most three bytes, so that a normal body need not be encoded on every key.
  if (body.length * 3 <= SCRIPT_LIMITS.bodyBytes) return null;
  const { length } = new TextEncoder().encode(body);
  return length > SCRIPT_LIMITS.bodyBytes ? length : null;
}

/** The pause in typing after which the draft is stored, the text is checked and its live run starts, ms. */
export const PAUSE_MS = 400;

/** The work of the next pause. */
interface Waiting {
  draft: Draft | null;
  /** Whether the diagnostics are stale. */
  check: boolean;
  /** Starts a live run. */
  live: (() => void) | null;
}

const NOTHING: Waiting = { draft: null, check: false, live: null };

/** What a document needs from its window. */
export interface DocumentHost {
  window: string;
  drafts: Pick<DraftKeeper, 'keep'>;
  now: () => Date;
  /** Called after each change of the state. `formerKey` is set when the first save gave it another key. */
  changed: (doc: Doc, formerKey?: string) => void;
  /** Called with the key of the doc when the draft was written, or dropped (null). */
  draftChanged: (key: string, draft: Draft | null) => void;
  /** Called after a pause in typing: diagnostics of the text are stale. */
  check: (doc: Doc) => void;
}

/**
 * An open script: its text and saved version, its draft, and the work that waits for a pause in typing. One timer
 * serves the draft, the diagnostics and the live run, so they always see the same text.
 */
export class ScriptDocument {
  readonly #host: DocumentHost;
  #doc: Doc;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting = NOTHING;

  constructor(doc: Doc, host: DocumentHost) {
    this.#doc = doc;
    this.#host = host;
  }

  get doc(): Doc {
    return this.#doc;
  }

  change(change: (doc: Doc) => Doc): void {
    const next = change(this.#doc);
    if (next === this.#doc) return;
    this.#doc = next;
    this.#host.changed(next);
  }

  /** The typed text. */
  edit(change: Partial<ScriptText>): void {
    this.change((doc) => ({ ...doc, text: { ...doc.text, ...change } }));
    this.keepDraft();
    this.#waitFor({ check: true });
  }

  /** Inserts a text from outside the editor, so that Ctrl+Z reverses it. */
  replace(text: ScriptText): void {
    this.change((doc) => ({ ...doc, text: textOf(text), replaced: doc.replaced + 1 }));
    this.keepDraft();
    this.#waitFor({ check: true });
  }

  /** The current text became a version; a new script gets its key. */
  saved(script: Script): void {
    const former = this.#doc.key;
    this.dropDraft();
    this.#doc = {
      ...this.#doc,
      key: keyOfScript(script.id),
      scriptId: script.id,
      baseVersion: script.version,
      saved: script,
      restoredFrom: null,
      theirs: null,
      deleted: false,
    };
    this.#host.changed(this.#doc, former);
    if (isDirty(this.#doc)) this.keepDraft();
  }

  /** Shows a saved version without unsaved changes. */
  adopt(script: Script): void {
    this.change((doc) => ({
      ...doc,
      baseVersion: script.version,
      saved: script,
      text: textOf(script),
      restoredFrom: null,
      theirs: null,
      replaced: doc.replaced + 1,
    }));
    this.dropDraft();
    this.#waitFor({ check: true });
  }

  keepDraft(): void {
    if (!isDirty(this.#doc)) return this.dropDraft();
    const draft = draftOf(this.#doc, this.#host.window, this.#host.now().toISOString());
    this.#host.draftChanged(this.#doc.key, draft);
    this.#waitFor({ draft });
  }

  dropDraft(): void {
    this.#waiting = { ...this.#waiting, draft: null };
    this.change((doc) => (doc.restoredFrom === null ? doc : { ...doc, restoredFrom: null }));
    this.#host.draftChanged(this.#doc.key, null);
  }

  /** Passes on the draft without waiting for a pause: the script is closed, or the page may end. */
  flushDraft(): void {
    const { draft } = this.#waiting;
    if (draft === null) return;
    this.#waiting = { ...this.#waiting, draft: null };
    this.#host.drafts.keep(draft);
  }

  /** Starts a live run after the next pause, unless it is cancelled or replaced before. Returns its cancellation. */
  afterPause(start: () => void): () => void {
    this.#waitFor({ live: start });
    return () => {
      if (this.#waiting.live === start) this.#waiting = { ...this.#waiting, live: null };
    };
  }

  /** Something else than the text made the diagnostics stale; does not prolong the wait of others. */
  checkSoon(): void {
    if (this.#timer === undefined) this.#waitFor({ check: true });
    else this.#waiting = { ...this.#waiting, check: true };
  }

  /** The script was closed. */
  dispose(): void {
    this.flushDraft();
    clearTimeout(this.#timer);
    this.#waiting = NOTHING;
  }

  #waitFor(work: Partial<Waiting>): void {
    this.#waiting = { ...this.#waiting, ...work };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#pause(), PAUSE_MS);
  }

  #pause(): void {
    this.#timer = undefined;
    const { check, live } = this.#waiting;
    this.flushDraft();
    this.#waiting = NOTHING;
    live?.();
    if (check) this.#host.check(this.#doc);
  }
}
