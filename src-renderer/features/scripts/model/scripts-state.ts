import type { Draft, Script, ScriptSummary, ScriptText } from '#domain/run/script';
import type { Client } from '../../../client/client.ts';
import type { Problem } from '../../../client/errors.ts';
import type { Doc } from './doc.ts';

export type ScriptsClient = Pick<Client, 'app' | 'scripts' | 'drafts'>;

export interface ScriptsState {
  phase: 'loading' | 'ready' | 'failed';
  /** Why the library could not be read, in phase `failed`. */
  problem: Problem | null;
  /** The folder of the workspace; what is remembered in the browser belongs to it. */
  workspace: string;
  /** Why the list may be older than the library; it is asked for again meanwhile. */
  outdated: Problem | null;
  groups: readonly string[];
  scripts: readonly ScriptSummary[];
  /** Unsaved work that the workspace keeps, by key. */
  drafts: ReadonlyMap<string, Draft>;
  docs: ReadonlyMap<string, Doc>;
  /** Keys of the open docs, in the order of the tabs. */
  tabs: readonly string[];
  active: string | null;
}

export type SaveOutcome =
  /** `before` is what was saved until then; null for a new script. */
  | { kind: 'saved'; script: Script; before: ScriptText | null }
  /** A script that was never saved needs a group and a name first. */
  | { kind: 'unnamed' }
  /** Another window saved first; the doc's `theirs` is that version. Nothing was saved. */
  | { kind: 'conflict' }
  | { kind: 'refused'; problem: Problem };

/** What the browser remembers of a workspace. */
export interface Memory {
  read<T>(key: string, fallback: T): T;
  /** False when it could not be kept. */
  write(key: string, value: unknown): boolean;
}

export const NOTHING_KNOWN: ScriptsState = {
  phase: 'loading',
  problem: null,
  workspace: '',
  outdated: null,
  groups: [],
  scripts: [],
  drafts: new Map(),
  docs: new Map(),
  tabs: [],
  active: null,
};
