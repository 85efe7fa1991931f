import { createContext, useContext } from 'react';
import type { TagFormats } from '../../client/tag-formats.ts';
import { Store } from '../../support/store.ts';
import type { TextRange } from '../../frame/view.ts';
import type { DebugParts } from './debug/debug-parts.ts';
import type { Capsules } from './model/capsules.ts';
import type { FailureScores } from './failures/failure-scores.ts';
import type { Lenses } from './lens/lenses.ts';
import type { FailureMatrices } from './model/failures.ts';
import type { Library } from './model/library.ts';
import type { LiveRuns } from './model/live.ts';
import type { Reruns } from './model/reruns.ts';
import type { OpenContexts } from './model/open-contexts.ts';
import type { Runs } from './model/runs.ts';
import type { ScriptTests } from './model/script-tests.ts';
import type { ScriptsModel } from './model/scripts-model.ts';

/** The actions of the editor for other panes. */
export interface EditorHandle {
  focus(): void;
  /**
   * Shows a position and moves the cursor there, or selects `length` characters; lines and columns count from 1. In the
   * active script, or in that of `key` (the `editor` of its doc) as soon as it is shown.
   */
  goTo(line: number, column: number, key?: string, length?: number): void;
  /** The line of the cursor, from 1; null without a text. */
  line(): number | null;
  /** The selected text if it is within one line, else an empty text. */
  selected(): string;
}

export type ShownTest = { id: number; place: TextRange | null } | null;

/** The shared context of the panes of the view. */
export interface Scripts {
  model: ScriptsModel;
  library: Library;
  runs: Runs;
  live: LiveRuns;
  reruns: Reruns;
  contexts: OpenContexts;
  tests: ScriptTests;
  failures: FailureMatrices;
  scores: FailureScores;
  capsules: Capsules;
  lenses: Lenses;
  /** Whether tests of the open script run again after changes. */
  testsOn: Store<boolean>;
  /** Whether live runs are on. */
  liveOn: Store<boolean>;
  /** The test to show, in the script that is open; null once it is shown. */
  shownTest: Store<ShownTest>;
  formats: Store<TagFormats>;
  debug: DebugParts;
  /** The editor, once it is loaded. */
  editor: Store<EditorHandle | null>;
}

export const ScriptsContext = createContext<Scripts | null>(null);

export function useScripts(): Scripts {
  const scripts = useContext(ScriptsContext);
  if (!scripts) throw new Error('useScripts is used outside the Scripts view');
  return scripts;
}
