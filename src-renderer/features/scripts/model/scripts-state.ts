import type { Draft, DraftSummary, Script, ScriptSummary, ScriptText } from '#domain/run/script';
import type { Client } from '../../../client/client.ts';
import type { Problem } from '../../../client/errors.ts';
import { type Doc, isDirty, keyOfScript } from './script-document.ts';
import type { TestedText } from './script-tests.ts';

export type ScriptsClient = Pick<Client, 'app' | 'scripts' | 'drafts'>;

export interface ScriptsState {
  phase: 'loading' | 'ready' | 'failed';
  /** Why the library could not be loaded, in phase `failed`. */
  problem: Problem | null;
  /** The folder of the workspace; values in the browser's storage belong to it. */
  workspace: string;
  /** Why the list may be out of date; it is being reloaded. */
  outdated: Problem | null;
  groups: readonly string[];
  scripts: readonly ScriptSummary[];
  /** The drafts of this window, by the keys of their docs. */
  drafts: ReadonlyMap<string, Draft>;
  /** The drafts of other windows, open or closed, last changed first. */
  others: readonly DraftSummary[];
  docs: ReadonlyMap<string, Doc>;
  /** Keys of the open docs, in tab order. */
  tabs: readonly string[];
  active: string | null;
}

export type SaveOutcome =
  /** `before` is the former saved version; null for a new script. */
  | { kind: 'saved'; script: Script; before: ScriptText | null }
  /** A script that was never saved requires a group and a name. */
  | { kind: 'unnamed' }
  /** Another window saved first; the doc's `theirs` is that version. Nothing was saved. */
  | { kind: 'conflict' }
  | { kind: 'refused'; problem: Problem };

/** The browser's stored state for a workspace. */
export interface Memory {
  read<T>(key: string, fallback: T): T;
  /** False if it could not be stored. */
  write(key: string, value: unknown): boolean;
}

/** The same for scripts: also that of this window alone, which other windows do not change. */
export interface ScriptsMemory extends Memory {
  keys(prefix: string): string[];
  ofWindow: Memory;
  /** Identifies this window, also after a reload. */
  window: string;
}

export const NOTHING_KNOWN: ScriptsState = {
  phase: 'loading',
  problem: null,
  workspace: '',
  outdated: null,
  groups: [],
  scripts: [],
  drafts: new Map(),
  others: [],
  docs: new Map(),
  tabs: [],
  active: null,
};

/** The text of a script that its tests run: the typed one while it is open, else the saved one. */
export function testedText({ docs, scripts }: Pick<ScriptsState, 'docs' | 'scripts'>, scriptId: number): TestedText {
  const doc = docs.get(keyOfScript(scriptId));
  if (doc) return { body: doc.text.body, version: isDirty(doc) ? null : doc.baseVersion };
  return { body: null, version: scripts.find(({ id }) => id === scriptId)?.version ?? null };
}
